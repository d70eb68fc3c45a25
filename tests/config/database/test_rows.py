"""A row found by its key is the row that the ORM finds, on both databases."""

from contextlib import nullcontext
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account, AuctionSystem
from boards.models import Board
from config.database import fetch_rows
from config.database.rows import find_by_key
from tests import factories

pytestmark = pytest.mark.django_db


def values(row: models.Model) -> dict[str, tuple[type, Any]]:
    """Return the value of each column and its type, since SQLite's 1 equals True."""
    stored = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {name: (type(value), value) for name, value in stored.items()}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_transaction", [False, True])
def test_rows_have_the_types_that_the_orm_s_cursors_return(in_transaction: bool) -> None:
    now, key = timezone.now(), uuid4()
    with transaction.atomic() if in_transaction else nullcontext():
        for text in ("a'b", "%s", "é 😀", ""):
            assert fetch_rows("SELECT CAST(%s AS varchar(10)), 2, NULL", [text]) == [(text, 2, None)]
        assert fetch_rows("SELECT 1 WHERE 1 = %s", [2]) == []
        if connection.vendor == "postgresql":
            sql = "SELECT %s::uuid, %s::timestamptz, %s::bigint, true, %s::text[]"
            row = fetch_rows(sql, [key, now, 2**40, ["a", "b"]])
            assert row == [(key, now, 2**40, True, ["a", "b"])]


def test_the_row_is_complete_and_like_that_of_the_orm() -> None:
    rows: list[models.Model] = [
        factories.account("o'brien|1", role="support", show_email_publicly=True, last_login=None),
        factories.board(number=7, calls="1NT Pass Pass Pass", votes=(2, 1)),
        AuctionSystem.objects.get(pk="other"),
    ]
    for row in rows:
        with CaptureQueriesContext(connection) as queries:
            found = find_by_key(type(row), row.pk)
            assert found is not None and found == row and not found._state.adding
            found_values = values(found)
        assert len(queries) == 1
        assert found_values == values(models.QuerySet(type(row)).get(pk=row.pk))


def test_related_rows_of_the_manager_and_those_that_are_named_come_with_the_row() -> None:
    pk = factories.account("member").pk
    board = factories.board(number=7, auction_system=factories.auction_system("acol"))
    with CaptureQueriesContext(connection) as queries:
        account, found = find_by_key(Account, pk), find_by_key(Board, board.pk, "deal", "auction_system")
        assert account is not None and found is not None and found.auction_system is not None
        related = [account.auction_system, found.deal, found.auction_system]
    assert len(queries) == 2
    assert [row.pk for row in related] == ["other", board.deal_id, "acol"]
    for row in related:
        assert values(row) == values(type(row)._base_manager.get(pk=row.pk))


def test_what_is_not_stored_is_none() -> None:
    found = find_by_key(Board, factories.board().pk, "deal", "auction_system")
    assert found is not None and found.auction_system is None
    assert find_by_key(Board, uuid4()) is None
    assert [find_by_key(Account, pk) for pk in ("nobody", "' OR true --")] == [None] * 2


def test_a_found_row_can_be_changed_and_read_again() -> None:
    account = find_by_key(Account, factories.account("member").pk)
    assert account is not None
    account.display_name = "New"
    account.save()
    again = find_by_key(Account, "member")
    assert again is not None and (again.display_name, again.auction_system.pk) == ("New", "other")
