"""What the processes of the service hold, as Linux and PostgreSQL count it."""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.load.database import APPLICATION_NAME
from bench.load.measuring import BACKENDS


@dataclass(frozen=True)
class Sample:
    """`memory` is MiB of proportional set size, by process. Then sums over all processes, and the machine's load."""

    at: float
    memory: dict[int, float]
    connections: int
    descriptors: int
    threads: int
    load: float

    def __str__(self) -> str:
        each = " + ".join(f"{size:.0f}" for size in self.memory.values())
        counts = f"{self.connections} connections  {self.descriptors} descriptors  {self.threads} threads"
        return f"{each} MiB  {counts}  load {self.load:.1f}"


def take_sample(at: float, roots: Sequence[int], connection: psycopg.Connection) -> Sample:
    """Count what these processes and all their descendants hold, and their sessions in the database."""
    memory, descriptors, threads = {}, 0, 0
    for pid in (pid for root in roots for pid in family_of(root)):
        folder = Path(f"/proc/{pid}")
        with suppress(OSError):  # the process has ended since
            memory[pid] = read_memory((folder / "smaps_rollup").read_text())
            descriptors += len(list((folder / "fd").iterdir()))
            threads += len(list((folder / "task").iterdir()))
    sessions = connection.execute(BACKENDS, (APPLICATION_NAME,)).fetchall()
    return Sample(at, memory, len(sessions), descriptors, threads, os.getloadavg()[0])


def family_of(pid: int) -> list[int]:
    """Return the process and its descendants, without those that have ended. Its threads can have children too."""
    children: list[int] = []
    with suppress(OSError):
        for file in Path(f"/proc/{pid}/task").glob("*/children"):
            children += map(int, file.read_text().split())
    return [pid, *(each for child in children for each in family_of(child))]


def read_memory(rollup: str) -> float:
    """Return the process's part of the pages that processes share, and those that are its alone, in MiB."""
    return sum(int(kib) for kib in re.findall(r"^Pss:\s+(\d+) kB$", rollup, re.MULTILINE)) / 1024
