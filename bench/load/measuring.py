"""One run of wrk against one server, with the processor time that the server and PostgreSQL spend on it."""

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.load.cases import Case
from bench.load.database import APPLICATION_NAME
from bench.load.servers import OUR_APPLICATION, RIVALS, Server

SCRIPT = Path(__file__).with_name("wrk.lua")
CONNECTIONS = 16
MIN_REQUESTS, MAX_SECONDS = 2 * CONNECTIONS, 60
"""With fewer requests those that are cut off at the end cost as much as those that are counted."""
IDLE_SECONDS, MAX_WAITS = 0.3, 100
BACKENDS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> %s
"""

Ticks = Mapping[int, int]


@dataclass(frozen=True)
class Round:
    """The figures of one run: rates a second, processor milliseconds a request, latencies in milliseconds.

    The requests that `failed` are among those that the others count.
    """

    rate: float
    application_ms: float
    database_ms: float
    p50: float
    p99: float
    failed: int = 0

    @property
    def cpu_ms(self) -> float:
        return self.application_ms + self.database_ms


def measure(case: Case, server: Server, seconds: int, connection: psycopg.Connection[Any]) -> Round:
    """Load the server with the case, for longer when few requests are answered or none takes a tick of the processor.

    Exit when an answer is an error. Those of rivals are counted: the others' figures are as good without them.
    """
    while True:
        requests, figures = measure_once(case, server, seconds, connection)
        if (requests >= MIN_REQUESTS and figures.cpu_ms) or seconds >= MAX_SECONDS:
            return figures
        seconds = min(seconds * 4, MAX_SECONDS)


def measure_once(case: Case, server: Server, seconds: int, connection: psycopg.Connection[Any]) -> tuple[int, Round]:
    """Return how many requests were answered, and their figures."""
    headers = etag_headers(case, server)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(case.lines(server.name)) + "\n")
        file.flush()
        wait_until_idle(connection)
        application, database = application_ticks(server), database_ticks(connection)
        output = run_wrk(server, seconds, headers, [file.name, case.method, "once" if case.once else "cycle"])
        spent = sum(application_ticks(server).values()) - sum(application.values())
        spent_by_database = difference(database, database_ticks(connection))
    requests, microseconds, failed, p50, p99 = read_result(output)
    if not requests or (failed and server.name not in RIVALS):
        raise SystemExit(f"{case.name} on {server.name}: {failed} of {requests} requests failed.\n{output}")
    per_request = 1000 / os.sysconf("SC_CLK_TCK") / requests
    return requests, Round(
        rate=requests / microseconds * 1e6,
        application_ms=spent * per_request,
        database_ms=spent_by_database * per_request,
        p50=p50 / 1000,
        p99=p99 / 1000,
        failed=failed,
    )


def wait_until_idle(connection: psycopg.Connection[Any]) -> None:
    """Wait for requests that wrk gave up on when its time was over. They must not count for the next server."""
    before: Ticks = {}
    for _ in range(MAX_WAITS):
        backends = {pid: ticks for pid, ticks in database_ticks(connection).items() if pid}
        if backends == before:
            return
        before = backends
        time.sleep(IDLE_SECONDS)


def etag_headers(case: Case, server: Server) -> list[str]:
    """Return wrk's options for a reader who has the answer. The others have no ETags and send the whole answer."""
    if not case.conditional or server.name not in OUR_APPLICATION:
        return []
    etag = server.get(case.paths[0])[1].get("etag", "")
    if server.get(case.paths[0], {"If-None-Match": etag})[0] != 304:
        raise SystemExit(f"Our service does not answer {case.paths[0]} with 304 to a reader who has the answer.")
    return ["-H", f"If-None-Match: {etag}"]


def run_wrk(server: Server, seconds: int, headers: list[str], arguments: list[str]) -> str:
    """Run wrk with one thread, so that the file's lines are sent in their order, and return what it prints."""
    options = ["-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "120s", "--latency", *headers]
    url = f"http://127.0.0.1:{server.port}/"
    command = ["wrk", *options, "-s", str(SCRIPT), url, "--", *arguments]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def read_result(output: str) -> tuple[int, ...]:
    """Return requests, microseconds, failures, and the 50th and 99th percentile of the latency in microseconds."""
    (line,) = (line for line in output.splitlines() if line.startswith("RESULT "))
    return tuple(int(word) for word in line.split()[1:])


def application_ticks(server: Server) -> Ticks:
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return {pid: ticks_of(pid) for pid in (server.pid, *map(int, children))}


def database_ticks(connection: psycopg.Connection[Any]) -> Ticks:
    """Return the ticks of the database's backends, and under 0 those of all that have ended.

    A parallel worker ends with its query: its time is found only in what PostgreSQL's first process has waited for.
    """
    backends = [row[0] for row in connection.execute(BACKENDS, (APPLICATION_NAME,))]
    own = stat_fields(connection.info.backend_pid)
    first_process = stat_fields(int(own[1]))
    ended = int(first_process[13]) + int(first_process[14])
    return {0: ended, **{pid: ticks_of(pid) for pid in backends}}


def difference(before: Ticks, after: Ticks) -> int:
    """Return the ticks spent between the two. What ended meanwhile is in entry 0, all its life."""
    lost = sum(ticks for pid, ticks in before.items() if pid not in after)
    return sum(ticks - before.get(pid, 0) for pid, ticks in after.items()) - lost


def ticks_of(pid: int) -> int:
    fields = stat_fields(pid)
    return int(fields[11]) + int(fields[12])


def stat_fields(pid: int) -> list[str]:
    """Return /proc/PID/stat from the state on: 1 is the parent, 11 to 14 the times of itself and of its children."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def rate_ratio(theirs: Sequence[Round], ours: Sequence[Round]) -> float:
    """Return our requests a second as a part of another server's: the median of the rounds' ratios."""
    return median(our.rate / its.rate for our, its in zip(ours, theirs, strict=True))


def cpu_ratio(theirs: Sequence[Round], ours: Sequence[Round]) -> float:
    """Return another server's processor time as a part of ours: the median of the rounds' ratios. 1 is as cheap."""
    return median(its.cpu_ms / our.cpu_ms for our, its in zip(ours, theirs, strict=True))
