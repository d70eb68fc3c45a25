"""Measure what writes cost, in this checkout and in others: `python -m bench.writes [--tree FOLDER …] [--sqlite]`.

Each checkout has a database of its own, migrated by itself, and all are measured in turn, so that whatever else the
machine does falls on all alike. Printed are medians of the rounds. BENCH_DATABASE_URL names the PostgreSQL server.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from bench.load.database import SERVER_URL
from bench.load.realistic_boards import random_layout, random_record
from bench.load.servers import ROOT, service_environment
from bench.load.table import markdown
from bench.scratch import say
from deals.bridge.pbn.writer import HEADER, write_pbn

STEPS = Path(__file__).with_name("write_steps.py")
COLUMNS = ("write", "checkout", "CPU ms, application + PostgreSQL", "wall ms")
Figures = dict[str, list[float]]


def main() -> None:
    options = parse()
    trees = [ROOT, *(tree.resolve() for tree in options.tree)]
    results: dict[Path, list[Figures]] = {tree: [] for tree in trees}
    with (
        tempfile.TemporaryDirectory() as folder,
        prepared(trees, Path(folder), options.sqlite) as environments,
    ):
        file = Path(folder) / "boards.pbn"
        choice = random.Random(1)
        records = (random_record(number, random_layout(choice), choice) for number in range(options.boards))
        file.write_bytes((HEADER + "".join(map(write_pbn, records))).encode())
        for number in range(options.rounds):
            for tree in trees if number % 2 == 0 else reversed(trees):
                with fresh_copy(environments[tree], Path(folder)) as environment:
                    figures = run(tree, environment, STEPS, str(file))
                results[tree].append(json.loads(figures))
                say(f"round {number + 1}  {tree}  {figures.strip()}")
    say(render(results))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.writes", description="Measure what writes cost.")
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another checkout to measure")
    parser.add_argument("--sqlite", action="store_true", help="on SQLite instead of PostgreSQL")
    parser.add_argument("--boards", type=int, default=10_000, help="how many an import stores")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


@contextmanager
def prepared(trees: Sequence[Path], folder: Path, sqlite: bool) -> Iterator[dict[Path, dict[str, str]]]:
    """Yield for each checkout the environment with a database that has its tables and reference data alone."""
    environments = {}
    try:
        for number, tree in enumerate(trees):
            name = f"bench_writes_{number}"
            environments[tree] = service_environment(make_database(name, folder, sqlite))
            environments[tree]["PYTHONPATH"] = str(tree)
            for command in ("migrate", "load_reference_data"):
                run(tree, environments[tree], "manage.py", command)
        yield environments
    finally:
        for environment in environments.values():
            drop_database(environment["DATABASE_URL"])


def make_database(name: str, folder: Path, sqlite: bool) -> str:
    if sqlite:
        return f"sqlite:///{folder / name}.sqlite3"
    on_server("DROP DATABASE IF EXISTS {}", name)
    on_server("CREATE DATABASE {}", name)
    return urlsplit(SERVER_URL)._replace(path=f"/{name}").geturl()


@contextmanager
def fresh_copy(environment: dict[str, str], folder: Path) -> Iterator[dict[str, str]]:
    """Yield the environment with a copy of its database, and delete the copy after the block."""
    url = environment["DATABASE_URL"]
    if url.startswith("sqlite"):
        copy = folder / "copy.sqlite3"
        shutil.copyfile(url.removeprefix("sqlite:///"), copy)
        copied_url = f"sqlite:///{copy}"
    else:
        name = url.rpartition("/")[2]
        on_server("CREATE DATABASE {} TEMPLATE {}", f"{name}_copy", name)
        copied_url = f"{url}_copy"
    try:
        yield {**environment, "DATABASE_URL": copied_url}
    finally:
        drop_database(copied_url)


def drop_database(url: str) -> None:
    if url.startswith("sqlite"):
        for ending in ("", "-wal", "-shm"):
            Path(url.removeprefix("sqlite:///") + ending).unlink(missing_ok=True)
    else:
        on_server("DROP DATABASE IF EXISTS {}", url.rpartition("/")[2])


def on_server(statement: str, *names: str) -> None:
    with psycopg.connect(SERVER_URL, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def run(tree: Path, environment: dict[str, str], *arguments: str | Path) -> str:
    """Run a Python program in a checkout with this one's interpreter and return what it prints."""
    command = [sys.executable, "-P", *map(os.fspath, arguments)]
    return subprocess.run(
        command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def render(results: dict[Path, list[Figures]]) -> str:
    rows: list[Sequence[str]] = [COLUMNS]
    for step in next(iter(results.values()))[0]:
        for tree, rounds in results.items():
            application, database, wall = (median(each[step][index] for each in rounds) for index in range(3))
            rows.append((step, commit_of(tree), f"{application:,.2f} + {database:,.2f}", f"{wall:,.2f}"))
    return markdown(rows)


def commit_of(tree: Path) -> str:
    command: list[Any] = ["git", "-C", tree, "log", "-1", "--format=%h"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    main()
