"""What of PostgreSQL each hot path uses. docs/scale.md has the list, which decides what engines the service can run on.

The statements of real requests are read, and the triggers and foreign keys of the tables that they write.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from rest_framework.test import APIClient

from config.edge.serving import cached_responses
from tests import factories
from tests.conftest import token_of
from tests.forms.bodies import CONTACT
from tests.service_client import ServiceClient
from tests.system.deployment import ROOT

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="It is about PostgreSQL's features."),
]

FEATURES = {
    "WITH that writes": r"\bAS \(\s*(INSERT|UPDATE|DELETE)\b", "MATERIALIZED": r"\bMATERIALIZED\b",
    "ON CONFLICT": r"\bON CONFLICT\b", "RETURNING": r"\bRETURNING\b", "xmax": r"\bxmax\b",
    "FOR UPDATE": r"\bFOR (NO KEY )?UPDATE\b", "SKIP LOCKED": r"\bSKIP LOCKED\b",
    "advisory locks": r"\bpg_(try_)?advisory_", "row comparison": r"\([\w.]+, [\w.]+\) < \(",
    "window functions": r"\bOVER \(", "count(*)": r"\bcount\(\*\)", "OFFSET": r"\bOFFSET\b", "jsonb": r"\bjsonb",
    "arrays": r"\bunnest\(|\bARRAY\b|\[\]|= ANY\(", "bit strings": r"\bbit_(count|or)\(", "PL/pgSQL": r"\bplpgsql\b",
    "transition tables": r"\bREFERENCING\b", "snapshots": r"\bpg_current_snapshot\(",
    "log positions": r"\bpg_last_wal_replay_lsn\(",
}  # fmt: skip
WRITTEN = re.compile(r'\b(?:INSERT INTO|(?<!FOR )(?<!KEY )(?<!DO )UPDATE|DELETE FROM)\s+"?(\w+)"?')
TRIGGERS = """
SELECT pg_get_triggerdef(oid) || pg_get_functiondef(tgfoid) FROM pg_trigger
WHERE tgrelid = %s::regclass AND NOT tgisinternal
"""
FOREIGN_KEYS = """
SELECT confrelid::regclass::text FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'f'
"""
FUNCTIONS = "SELECT proname, prosrc, l.lanname FROM pg_proc JOIN pg_language l ON l.oid = prolang WHERE proname LIKE %s"


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Collect the statements of the block."""
    statements: list[str] = []

    def record(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        statements.append(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(record):
        yield statements


def features_of(statements: list[str]) -> set[str]:
    """Return the features of the statements, and those of the triggers that fire for what they write."""
    texts = list(statements)
    tables = {table for sql in statements for table in WRITTEN.findall(sql)}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(TRIGGERS, [table])
            texts += [definition for (definition,) in cursor.fetchall()]
        functions: dict[str, str] = {}
        cursor.execute(FUNCTIONS, ["boards\\_%"])
        functions |= {name: f"{source} {language}" for name, source, language in cursor.fetchall()}
    for text in texts:  # which grows
        called = [name for name in functions if name in text]
        texts += [functions.pop(name) for name in called]
    found = {name for name, pattern in FEATURES.items() for text in texts if re.search(pattern, text, re.IGNORECASE)}
    return found | ({"triggers"} if len(texts) > len(statements) else set())


def measured() -> dict[str, set[str]]:
    """Make a request of each hot path, and return its features."""
    theme = factories.theme("stayman")
    board, *_ = [factories.board(themes=(theme,)) for _ in range(3)]
    reader = ServiceClient()
    bearer = {"authorization": f"Bearer {token_of(factories.account('member'))}"}
    member, service = APIClient(headers=bearer), APIClient(headers={"x-api-key": settings.API_KEY})
    cursor = reader.get("/api/boards?pageSize=1").json()["pagination"]["nextCursor"]
    vote = f"/api/voting/{board.pk}"

    edit = f"/api/deals/{board.deal_id}/boards/{board.pk}"
    paths: dict[str, Callable[[], Any]] = {
        "one board": lambda: reader.get(f"/api/boards/{board.pk}"),
        "a list, by cursor": lambda: reader.get(f"/api/boards?after={cursor}"),
        "a list, by page": lambda: reader.get("/api/boards?page=1"),
        "a list with two filters": lambda: reader.get("/api/boards?theme=stayman&dealer=N"),
        "themes": lambda: reader.get("/api/themes"),
        "a vote": lambda: member.put(vote, {"vote": "up"}),
        "a vote taken back": lambda: member.put(vote, {"vote": "none"}),
        "the feed, with news": lambda: service.get("/api/deals/events?limit=5"),
        "a form": lambda: reader.post("/api/forms/contact", CONTACT, format="json"),
        "publishing": lambda: [service.patch(edit, {"published": value}) for value in (False, True)][-1],
    }
    result = {"a cached response": features_of([cached_responses.SNAPSHOT])}
    for path in paths.values():  # so that what a process reads once is not counted
        path()
    for name, call in paths.items():
        with recorded() as statements:
            answer = call()
        assert answer.status_code in (200, 201, 204), (name, answer.content)
        result[name] = features_of(statements)
    return result


def test_the_list_of_what_each_hot_path_needs_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    table = text.partition("| hot path |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    documented = {name: set(features.split(", ")) - {"none"} for name, features in rows}
    assert documented == measured()


def test_a_vote_takes_no_lock_on_a_row_that_others_share_but_its_board() -> None:
    """PostgreSQL locks the row that a foreign key names: of a vote the board, locked anyway, and the voter."""
    with connection.cursor() as cursor:
        for table, named in (("voting_vote", {"boards_board", "accounts_account"}), ("deals_feedevent", set())):
            cursor.execute(FOREIGN_KEYS, [table])
            assert {name for (name,) in cursor.fetchall()} == named


def test_the_row_is_locked_before_a_delete_compares_its_version(service: APIClient) -> None:
    board = factories.board()
    for url in (f"/api/deals/{factories.deal().pk}", f"/api/deals/{board.deal_id}/boards/{board.pk}"):
        with recorded() as statements:
            assert service.delete(url, headers={"if-match": '"other"'}).status_code == 412
        assert any("FOR UPDATE" in sql for sql in statements), url
