"""Boards of an evening, as tests need them."""

from typing import Any

from django.db import connection, transaction

from boards.catalogue.refreshing import refresh
from boards.events.counting import open_event
from boards.events.reading import Evening, read_evening
from boards.models import Board, EventDeal
from bridge.contract import Contract
from bridge.seats import Seat
from tests import factories

EVENING = {"event": "Friday pairs", "date": "2026.11.20", "site": "The club"}
SLUG = "friday-pairs-2026-11-20-83e41307fe"


def board(number: int | None, seed: int | None = None, **values: Any) -> Board:
    """Publish a board of the evening. Without a number it has those of board 1."""
    stored = factories.board(seed, **{"number": number or 1, **EVENING, **values})
    if number is None:
        with transaction.atomic():
            Board.objects.filter(pk=stored.pk).update(board_number=None)
            refresh([stored.pk])
        stored.refresh_from_db()
    return stored


def table(seed: int, number: int, contract: str, declarer: str, tricks: int | None, **values: Any) -> Board:
    """Publish a table of a deal, the same deal for the same seed."""
    played = {"contract": Contract.parse(contract, Seat(declarer)), "tricks": tricks}
    return board(number, seed, **{**played, **values})


def read(slug: str = SLUG) -> Evening:
    """Return the first deals of the evening, as its page reads them."""
    counted = open_event(slug)
    found = read_evening(counted, 1, 40) if counted else None
    assert found
    return found


AS_BEFORE = """
UPDATE boards_publishedboard SET event_deal_id = NULL,
    event_slug = (SELECT event_id FROM boards_eventdeal AS deal WHERE deal.id = event_deal_id),
    event_position = (
        SELECT stage_key || '/' || substr(CAST(1000000 + board_number AS text), 2) || '/' ||
            replace(CAST(deal_id AS text), '-', '')
        FROM boards_eventdeal AS deal WHERE deal.id = event_deal_id
    )
WHERE event_deal_id IS NOT NULL
"""


def store_as_before() -> None:
    """Store the events of all boards as the version before did: in two texts of each board."""
    with connection.cursor() as cursor:
        cursor.execute(AS_BEFORE)
    EventDeal.objects.all().delete()
