"""Upgrading: an installation of this version is updated by the commands of docs/operations.md, and loses nothing.

This version goes on while a newer one migrates the database, and then both serve side by side. The newer one is this
checkout with a migration of the test's own (tests.system.newer_version). It adds a column that the newer version reads
and writes and this one does not know, and an index of it. Once there are two releases, let the older one be that of the
history.
"""

import json
import sqlite3
import time
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.system import deployment
from tests.system.deployment import python
from tests.system.guides.service import API_KEY, deploy, filled_database, token_of
from tests.system.installation import EMPTY, crawl, revisit
from tests.system.newer_version import newer_tree
from tests.traffic import Traffic

pytestmark = pytest.mark.usefixtures("django_db_setup")  # so that PostgreSQL's run takes these tests too

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


FILL = """
import django
django.setup()
from tests.system.installation import fill, find_empty
print(fill())
print(sorted(find_empty()))
"""
CRAWLED = {
    "EXPORT_RATE": "",
    "QUESTION_RATE_IN_TOTAL": "",
    "MEMBER_OIDC_CLIENT_ID": "boards",
    "ADMIN_PASSWORDS": "true",
}
UPDATE = (["migrate"], ["load_reference_data"])
AFTER_THE_RESTART = (["refresh_boards", "--missing"], ["index_boards", "--missing"])
"""The commands of "Updating" in docs/operations.md."""


def readers_of(cookies: str) -> dict[str, dict[str, str]]:
    """Return the headers of each kind of reader. `cookies` is what `fill` returns."""
    return {
        **{name: {"Cookie": cookie} for name, cookie in json.loads(cookies).items()},
        "stranger": {},
        "token": {"Authorization": f"Bearer {token_of('ann-7c1f')}"},
        "program": {"X-API-Key": API_KEY},
    }


def test_an_updated_installation_answers_what_it_answered_before() -> None:
    """Compare 500 answers to strangers, members, staff and programs, of data of every kind."""
    with filled_database() as url, newer_tree() as folder:
        env = {**deploy(url), **UNLIMITED, **CRAWLED}
        cookies, empty = python(env, "-c", FILL).splitlines()[-2:]
        assert empty == str(sorted(EMPTY))
        readers = readers_of(cookies)
        with deployment.gunicorn(env) as port:
            before = crawl(f"http://127.0.0.1:{port}", readers)
            assert len(before) >= 500 and sum(seen.startswith("200") for seen in before.values()) >= 400
        for command in UPDATE:
            python(env, "manage.py", *command, folder=folder)
        with deployment.gunicorn(env, folder=folder) as port:
            for command in AFTER_THE_RESTART:
                python(env, "manage.py", *command, folder=folder)
            changed = revisit(f"http://127.0.0.1:{port}", readers, before)
        assert changed == {}, json.dumps(changed, indent=1)
