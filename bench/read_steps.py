"""The reads of bench.reads, in the checkout of the working directory. Prints one line of JSON.

For each read: milliseconds of this process, of PostgreSQL and of the clock, for one request to the WSGI application.
"""

import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from wsgiref.util import setup_testing_defaults

import psycopg

from config.wsgi import application

REPETITIONS = 20
NAME = "bench.reads"
SAMPLE = "SELECT id::text FROM boards_board ORDER BY md5(id::text) LIMIT 100"
SESSIONS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)
SESSIONS += " AND application_name <> %s"
PAGES = ("/", "/boards", "/boards?dealer=N", "/themes")
ANSWERS = ("/api/boards", "/api/boards?dealer=N", "/api/themes", "/api/auction-systems")


def main() -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True, application_name=NAME) as connection:
        ids = [row[0] for row in connection.execute(SAMPLE)]
        reads: dict[str, Iterator[str]] = {path: itertools.repeat(path) for path in (*PAGES, *ANSWERS)}
        for prefix in ("/boards", "/api/boards"):
            reads[f"{prefix}/{{id}}"] = itertools.cycle([f"{prefix}/{board}" for board in ids])
        print(json.dumps({name: measure(paths, connection) for name, paths in reads.items()}))  # noqa: T201


def measure(paths: Iterator[str], connection: psycopg.Connection) -> tuple[float, float, float]:
    """Return the mean milliseconds of a request: this process's, PostgreSQL's, and the clock's."""
    for _ in range(2):
        request(next(paths))
    database, application_time, started = database_ms(connection), time.process_time(), time.perf_counter()
    for _ in range(REPETITIONS):
        request(next(paths))
    spent = (time.process_time() - application_time) * 1000
    wall = (time.perf_counter() - started) * 1000
    return spent / REPETITIONS, (database_ms(connection) - database) / REPETITIONS, wall / REPETITIONS


def database_ms(connection: psycopg.Connection) -> float:
    """Return the processor time of the service's sessions. Linux counts it to the nanosecond."""
    files = [Path(f"/proc/{pid}/schedstat") for (pid,) in connection.execute(SESSIONS, (NAME,))]
    return sum(int(file.read_text().split()[0]) for file in files) / 1e6


def request(path: str) -> None:
    name, _, query = path.partition("?")
    environ = {
        "PATH_INFO": name,
        "QUERY_STRING": query,
        "RAW_URI": path,
        "SERVER_NAME": os.environ["ALLOWED_HOSTS"],
        "REMOTE_ADDR": "127.0.0.1",
    }
    setup_testing_defaults(environ)
    statuses: list[str] = []
    response = application(environ, lambda status, headers, error=None: statuses.append(status))
    for _ in response:
        pass
    if hasattr(response, "close"):
        response.close()
    if not statuses[0].startswith("200"):
        raise SystemExit(f"GET {path}: {statuses[0]}")


if __name__ == "__main__":
    main()
