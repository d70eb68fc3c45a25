"""Upgrading: this version goes on while a newer one migrates the database, and then both serve side by side.

Nothing has been released, so there is no older version with these migrations: the newer one is this checkout with a
migration of the test's own (tests.system.newer_version). It adds a column that the newer version reads and writes and
this one does not know, and an index of it. Once there are two releases, let the older one be that of the history.
"""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.system import deployment
from tests.system.guides.service import API_KEY, deploy, empty_database, token_of
from tests.system.newer_version import newer_tree
from tests.traffic import Traffic

ACCOUNTS = ("ann", "ben", "eve")
SECONDS = 4
UNLIMITED = {"READ_RATE": "", "WRITE_RATE": "", "FORM_RATE_PER_CLIENT": "100000/m", "FORM_RATE_IN_TOTAL": "100000/m"}
NEWER_VALUES = "SELECT DISTINCT newer FROM boards_board"
BOARDS = "SELECT id FROM boards_board WHERE published_at IS NOT NULL ORDER BY id"


@pytest.fixture
def database() -> Iterator[str]:
    with empty_database() as url:
        yield url


def manage(folder: Path, env: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=folder, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fetcher(url: str) -> Callable[[str], Iterable[Sequence[Any]]]:
    def fetch(sql: str) -> list[Any]:
        if url.startswith("sqlite"):
            return sqlite3.connect(url.removeprefix("sqlite:///")).execute(sql).fetchall()
        with psycopg.connect(url) as connection:
            return connection.execute(sql).fetchall()

    return fetch


def uuid_of(value: object) -> str:
    text = str(value).replace("-", "")
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def assert_nothing_failed(traffic: Traffic, database: str) -> None:
    assert not traffic.refusals
    assert all(traffic.acknowledged[kind] for kind in ("vote", "deal", "board", "form"))
    assert set(traffic.find_lost(fetcher(database)).values()) == {0}


def test_two_versions_serve_one_database_while_the_newer_one_migrates_it(database: str) -> None:
    env = {**os.environ, **deploy(database), **UNLIMITED}
    for command in ("migrate", "load_reference_data", "load_demonstration"):
        manage(deployment.ROOT, env, command)
    boards = [uuid_of(pk) for (pk,) in fetcher(database)(BOARDS)]
    tokens = {account: token_of(account) for account in ACCOUNTS}
    for_mixed = {"eve": tokens.pop("eve")}
    with newer_tree() as newer_folder, deployment.gunicorn(env) as port:
        before = f"http://127.0.0.1:{port}"
        with Traffic([before], boards, tokens, API_KEY, seed=1).running() as traffic:
            manage(newer_folder, env, "makemigrations", "--check", "--dry-run")
            manage(newer_folder, env, "migrate")
            manage(newer_folder, env, "load_reference_data")
            with deployment.gunicorn(env, folder=newer_folder) as newer:
                both = [before, f"http://127.0.0.1:{newer}"]
                with Traffic(both, boards, for_mixed, API_KEY, seed=2).running() as mixed:
                    time.sleep(SECONDS)
        assert {value for (value,) in fetcher(database)(NEWER_VALUES)} == {"", "newer"}
        assert_nothing_failed(mixed, database)
    assert_nothing_failed(traffic, database)
