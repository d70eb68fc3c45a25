"""The first request after a change: what a filtered page costs when a board was published since the last one.

Nothing that a server keeps about the filter's boards, such as their number, can still be known to be right then.
"""

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.load.cases import Contents, make_cases, read_contents
from bench.load.database import APPLICATION_NAME
from bench.load.goals import MAX_MS_AFTER_CHANGE, at_most
from bench.load.measuring import BACKENDS, wait_until_idle
from bench.load.realistic_boards import random_layout
from bench.load.seed import account_id
from bench.load.servers import Server, running, service_environment
from bench.load.table import markdown

HEADER = ("filter", "first request: CPU ms", "the next: CPU ms", "first request: ms", "goal")
GROUPS = ("filters", "pairs")
NS_PER_MS = 1e6
Times = tuple[float, float, float]
"""Milliseconds: the processor time of our processes and of PostgreSQL, and the time until the answer was there."""


def measure_after_change(url: str, size: int, repetitions: int) -> str:
    """Return a Markdown table: medians of some first requests for each filter and pair of filters."""
    environment = service_environment(url)
    with (
        psycopg.connect(url, autocommit=True, application_name=APPLICATION_NAME) as connection,
        running("ours", environment) as ours,
    ):
        contents = read_contents(connection)
        api = Api(ours, environment["API_KEY"])
        rows = [HEADER]
        for case in make_cases(contents):
            if case.group in GROUPS or case.name == "first":
                firsts, nexts = [], []
                for _ in range(repetitions):
                    with published_board(api, contents):
                        firsts.append(measure_request(case.paths[0], ours, connection))
                        nexts.append(measure_request(case.paths[0], ours, connection))
                rows.append(row(case.name, firsts, nexts))
    return f"{size:,} boards: the first request after a board was published\n\n{markdown(rows)}"


def row(name: str, firsts: list[Times], nexts: list[Times]) -> tuple[str, ...]:
    cpu = median(application + database for application, database, _ in firsts)
    return (
        name,
        cpu_text(firsts),
        cpu_text(nexts),
        f"{median(wall for *_, wall in firsts):.1f}",
        at_most(cpu, MAX_MS_AFTER_CHANGE),
    )


def cpu_text(times: list[Times]) -> str:
    return f"{median(each[0] for each in times):.2f} + {median(each[1] for each in times):.2f}"


class Api:
    """The service's routes for servers, called with its key."""

    def __init__(self, server: Server, key: str) -> None:
        self.port = server.port
        self.headers = {"X-API-Key": key, "Content-Type": "application/json"}

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, json.dumps(body) if body else None, self.headers)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        if response.status >= 300:
            raise SystemExit(f"{method} {path}: {response.status} {content.decode()}")
        return json.loads(content) if content else None


@contextmanager
def published_board(api: Api, contents: Contents) -> Iterator[None]:
    """Publish a board that every filter finds, and delete it after the block."""
    cards = random_layout(random.SystemRandom()).cards
    board = {
        "dealer": "N",
        "vulnerability": "NS",
        "themes": [contents.theme],
        "auctionSystem": contents.auction_system,
        "userId": account_id(0),
    }
    deal = f"/api/deals/{api('POST', '/api/deals', {'cards': cards})['id']}"
    board_id = api("POST", f"{deal}/boards", board)["id"]
    try:
        yield
    finally:
        api("DELETE", f"{deal}/boards/{board_id}")
        api("DELETE", deal)


def measure_request(path: str, server: Server, connection: psycopg.Connection[Any]) -> Times:
    wait_until_idle(connection)
    before, started = processor_ms(server, connection), time.perf_counter()
    status, _, _ = server.get(path)
    wall = (time.perf_counter() - started) * 1000
    if status != 200:
        raise SystemExit(f"The service answers {path} with {status}.")
    wait_until_idle(connection)
    after = processor_ms(server, connection)
    return after[0] - before[0], after[1] - before[1], wall


def processor_ms(server: Server, connection: psycopg.Connection[Any]) -> tuple[float, float]:
    """Return what our workers and the database's sessions have used so far. One request needs more than ticks.

    Parallel workers of PostgreSQL are missing here.
    """
    workers = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    backends = [row[0] for row in connection.execute(BACKENDS, (APPLICATION_NAME,))]
    return sum(map(exact_ms, map(int, workers))), sum(map(exact_ms, backends))


def exact_ms(pid: int) -> float:
    """Return the processor time of all threads of a process, to the nanosecond. It is in their schedstat."""
    files = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(file.read_text().split()[0]) for file in files) / NS_PER_MS
