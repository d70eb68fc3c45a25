"""Give measurements a database of their own, and workers on it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection

from deals.models import Deal
from tests import factories

ROOT = Path(__file__).resolve().parents[1]
Process = subprocess.Popen[bytes]


@contextmanager
def scratch_database() -> Iterator[None]:
    """Create an empty, migrated database for this process and those it starts, and delete it at the end."""
    original_url = os.environ["DATABASE_URL"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    name = connection.settings_dict["NAME"]
    sqlite = connection.vendor == "sqlite"
    os.environ["DATABASE_URL"] = (
        f"sqlite:///{name}" if sqlite else urlsplit(original_url)._replace(path=f"/{name}").geturl()
    )
    try:
        yield
    finally:
        connection.creation.destroy_test_db(urlsplit(original_url).path[1:], verbosity=0)
        os.environ["DATABASE_URL"] = original_url


def start_worker() -> Process:
    """Start `manage.py run_worker` in a session of its own and discard its log."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "run_worker"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def workers(count: int) -> Iterator[list[Process]]:
    """Run that many workers while the block runs. Each has shown before that it solves."""
    processes = [start_worker() for _ in range(count)]
    try:
        wait_until(lambda: all(child_of(process.pid) for process in processes))
        solve(count * 2)  # more deals than workers, so that each gets one
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def child_of(pid: int) -> int | None:
    """Return the id of the worker's solver process, if there is one. Needs Linux, as all of this module does."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def solve(count: int, seed: int = 10_000_000) -> float:
    """Return the seconds from the first claim of that many new deals until the last one is stored."""
    Deal.objects.all().delete()
    make_pending(count, seed)
    wait_until(lambda: Deal.objects.exclude(claimed_until=None).exists() or not count_pending(), pause=0.02)
    started = time.monotonic()
    wait_until(lambda: not count_pending())
    return time.monotonic() - started


def make_pending(count: int, seed: int) -> None:
    Deal.objects.bulk_create(
        Deal(cards=factories.layout(number).cards) for number in range(seed, seed + count)
    )


def count_pending() -> int:
    return Deal.objects.filter(double_dummy_status="pending").count()


def wait_until(condition: Callable[[], object], pause: float = 0.1) -> None:
    while not condition():
        time.sleep(pause)


def cpu_seconds(*pids: int) -> float:
    """Return the processor time that these processes have used so far."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def say(*columns: object) -> None:
    print(*columns, flush=True)  # noqa: T201
