"""Measure the service under load, beside the document floor.

The servers answer the same requests from the same database, one after the other in each round. The tables printed at
the end are in the form of docs/performance.md, which says how to read them.
"""

import argparse
import json
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NoReturn

import psycopg

from bench.load.cases import Case, make_cases, read_contents
from bench.load.database import check_counters, ensure_database, fill_documents
from bench.load.measuring import Round, measure
from bench.load.servers import RIVALS, Server, running, service_environment
from bench.load.table import render, render_growth

WARM_UP_SECONDS = 1


def main(arguments: Sequence[str]) -> None:
    options = parse(arguments)
    if not shutil.which("wrk"):
        sys.exit("This needs wrk. Install it, with `apt install wrk` on Debian, and run this again.")
    signal.signal(signal.SIGTERM, interrupt)
    results: dict[int, dict[str, dict[str, list[Round]]]] = {}
    for size in options.sizes:
        url = ensure_database(options.database.format(size), size)
        results[size] = measure_size(url, options)
        say(f"\n{render(size, results[size])}")
    if len(results) > 1:
        say("\n".join(render(size, cases) for size, cases in results.items()))
        say(render_growth(results))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 dev.py bench", description=__doc__)
    parser.add_argument(
        "--sizes", type=numbers, default=[1_000, 100_000], help="numbers of boards: 1000,100000"
    )
    parser.add_argument("--cases", type=lambda text: text.split(","), help="such as first,board; else all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="of each server in each round")
    parser.add_argument("--database", default="bridge_bench_{}", help="its name; {} becomes the size")
    parser.add_argument(
        "--refresh", action="store_true", help="ask the service anew for the floor's documents"
    )
    parser.add_argument("--rivals", action="store_true", help="measure FastAPI and Litestar too")
    return parser.parse_args(arguments)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def measure_size(url: str, options: argparse.Namespace) -> dict[str, dict[str, list[Round]]]:
    """Return the rounds of each server in each case, on the database of one size."""
    environment = service_environment(url)
    with psycopg.connect(url, autocommit=True) as connection, ExitStack() as stack:
        cases = choose(make_cases(read_contents(connection)), options.cases)
        if options.refresh:
            connection.execute("DROP TABLE IF EXISTS bench_document")
        ours = stack.enter_context(running("ours", environment))
        paths = [path for case in cases for path in case.paths]
        fresh = [case.paths[0] for case in cases if len(case.paths) == 1]
        stored = fill_documents(paths, fresh, ours, connection)
        say(f"{url.rpartition('/')[2]}: stored {stored:,} documents for the floor")
        others = ["floor", *(RIVALS if options.rivals else ())]
        servers = [ours, *(stack.enter_context(running(name, environment)) for name in others)]
        check_same_answers(servers, fresh)
        results = {case.name: measure_case(case, servers, options, connection) for case in cases}
        check_counters(connection)
        return results


def check_same_answers(servers: list[Server], paths: list[str]) -> None:
    """Exit when a server answers something else than ours."""
    for path in paths:
        bodies = {server.name: json.loads(server.get(path)[2]) for server in servers}
        if different := [name for name, body in bodies.items() if body != bodies["ours"]]:
            sys.exit(f"{', '.join(different)} and our service answer {path} differently.")


def choose(cases: list[Case], names: list[str] | None) -> list[Case]:
    known = [case.name for case in cases]
    if unknown := set(names or ()) - set(known):
        sys.exit(f"There is no case {', '.join(sorted(unknown))}. The cases are {', '.join(known)}.")
    return [case for case in cases if names is None or case.name in names]


def measure_case(
    case: Case, servers: list[Server], options: argparse.Namespace, connection: psycopg.Connection[Any]
) -> dict[str, list[Round]]:
    """Measure the servers in turn, after a second of load on each that is not counted."""
    rounds: dict[str, list[Round]] = {server.name: [] for server in servers}
    for server in servers:
        measure(case, server, WARM_UP_SECONDS, connection)
    for number in range(options.rounds):
        for server in servers if number % 2 == 0 else reversed(servers):
            figures = measure(case, server, options.seconds, connection)
            rounds[server.name].append(figures)
            say(
                f"{case.name:14} round {number + 1}  {server.name:6} {figures.rate:8,.0f} req/s  "
                f"{figures.application_ms:6.2f} + {figures.database_ms:6.2f} ms CPU  p99 {figures.p99:7.1f} ms"
            )
    return rounds


def interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
