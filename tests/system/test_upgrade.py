"""Upgrading: this version goes on while a newer one migrates the database, and then both serve side by side.

Nothing has been released, so there is no older version with these migrations: the newer one is this checkout with a
migration of the test's own (tests.system.newer_version). It adds a column that the newer version reads and writes and
this one does not know, and an index of it. Once there are two releases, let the older one be that of the history.
"""

import sqlite3
import time
from typing import Any
from uuid import UUID

import psycopg

from tests.system import deployment
from tests.system.deployment import python
from tests.system.guides.service import API_KEY, deploy, filled_database, token_of
from tests.system.newer_version import newer_tree
from tests.traffic import Traffic

SECONDS = 4
UNLIMITED = {"READ_RATE": "", "WRITE_RATE": "", "FORM_RATE_PER_CLIENT": "100000/m", "FORM_RATE_IN_TOTAL": "100000/m"}
NEWER_VALUES = "SELECT DISTINCT newer FROM boards_board"
BOARDS = "SELECT id FROM boards_board WHERE published_at IS NOT NULL ORDER BY id"


def test_two_versions_serve_one_database_while_the_newer_one_migrates_it() -> None:
    with filled_database() as url, newer_tree() as folder:
        env = {**deploy(url), **UNLIMITED}

        def fetch(sql: str) -> list[Any]:
            if url.startswith("sqlite"):
                return sqlite3.connect(url.removeprefix("sqlite:///")).execute(sql).fetchall()
            with psycopg.connect(url) as connection:
                return connection.execute(sql).fetchall()

        def check(traffic: Traffic) -> None:
            assert not traffic.refusals
            assert all(traffic.acknowledged[kind] for kind in ("vote", "deal", "board", "form"))
            assert set(traffic.find_lost(fetch).values()) == {0}

        boards = [str(UUID(str(pk))) for (pk,) in fetch(BOARDS)]
        with deployment.gunicorn(env) as port:
            before = f"http://127.0.0.1:{port}"
            tokens = {account: token_of(account) for account in ("ann", "ben")}
            with Traffic([before], boards, tokens, API_KEY, seed=1).running() as traffic:
                for command in (["makemigrations", "--check", "--dry-run"], ["migrate"], ["load_reference_data"]):
                    python(env, "manage.py", *command, folder=folder)
                with deployment.gunicorn(env, folder=folder) as newer:
                    both, other = [before, f"http://127.0.0.1:{newer}"], {"eve": token_of("eve")}
                    with Traffic(both, boards, other, API_KEY, seed=2).running() as mixed:
                        time.sleep(SECONDS)
            assert {value for (value,) in fetch(NEWER_VALUES)} == {"", "newer"}
            check(mixed)
        check(traffic)
