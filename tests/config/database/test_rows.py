"""A row found by its key is the row that the ORM finds, and rows inserted together hold what they were given."""

from contextlib import nullcontext
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account, AuctionSystem
from boards.models import Board, PublishedBoard, take_numbers
from config.database import fetch_rows
from config.database.inserting import insert_rows
from config.database.rows import find_by_key
from deals.models import Deal, FeedEvent
from search.models import IndexRow
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


def test_related_rows_that_are_named_come_with_the_row() -> None:
    pk = factories.account("member").pk
    board = factories.board(number=7, auction_system=factories.auction_system("acol"))
    with CaptureQueriesContext(connection) as queries:
        account, found = (
            find_by_key(Account, pk, "auction_system"),
            find_by_key(Board, board.pk, "deal", "auction_system"),
        )
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


ODD_TEXT = "quote \" apostrophe ' backslash \\ per cent %s braces {a,b} tab \t unit \x1f Ünïcode ♠ 🂡"


def columns(row: models.Model) -> dict[str, Any]:
    """Return the columns of a row, but for an automatic id, which rows do not get."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field is not row._meta.auto_field
    }


def new_board(**texts: Any) -> Board:
    (number,) = take_numbers(1)
    texts |= {"number": number, "fingerprint": str(uuid4())}
    return Board(deal=factories.deal(), dealer="N", vulnerability="None", **texts)


def new_event() -> FeedEvent:
    return FeedEvent(type=FeedEvent.Type.BOARD_VOTES_CHANGED, deal_id=uuid4(), votes_of=uuid4(), up_votes=2)


def test_rows_hold_what_they_were_given() -> None:
    par = {"None": {"score": -420, "contracts": ["EW 4S"]}}
    solved = {"double_dummy": "7" * 20, "double_dummy_status": "done", "par": par}
    draft = factories.board(published=False)
    IndexRow.objects.all().delete()
    rows: list[list[models.Model]] = [
        [Deal(cards=factories.layout().cards, wanted_at=timezone.now(), **solved), Deal(cards="N:")],
        [new_board(auction=["1NT", ["Pass", True, ODD_TEXT]], play=["HK"]), new_board(commentary=ODD_TEXT)],
        [PublishedBoard(board=draft, json=ODD_TEXT)],
        [IndexRow(number=7, facts=bytes(range(256)), tags=ODD_TEXT, updated_at=timezone.now()), IndexRow(number=8)],
        [new_event(), new_event()],
    ]
    for each in rows:
        given = [columns(row) for row in each]
        begun_at = timezone.now()
        insert_rows(each)
        for row, before in zip(each, given, strict=True):
            assert not row._state.adding and columns(row) in type(row)._base_manager.values(*columns(row))
            set_now = {name for name, value in columns(row).items() if value != before[name]}
            assert set_now <= {"created_at", "updated_at"}
            assert all(begun_at <= columns(row)[name] <= timezone.now() for name in set_now)


def test_a_row_takes_the_place_of_another_with_its_key_where_that_is_asked_for() -> None:
    insert_rows([IndexRow(number=7, tags="old"), IndexRow(number=8, tags="kept")])
    insert_rows([IndexRow(number=7, tags="new", facts=b"x"), IndexRow(number=9)], replace=True)
    rows = {row.number: (row.tags, bytes(row.facts or b"")) for row in IndexRow.objects.all()}
    assert rows == {7: ("new", b"x"), 8: ("kept", b""), 9: ("", b"")}


def test_thousands_of_rows_need_few_statements() -> None:
    for count in (10, 1000):
        with CaptureQueriesContext(connection) as queries:
            insert_rows([new_event() for _ in range(count)])
        assert len(queries) <= (1 if connection.vendor == "postgresql" else 20)
    assert FeedEvent.objects.count() == 1010
    insert_rows([])


def test_a_row_that_exists_is_an_error_or_is_left_alone() -> None:
    deal = factories.deal()
    again, new = Deal(cards=deal.cards), Deal(cards="N:")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows([again, new])
    insert_rows([again, new], ignore_conflicts=True)
    assert set(Deal.objects.values_list("pk", flat=True)) == {deal.pk, new.pk}
