"""Rows that are inserted together hold what they were given, on both databases."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.models import Board, IndexRow, PublishedBoard
from config.database.inserting import insert_rows
from deals.models import Deal, FeedEvent
from tests import factories

pytestmark = pytest.mark.django_db

ODD_TEXT = "quote \" apostrophe ' backslash \\ per cent %s braces {a,b} tab \t unit \x1f Ünïcode ♠ 🂡"


def values(row: models.Model) -> dict[str, Any]:
    """Return the columns of a row, but for an automatic id, which rows do not get."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field is not row._meta.auto_field
    }


def new_board(**texts: Any) -> Board:
    return Board(deal=factories.deal(), dealer="N", vulnerability="None", fingerprint=str(uuid4()), **texts)


def new_event() -> FeedEvent:
    return FeedEvent(type=FeedEvent.Type.BOARD_VOTES_CHANGED, deal_id=uuid4(), votes_of=uuid4(), up_votes=2)


def test_rows_hold_what_they_were_given() -> None:
    par = {"None": {"score": -420, "contracts": ["EW 4S"]}}
    solved = {"double_dummy": "7" * 20, "double_dummy_status": "done", "par": par}
    draft = factories.board(published=False)
    IndexRow.objects.all().delete()
    facts = {"key": bytes(range(256)), "facts": b"", "updated_at": timezone.now(), "format": 1}
    rows: list[list[models.Model]] = [
        [Deal(cards=factories.layout().cards, wanted_at=timezone.now(), **solved), Deal(cards="N:")],
        [new_board(auction=["1NT", ["Pass", True, ODD_TEXT]], play=["HK"]), new_board(commentary=ODD_TEXT)],
        [PublishedBoard(board=draft, json=ODD_TEXT)],
        [IndexRow(board=draft, tags=ODD_TEXT, calls="-1N-", **facts)],
        [new_event(), new_event()],
    ]
    for each in rows:
        given = [values(row) for row in each]
        begun_at = timezone.now()
        insert_rows(each)
        for row, before in zip(each, given, strict=True):
            assert not row._state.adding and values(row) in type(row)._base_manager.values(*values(row))
            set_now = {name for name, value in values(row).items() if value != before[name]}
            assert set_now <= {"created_at", "updated_at"}
            assert all(begun_at <= values(row)[name] <= timezone.now() for name in set_now)


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
