"""Measure what PgBouncer, a replica and a cache carry, and what readers notice of faults: `python -m bench.scale_out`.

It starts a primary, a streaming replica, PgBouncer, nginx and gunicorn with two processes of its own. First wrk loads
each deployment with 16 connections; printed are requests a second and processor microseconds a request, in the service,
the primary, the replica and what stands in between. Then eight readers read all the time while parts are killed, frozen
and held up; printed are their reads, failures and longest waits. It needs wrk, PgBouncer, nginx and Redis (CACHE_URL).
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requests

from bench.load.measuring import SCRIPT
from bench.scratch import cpu_seconds, say
from tests.system import deployment
from tests.system.guides.service import deploy, token_of
from tests.system.nginx import nginx
from tests.system.postgresql_servers import (
    Server,
    create_filled,
    pgbouncer,
    primary,
    replica_of,
    wait_until_replayed,
)

VOTERS = 200
PAUSE_SECONDS = 4


@dataclass(frozen=True)
class Stage:
    """The servers of a run, and the boards that are there."""

    primary: Server
    replica: Server
    url: str
    boards: Sequence[str]

    @property
    def environment(self) -> dict[str, str]:
        limits = {"READ_RATE": "", "WEB_CONCURRENCY": "2", "ALLOWED_HOSTS": "127.0.0.1"}
        cache = {"CACHE_URL": os.environ.get("CACHE_URL", "redis://127.0.0.1:6379/6")}
        return {**deploy(self.url), **limits, **cache}

    @property
    def with_replica(self) -> dict[str, str]:
        return {"DATABASE_REPLICA_URLS": self.replica.url("boards")}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale_out", description=__doc__.split(":")[0])
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--only", choices=["load", "faults"])
    options = parser.parse_args()
    with primary(shared_buffers="256MB") as first, replica_of(first) as replica:
        url = create_filled(first, "boards")
        fill = [sys.executable, "-m", "bench.fill", str(options.boards)]
        subprocess.run(fill, env={**deploy(url)}, check=True, stdout=subprocess.DEVNULL)
        first.execute("ANALYZE", "boards")
        boards = [str(pk) for (pk,) in first.execute("SELECT board_id FROM boards_publishedboard", "boards")]
        wait_until_replayed(first, [replica])
        stage = Stage(first, replica, url, random.Random(1).sample(boards, min(2000, len(boards))))
        if options.only != "faults":
            measure_load(stage, options.seconds)
        if options.only != "load":
            measure_faults(stage)


# --- Load --------------------------------------------------------------------------------------------------------


def measure_load(stage: Stage, seconds: int) -> None:
    say(f"{'deployment':22} {'case':6} {'/s':>8} {'p99 ms':>7}   processor µs a request")
    with ExitStack() as stack:
        pool = stack.enter_context(pgbouncer(stage.primary, "boards"))
        variants: dict[str, Mapping[str, str]] = {
            "one machine": {},
            "PgBouncer": {"DATABASE_URL": pool, "DATABASE_POOLED": "true"},
            "a replica": stage.with_replica,
            "nginx": {"TRUSTED_PROXIES": "127.0.0.1"},
            "nginx, max-age 60": {"TRUSTED_PROXIES": "127.0.0.1", "PUBLIC_MAX_AGE": "60"},
        }
        for name, settings in variants.items():
            with deployment.gunicorn({**stage.environment, **settings}) as port, ExitStack() as proxy:
                base = f"http://127.0.0.1:{port}"
                if name.startswith("nginx"):
                    cache = "boards" if "PUBLIC_MAX_AGE" in settings else "off"
                    base = proxy.enter_context(nginx(port, cache=cache)).url
                for case, lines in cases(stage).items():
                    say(f"{name:22} {case:6} {load(stage, base, case, lines, seconds)}")


def cases(stage: Stage) -> dict[str, list[str]]:
    tokens = [token_of(f"voter-{number}") for number in range(VOTERS)]
    draw = random.Random(2)
    votes = [f"/api/voting/{draw.choice(stage.boards)}\t{draw.choice(tokens)}" for _ in range(20_000)]
    return {"board": [f"/api/boards/{pk}" for pk in stage.boards], "first": ["/api/boards"], "vote": votes}


def load(stage: Stage, base: str, case: str, lines: Sequence[str], seconds: int) -> str:
    """Run wrk, after a moment that nobody counts, and return the line of the table."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        method = "PUT" if case == "vote" else "GET"

        def wrk(duration: int) -> str:
            options = ["-t1", "-c16", f"-d{duration}s", "--timeout", "30s"]
            command = ["wrk", *options, "-s", str(SCRIPT), base, "--", file.name, method]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout

        wrk(2)
        parts = parts_of(stage)
        before = {name: cpu_seconds(*pids) for name, pids in parts.items()}
        result = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+)", wrk(seconds))
        spent = {name: cpu_seconds(*pids) - before[name] for name, pids in parts.items()}
    assert result
    answered, microseconds, failed, _, p99 = map(int, result.groups())
    each = "  ".join(f"{name} {value * 1e6 / answered:.0f}" for name, value in spent.items() if value > 0)
    return f"{answered * 1e6 / microseconds:8.0f} {p99 / 1000:7.1f}   {each}" + (
        f"  {failed} FAILED" if failed else ""
    )


def parts_of(stage: Stage) -> dict[str, list[int]]:
    """Return the processes of each part. Those that this program has started are told apart by their names."""
    parts = {
        "service": [],
        "primary": stage.primary.pids,
        "replica": stage.replica.pids,
        "nginx": [],
        "pgbouncer": [],
    }
    for pid in descendants(os.getpid()):
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        for word, name in (("gunicorn", "service"), ("nginx", "nginx"), ("pgbouncer", "pgbouncer")):
            if word in command and "bench" not in command:
                parts[name].append(pid)
                break
    return parts


def descendants(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            yield child
            yield from descendants(child)


# --- Faults ------------------------------------------------------------------------------------------------------


@dataclass
class Readers:
    """Eight readers of boards and lists. Each waits a little between two reads."""

    base: str
    boards: Sequence[str]
    seconds: list[float] = field(default_factory=list)
    failed: list[object] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    def read(self) -> None:
        session, draw = requests.Session(), random.Random()
        while not self.stopping.is_set():
            path = draw.choice((f"/api/boards/{draw.choice(self.boards)}", "/api/boards", "/api/themes"))
            started = time.monotonic()
            try:
                status: object = session.get(self.base + path, timeout=60).status_code
            except requests.RequestException as error:
                status = error
            self.seconds.append(time.monotonic() - started)
            if status != 200:
                self.failed.append(status)
            time.sleep(0.01)

    @contextmanager
    def reading(self) -> Iterator[None]:
        threads = [threading.Thread(target=self.read) for _ in range(8)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.stopping.set()
            for thread in threads:
                thread.join()


def measure_faults(stage: Stage) -> None:
    say(f"\n{'fault':34} {'reads':>7} {'failed':>7} {'longest s':>10}")

    def kill() -> None:
        stage.replica.stop("immediate")
        time.sleep(PAUSE_SECONDS)
        stage.replica.start()

    def freeze(server: Server) -> Callable[[], None]:
        def hold() -> None:
            with server.frozen():
                time.sleep(PAUSE_SECONDS)

        return hold

    def lag() -> None:
        stage.replica.execute("SELECT pg_wal_replay_pause()")
        stage.primary.execute("UPDATE themes_theme SET identifier = identifier", "boards")
        time.sleep(2 * PAUSE_SECONDS)
        stage.replica.execute("SELECT pg_wal_replay_resume()")

    faults = {
        "nothing": lambda: time.sleep(PAUSE_SECONDS),
        "the replica is killed, started": kill,
        "the replica is frozen for 4 s": freeze(stage.replica),
        "the replica lags": lag,
        "the primary is frozen for 4 s": freeze(stage.primary),
    }
    with deployment.gunicorn({**stage.environment, **stage.with_replica}) as port:
        for name, fault in faults.items():
            readers = Readers(f"http://127.0.0.1:{port}", stage.boards)
            with readers.reading():
                time.sleep(PAUSE_SECONDS)
                readers.seconds.clear()
                fault()
                time.sleep(PAUSE_SECONDS)
            failed = ", ".join(sorted({str(each)[:60] for each in readers.failed}))
            say(
                f"{name:34} {len(readers.seconds):7} {len(readers.failed):7} {max(readers.seconds):10.2f}  {failed}"
            )


if __name__ == "__main__":
    main()
