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
from contextlib import ExitStack, nullcontext
from typing import Any

import psycopg

from bench.load.cases import CHANGING, Case, make_cases, read_contents
from bench.load.database import APPLICATION_NAME, check_counters, ensure_database, fill_documents
from bench.load.goals import Rounds
from bench.load.measuring import Round, measure
from bench.load.options import parse
from bench.load.servers import RIVALS, Server, running, service_environment
from bench.load.table import render
from bench.load.writer import committing
from bench.scratch import say

WARM_UP_SECONDS = 1
Side = tuple[Server, Case, psycopg.Connection[Any]]
"""A server, what is asked of it, and a connection to its database."""


def main(arguments: Sequence[str]) -> None:
    options = parse(arguments)
    if not shutil.which("wrk"):
        sys.exit("This needs wrk. Install it, with `apt install wrk` on Debian, and run this again.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for size in options.sizes:
        url = ensure_database(options.database.format(size), size, anew=options.anew)
        measure_size(url, size, options)


def measure_size(url: str, size: int, options: argparse.Namespace) -> None:
    """Measure each server in each case on the database of one size, and print the tables. Then check the counters."""
    environment = service_environment(url)
    with psycopg.connect(url, autocommit=True, application_name=APPLICATION_NAME) as connection, ExitStack() as stack:
        cases = choose(make_cases(read_contents(connection)), options.cases)
        ours = stack.enter_context(running("ours", environment))
        paths = [path for case in cases for path in case.paths]
        stored = fill_documents(paths, ours, connection)
        say(f"{url.rpartition('/')[2]}: stored {stored:,} documents for the floor")
        others = ("floor", *(RIVALS if options.rivals else ()))
        servers = [ours, *(stack.enter_context(running(name, environment)) for name in others)]
        check_same_answers(servers, [case.paths[0] for case in cases if case.paths])
        results = {
            (case.name, way): measure_in_turn([(server, case, connection) for server in servers], way, options)
            for case in cases
            for way in case.ways(options.changing)
        }
        say(f"\n{render(size, results, {case.name: case.group for case in cases})}")
        check_counters(connection)


def check_same_answers(servers: list[Server], paths: list[str]) -> None:
    """Exit when a server answers something else than ours."""
    for path in dict.fromkeys(paths):
        bodies = {server.name: json.loads(server.get(path)[2]) for server in servers}
        if different := [name for name, body in bodies.items() if body != bodies["ours"]]:
            sys.exit(f"{', '.join(different)} and our service answer {path} differently.")


def choose(cases: list[Case], names: list[str] | None) -> list[Case]:
    """Return the cases that are named by themselves or by their group; without names all but the pairs of filters."""
    if names is None:
        return [case for case in cases if case.group != "pairs"]
    known = [name for case in cases for name in (case.group, case.name)]
    if unknown := set(names) - set(known):
        known_names = ", ".join(dict.fromkeys(known))
        sys.exit(f"There is no case {', '.join(sorted(unknown))}. The cases and groups are {known_names}.")
    return [case for case in cases if {case.name, case.group} & set(names)]


def measure_in_turn(sides: Sequence[Side], way: str, options: argparse.Namespace) -> Rounds:
    """Measure the sides in turn, after a second of load on each that is not counted."""
    rounds: dict[str, list[Round]] = {server.name: [] for server, _, _ in sides}
    with committing(sides[0][2], say) if way == CHANGING else nullcontext():
        for server, case, connection in sides:
            measure(case, server, WARM_UP_SECONDS, connection)
        for number in range(options.rounds):
            for server, case, connection in sides if number % 2 == 0 else reversed(sides):
                figures = measure(case, server, options.seconds, connection)
                rounds[server.name].append(figures)
                report(f"{case.name} {way}", number, server.name, figures)
    return rounds


def report(what: str, number: int, server: str, figures: Round) -> None:
    say(
        f"{what:24} round {number + 1}  {server:8} {figures.rate:8,.0f} req/s  "
        f"{figures.application_ms:6.2f} + {figures.database_ms:6.2f} ms CPU  p99 {figures.p99:7.1f} ms"
    )


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
