"""Compare the import of a PBN file with as many single inserts: `python -m bench.import_boards [4000]`.

Each way runs in a new process with an empty database. Printed are seconds, processor seconds of this side (they depend
less on what else the machine does), queries and peak memory.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection

from bench.random_boards import boards
from bench.scratch import ROOT, say, scratch_database
from boards.files import importing
from boards.models import Board
from boards.services import publish_board
from deals.bridge.outcomes import ReadBoard
from deals.bridge.pbn.reader import read_pbn
from deals.bridge.pbn.writer import HEADER, write_pbn
from deals.services import register_deal


def read_only(path: Path) -> None:
    with path.open("rb") as file:
        for _ in read_pbn(file):
            pass


def in_batches(path: Path) -> None:
    with path.open("rb") as file:
        importing.import_boards(file=file, publish=True)


def one_by_one(path: Path) -> None:
    with path.open("rb") as file:
        for outcome in read_pbn(file):
            assert isinstance(outcome, ReadBoard)
            deal, _ = register_deal(layout=outcome.content.layout)
            publish_board(deal=deal, record=outcome.content)


WAYS: dict[str, Callable[[Path], None]] = {
    "reading alone": read_only,
    "import": in_batches,
    "one by one": one_by_one,
}


class Counter:
    queries = 0

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self.queries += 1
        return execute(*arguments)


@contextmanager
def count_queries():
    counter = Counter()
    with connection.execute_wrapper(counter):
        yield counter


def measure(way: str, path: Path) -> None:
    """Measure one way, in the child process. Print one line of JSON."""
    Board.objects.exists()  # opens the connection
    before = peak_memory()
    with count_queries() as counter:
        started_at, cpu = time.monotonic(), time.process_time()
        WAYS[way](path)
        seconds, cpu = time.monotonic() - started_at, time.process_time() - cpu
    figures = {
        "seconds": seconds,
        "cpu": cpu,
        "queries": counter.queries,
        "before": before,
        "peak": peak_memory(),
    }
    say(json.dumps({**figures, "boards": Board.objects.count()}))


def peak_memory() -> float:
    """Return this process's peak memory in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.pbn"
        path.write_bytes((HEADER + "".join(map(write_pbn, boards(count)))).encode())
        say(f"{count} boards, {path.stat().st_size / 1024:.0f} KiB, {connection.vendor}")
        seconds = {}
        for way in WAYS:
            with scratch_database():
                figures = run_in_new_process(way, path)
            seconds[way] = figures["seconds"]
            say(
                f"{way:14} {figures['seconds']:7.2f} s, processor {figures['cpu']:6.2f} s  "
                f"{figures['queries']:6} queries  "
                f"{figures['boards']:5} boards  peak {figures['peak']:.0f} MiB, {figures['before']:.0f} before"
            )
        say(f"one by one takes {seconds['one by one'] / seconds['import']:.1f} times as long as an import")


def run_in_new_process(way: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.import_boards", way, str(path)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in WAYS:
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 4000)
