"""`python -m bench.database_outages [20] [1]`: whether the worker works again after each outage of PostgreSQL.

It makes a server of its own, starts one `manage.py run_worker` on it, and hurts the server that many times, in an
order that the seed (the second number) gives: stopped in each of its ways, killed, frozen, its connections ended.
After each outage a new deal must be solved and a new task be done, by the same process, and nothing that was asked for
before may be missing. It prints the seconds from the end of the outage until both are done.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection
from django_tasks_db.models import DBTaskResult

from bench.scratch import count_pending, make_pending, say
from tests.config.worker.some_tasks import add
from tests.system.postgresql_servers import Server, primary

PATIENCE_SECONDS = 180
FOLDER = "OUTAGES_SERVER"
"""The variable that tells this program, run by itself, the folder of its server."""


def stop_and_start(mode: str) -> Callable[[Server, float], None]:
    def hurt(server: Server, seconds: float) -> None:
        server.stop(mode)
        time.sleep(seconds)
        server.start()

    return hurt


def kill(server: Server, seconds: float) -> None:
    """Kill all its processes at once, as the end of the machine would."""
    for pid in server.pids:
        os.kill(pid, signal.SIGKILL)
    time.sleep(seconds)
    (server.data / "postmaster.pid").unlink(missing_ok=True)
    server.start()


def freeze(server: Server, seconds: float) -> None:
    with server.frozen():
        time.sleep(seconds)


def end_connections(server: Server, seconds: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


HURTS: dict[str, Callable[[Server, float], None]] = {
    "stopped fast": stop_and_start("fast"),
    "stopped at once": stop_and_start("immediate"),
    "killed": kill,
    "frozen": freeze,
    "connections ended": end_connections,
}


@contextmanager
def running_worker(log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, "manage.py", "run_worker"], stdout=file, stderr=file)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def work_is_done(process: subprocess.Popen[bytes], seed: int) -> tuple[float, int]:
    """Ask for one deal and one task. Return the seconds until no work is left, and how many tasks failed for good."""
    connection.close()
    started = time.monotonic()
    make_pending(1, seed)
    add.enqueue(seed, 1)
    while count_pending() or DBTaskResult.objects.exclude(status__in=("SUCCESSFUL", "FAILED")).exists():
        if process.poll() is not None:
            raise SystemExit(f"The worker ended with {process.returncode}.")
        if time.monotonic() - started > PATIENCE_SECONDS:
            raise SystemExit("The worker lives and does not work.")
        time.sleep(0.1)
    return time.monotonic() - started, DBTaskResult.objects.filter(status="FAILED").count()


def main(server: Server, times: int, seed: int) -> None:
    chance, worst = random.Random(seed), 0.0
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], check=True)
    log = server.folder / "worker.log"
    try:
        with running_worker(log) as process:
            work_is_done(process, 1_000_000)
            for number in range(times):
                name = chance.choice(list(HURTS))
                HURTS[name](server, chance.uniform(0, 8))
                seconds, failed = work_is_done(process, 2_000_000 + number)
                worst = max(worst, seconds)
                say(f"{number + 1:3} {name:18} works again after {seconds:5.1f} s, {failed} tasks failed")
        say(
            f"{times} outages, one worker process, at most {worst:.1f} s until all work was done; seed {seed}"
        )
    except BaseException:
        say(log.read_text()[-4000:])
        raise


def run_on_own_server() -> int:
    """Run this program again, on a new server: bench/__init__.py has set Django up with another database by now."""
    with primary() as server:
        server.execute("CREATE DATABASE boards")
        own = {"DATABASE_URL": server.url("boards"), FOLDER: str(server.folder)}
        command = [sys.executable, "-m", "bench.database_outages", *sys.argv[1:]]
        return subprocess.run(command, env={**os.environ, **own}, check=False).returncode


if __name__ == "__main__":
    if FOLDER not in os.environ:
        sys.exit(run_on_own_server())
    port = urlsplit(os.environ["DATABASE_URL"]).port
    assert port
    numbers = [*sys.argv[1:], *("20", "1")[len(sys.argv) - 1 :]]
    main(Server(Path(os.environ[FOLDER]), port), *map(int, numbers))
