"""A row found by its key is the row that the ORM finds, on both databases."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from accounts.models import Account, AuctionSystem
from boards.models import Board
from config.database.rows import find_by_key
from deals.models import Deal
from tests import factories

pytestmark = pytest.mark.django_db


def values(row: models.Model) -> dict[str, tuple[type, Any]]:
    """Return the value of each column and its type, since SQLite's 1 equals True."""
    stored = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {name: (type(value), value) for name, value in stored.items()}


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


def test_related_rows_of_the_manager_come_with_the_row() -> None:
    pk = factories.account("member").pk
    with CaptureQueriesContext(connection) as queries:
        found = find_by_key(Account, pk)
        assert found is not None
        system = found.auction_system
        assert (system.pk, system.identifier) == ("other", "other")
    assert len(queries) == 1
    assert values(system) == values(AuctionSystem.objects.get(pk="other"))


def test_related_rows_that_are_named_come_with_the_row() -> None:
    board = factories.board(number=7, auction_system=factories.auction_system("acol"))
    with CaptureQueriesContext(connection) as queries:
        found = find_by_key(Board, board.pk, "deal", "auction_system")
        assert found is not None and found.auction_system is not None
        deal, system = found.deal, found.auction_system
    assert len(queries) == 1
    assert values(deal) == values(Deal.objects.get())
    assert values(system) == values(AuctionSystem.objects.get(pk=system.pk))


def test_a_related_row_that_is_missing_is_none() -> None:
    found = find_by_key(Board, factories.board().pk, "deal", "auction_system")
    assert found is not None and found.auction_system is None


def test_a_row_that_is_not_stored_is_none() -> None:
    assert find_by_key(Board, uuid4()) is None
    assert find_by_key(Account, "nobody") is None
    assert find_by_key(Account, "' OR true --") is None


def test_a_found_row_can_be_changed_and_read_again() -> None:
    account = find_by_key(Account, factories.account("member").pk)
    assert account is not None
    account.display_name = "New"
    account.save()
    again = find_by_key(Account, "member")
    assert again is not None and again.display_name == "New"
    assert again.auction_system.pk == "other"
