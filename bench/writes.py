"""Measure what files and writes cost, here and in other checkouts: `python -m bench.writes [--tree FOLDER …]`.

Each checkout has a database of its own, migrated by itself, and all are measured in turn, so that whatever else the
machine does falls on all alike. Printed are medians of the rounds. BENCH_DATABASE_URL names the PostgreSQL server.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.checkouts import Figures, drop_database, make_database, on_server, render, run
from bench.load.realistic_boards import random_layout, random_record
from bench.load.servers import ROOT, service_environment
from bench.scratch import say
from deals.bridge.formats.pbn.writer import HEADER, write_pbn

STEPS = Path("bench", "write_steps.py")
"""Each checkout has its own, since what it calls changes with it."""


def main() -> None:
    options = parse()
    trees = [ROOT, *(tree.resolve() for tree in options.tree)]
    results: dict[Path, list[Figures]] = {tree: [] for tree in trees}
    with (
        tempfile.TemporaryDirectory() as folder,
        prepared(trees) as environments,
    ):
        file = Path(folder) / "boards.pbn"
        choice = random.Random(1)
        records = (random_record(number, random_layout(choice), choice) for number in range(options.boards))
        file.write_bytes((HEADER + "".join(map(write_pbn, records))).encode())
        for number in range(options.rounds):
            for tree in trees if number % 2 == 0 else reversed(trees):
                with fresh_copy(environments[tree]) as environment:
                    figures = run(tree, environment, tree / STEPS, str(file))
                results[tree].append(json.loads(figures))
                say(f"round {number + 1}  {tree}  {figures.strip()}")
    say(render(results))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.writes", description="Measure what files and writes cost."
    )
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another checkout to measure")
    parser.add_argument("--boards", type=int, default=10_000, help="how many an import stores")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


@contextmanager
def prepared(trees: Sequence[Path]) -> Iterator[dict[Path, dict[str, str]]]:
    """Yield for each checkout the environment with a database that has its tables and reference data alone."""
    environments = {}
    try:
        for number, tree in enumerate(trees):
            environments[tree] = service_environment(make_database(number))
            environments[tree]["PYTHONPATH"] = str(tree)
            for command in ("migrate", "load_reference_data"):
                run(tree, environments[tree], "manage.py", command)
        yield environments
    finally:
        for environment in environments.values():
            drop_database(environment["DATABASE_URL"])


@contextmanager
def fresh_copy(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment with a copy of its database, and delete the copy after the block."""
    url = environment["DATABASE_URL"]
    name = url.rpartition("/")[2]
    on_server("CREATE DATABASE {} TEMPLATE {}", f"{name}_copy", name)
    try:
        yield {**environment, "DATABASE_URL": f"{url}_copy"}
    finally:
        drop_database(f"{url}_copy")


if __name__ == "__main__":
    main()
