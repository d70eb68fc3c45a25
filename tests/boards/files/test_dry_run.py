"""An import that only says what it would do: the same answer, and not a row of the database is another one."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from boards.files import reports
from boards.models import Board
from deals.models import Deal
from tests import factories
from tests.answers import assert_error
from tests.boards.admin.pages import pbn
from tests.boards.files.test_corrections import evening, table
from tests.boards.files.test_import import UNKNOWN_HAND, imported, played, send, send_form, upload

pytestmark = pytest.mark.django_db(transaction=True)

IDS = ("dealIds", "boardIds", "merged", "dryRun")


def every_row() -> dict[str, list[str]]:
    """Return all that the database has, by table."""
    with connection.cursor() as cursor:
        rows = {}
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            rows[name] = sorted(map(repr, cursor.fetchall()))
    return rows


def without_ids(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name not in IDS}


def test_a_dry_run_says_what_the_import_says_and_stores_nothing(
    service: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has what is new, known, corrected, completed, doubtful and refused, in several batches."""
    theme, owner = factories.theme("stayman"), factories.account("ada")
    query = f"?theme={theme.pk}&userId={owner.pk}"
    stored = [*evening(), played(20), played(21)]
    known = imported(service, pbn(*stored), query)
    titled = replace(stored[-1], commentary="By a teacher")
    file = pbn(*evening()[1:], table(1, 1, tricks=8), titled, played(30), played(31)) + UNKNOWN_HAND.encode()
    for batch in (500, 2):
        monkeypatch.setattr(reports, "BATCH_SIZE", batch)
        before = every_row()
        dry = imported(service, file, f"{query}&publish=true&dryRun=true")
        assert every_row() == before
        assert (dry["dryRun"], dry["created"], dry["boards"], dry["mergedCount"]) == (True, 2, 2, 1), batch
        assert dry["correctedCount"] == len(dry["failed"]) == 1
        assert {*dry["dealIds"]} <= {*known["dealIds"]} and {*dry["boardIds"]} <= {*known["boardIds"]}
        assert len(dry["dealIds"]) == dry["existing"] == 5
    real = imported(service, file, f"{query}&publish=true")
    assert real["dryRun"] is False
    assert without_ids(dry) == without_ids(real)
    assert dry["merged"] == real["merged"]
    assert [pk for pk in real["boardIds"] if pk in known["boardIds"]] == dry["boardIds"]


def test_a_board_that_only_the_dry_run_has_stored_is_named_nowhere(
    service: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "BATCH_SIZE", 1)
    file = pbn(first := played(), replace(first, commentary="By a teacher"))
    dry, real = (imported(service, file, query) for query in ("?dryRun=true", ""))
    assert dry["mergedCount"] == real["mergedCount"] == len(real["merged"]) == 1
    assert dry["dealIds"] == dry["boardIds"] == dry["merged"] == []
    assert without_ids(dry) == without_ids(real)


def test_it_is_asked_for_in_a_form_too_and_refuses_what_an_import_refuses(service: APIClient) -> None:
    assert send_form(service, {"file": upload(), "dryRun": "true"}).json()["dryRun"] is True
    refused = send(service, UNKNOWN_HAND.encode(), "?dryRun=true&atomic=true")
    assert assert_error(refused, 400, "validation_error")["meta"]["failed"][0]["code"] == "unknown_hand"
    assert_error(send(service, pbn(played()), "?dryRun=yes"), 400, "validation_error")
    assert_error(send(service, pbn(played()), "?dryRun=true&userId=nobody"), 400, "validation_error")
    assert not Deal.objects.exists() and not Board.objects.exists()
