"""Run one program in several checkouts, each with a database of its own, and compare what they cost.

The program prints a line of JSON: for each thing that it measures, milliseconds of its process, of PostgreSQL and of
the clock.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from bench.load.database import SERVER_URL
from bench.load.table import markdown

COLUMNS = ("what", "checkout", "CPU ms, application + PostgreSQL", "wall ms")
Figures = dict[str, list[float]]


def make_database(number: int) -> str:
    """Create an empty database for this process's checkout of that number, and return its URL."""
    name = f"bench_{os.getpid()}_{number}"
    on_server("CREATE DATABASE {}", name)
    return urlsplit(SERVER_URL)._replace(path=f"/{name}").geturl()


def drop_database(url: str) -> None:
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
