"""The memory of a server's workers, as Linux counts it."""

import re
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from bench.load.servers import Server

KIB = 1024


@dataclass(frozen=True)
class Memory:
    """MiB of one worker: all its pages; its part of those that processes share; those that are its alone."""

    rss: float
    pss: float
    own: float

    def __str__(self) -> str:
        return f"{self.rss:.0f} / {self.pss:.0f} / {self.own:.0f}"


def memory_of(server: Server) -> Memory:
    """Return the mean of the server's workers. A child much smaller than those, such as a tracker, is left out."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    all_values = [read_memory(Path(f"/proc/{pid}/smaps_rollup").read_text()) for pid in children]
    largest = max(each.rss for each in all_values)
    workers = [each for each in all_values if each.rss > largest / 2]
    return Memory(*(mean(getattr(each, name) for each in workers) for name in ("rss", "pss", "own")))


def read_memory(rollup: str) -> Memory:
    values = {
        name: int(size) / KIB for name, size in re.findall(r"^(\w+):\s+(\d+) kB$", rollup, re.MULTILINE)
    }
    return Memory(values["Rss"], values["Pss"], values["Private_Clean"] + values["Private_Dirty"])
