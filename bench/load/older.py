"""Compare the service with that of an older checkout, under load: `python -m bench.load.older FOLDER [--size 100000]`.

Each has a database that its own code has seeded. Both serve the same cases in turn, reads also while something commits
all the time. Printed are the processor times of a request, application + PostgreSQL, and the median of the rounds'
ratios, ours ÷ older: 1.05 means that a request has become dearer by a twentieth.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from bench.load.__main__ import Side, choose, measure_in_turn
from bench.load.cases import make_cases, read_contents
from bench.load.database import APPLICATION_NAME, SERVER_URL
from bench.load.measuring import cpu_ratio
from bench.load.options import words
from bench.load.servers import ROOT, running, service_environment
from bench.load.table import figures, markdown
from bench.scratch import say


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load.older")
    parser.add_argument("folder", type=Path, help="the older checkout")
    parser.add_argument("--size", type=int, default=100_000, help="how many boards each database has")
    parser.add_argument("--cases", type=words, help="cases or groups of them; else all but pairs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    options = parser.parse_args()
    trees = {"ours": ROOT, "older": options.folder.resolve()}
    with ExitStack() as stack:
        sides = [serve(number, *tree, options, stack) for number, tree in enumerate(trees.items())]
        rows = [("case", "ours, CPU ms", "older, CPU ms", "ours ÷ older", "rounds")]
        for pair in zip(*sides, strict=True):
            for way in pair[0][1].ways(changing=True):
                rows.append(compare(pair, way, options))
                say(" | ".join(rows[-1]))
    say(markdown(rows))


def serve(number: int, name: str, folder: Path, options: argparse.Namespace, stack: ExitStack) -> list[Side]:
    """Seed a database by the code of a checkout, and start its service on it."""
    url = stack.enter_context(new_database(f"bench_{os.getpid()}_{number}"))
    environment = {**service_environment(url), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-P", "-m", "bench.load.seed", str(options.size)]
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    server = stack.enter_context(running(name, environment, folder))
    connection = stack.enter_context(psycopg.connect(url, autocommit=True, application_name=APPLICATION_NAME))
    cases = choose(make_cases(read_contents(connection)), options.cases)
    return [(server, case, connection) for case in cases]


@contextmanager
def new_database(name: str) -> Iterator[str]:
    """Create an empty database, yield its URL, and drop it after the block."""
    with psycopg.connect(SERVER_URL, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlsplit(SERVER_URL)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def compare(sides: Sequence[Side], way: str, options: argparse.Namespace) -> tuple[str, ...]:
    """Measure both sides in turn. Return a row of the table."""
    rounds = measure_in_turn(sides, way, options)
    ours, older = rounds["ours"], rounds["older"]
    ratios = [one.cpu_ms / other.cpu_ms for one, other in zip(ours, older, strict=True)]
    range_of_ratios = f"{min(ratios):.2f} to {max(ratios):.2f}"
    costs = figures(ours)[1], figures(older)[1]
    return f"{sides[0][1].name}, {way}", *costs, f"{cpu_ratio(ours, older):.2f}", range_of_ratios


if __name__ == "__main__":
    main()
