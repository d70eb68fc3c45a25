"""Deals of events: all tables of each. Lists for people show a deal once (decision 43)."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from boards.events.reading import COLUMNS, as_uuid
from boards.events.tables import Table, without_copies
from boards.models import Board
from boards.search.index.rows import NET_VOTES, Statement, adapt
from config.database import fetch_rows, reading_connection

MAX_RESULTS = 5_000
"""The tables that one page reads. Deals past them are shown as if they had none."""

MAX_BEFORE = 5_000
"""The tables before a page that are looked at."""


class EventDeal(NamedTuple):
    """A deal of an event. All of its tables have this position there."""

    slug: str
    position: str


def tables_of(deals: Collection[EventDeal]) -> dict[EventDeal, list[Table]]:
    """Return the published tables of each deal. It takes one statement."""
    if not deals:
        return {}
    wanted = wanted_deals(deals)
    sql = f"""
        WITH wanted(event_slug, event_position) AS ({wanted.sql})
        SELECT event_slug, event_position, board.id, {COLUMNS} FROM wanted
        JOIN boards_publishedboard AS stored USING (event_slug, event_position)
        JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
        ORDER BY event_slug, event_position LIMIT {MAX_RESULTS + 1:d}
    """
    tables: dict[EventDeal, list[Table]] = {}
    rows = fetch_rows(sql, wanted.parameters)
    for slug, position, pk, *columns in rows:
        tables.setdefault(EventDeal(slug, position), []).append(Table(as_uuid(pk), *columns))
    if len(rows) > MAX_RESULTS:
        tables.popitem()  # not all of its tables are here
    return {deal: without_copies(of_deal)[0] for deal, of_deal in tables.items()}


def tables_before(deals: Collection[EventDeal], board_id: UUID, *, is_top: bool) -> list[tuple[EventDeal, UUID]]:
    """Return those tables of these deals that stand before a board in lists, each with its deal.

    `is_top`: in the list of the most popular boards.
    """
    if not deals:
        return []
    wanted = wanted_deals(deals)
    order = f"{NET_VOTES}, number" if is_top else "number"
    sql = f"""
        WITH wanted(event_slug, event_position) AS ({wanted.sql})
        SELECT event_slug, event_position, board.id FROM wanted
        JOIN boards_publishedboard AS stored USING (event_slug, event_position)
        JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
        WHERE ({order}) > (SELECT {order} FROM boards_board WHERE id = %s) LIMIT {MAX_BEFORE:d}
    """
    rows = fetch_rows(sql, [*wanted.parameters, adapt(Board, "id", board_id)])
    return [(EventDeal(slug, position), as_uuid(pk)) for slug, position, pk in rows]


def wanted_deals(deals: Collection[EventDeal]) -> Statement:
    """Return a statement of these deals, a row for each."""
    if reading_connection().vendor == "postgresql":
        columns = [*map(list, zip(*deals, strict=True))]
        return Statement("SELECT * FROM unnest(%s::text[], %s::text[])", columns)
    return Statement(f"VALUES {', '.join(['(%s, %s)'] * len(deals))}", [text for deal in deals for text in deal])
