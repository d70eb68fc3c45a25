"""Practice: whom a board asks, and the field, which is the auctions of all tables that played its deal at its event."""

from collections.abc import Sequence

import orjson

from boards.events.reading import COLUMNS, MAX_TABLES, PUBLISHED, as_uuid
from boards.events.tables import Table, without_copies
from boards.identity import position_of
from boards.models import Board
from boards.records import call_of
from bridge.board import BoardRecord
from bridge.decisions import Decision, first_question
from bridge.field import FieldTable, count_calls
from bridge.replay import calls_of
from bridge.seats import Seat
from config.database import fetch_rows

FIELD = f"""
SELECT CAST(board.auction AS text), board.id, {COLUMNS} FROM {PUBLISHED}
WHERE stored.event_slug = %s AND stored.event_position = %s AND board.dealer = %s AND board.vulnerability = %s
LIMIT {MAX_TABLES + 1:d}
"""
"""The tables of a deal with their auctions as JSON."""


def read_field(board: Board) -> list[FieldTable]:
    """Return the tables with an auction, by one query. There are none for a draft or a board without an event.

    They have the board's dealer and vulnerability, and its own table is among them. Of more than MAX_TABLES there are
    none, as on the board's page.
    """
    slug = board.event_slug
    if not slug or not board.published_at:
        return []
    position = position_of(board.stage, board.board_number, board.deal_id)
    rows = fetch_rows(FIELD, [slug, position, board.dealer, board.vulnerability])
    auctions = {as_uuid(pk): orjson.loads(auction) for auction, pk, *_ in rows if auction}
    shown = [Table(as_uuid(pk), *columns) for _, pk, *columns in rows] if len(rows) <= MAX_TABLES else []
    kept, _ = without_copies(shown, board.owner_id or "")
    return [
        FieldTable(
            tuple(call_of(call).call for call in auctions[table.pk]),
            table.opening_lead,
            table.final_contract,
            table.score,
        )
        for table in kept
        if auctions.get(table.pk)
    ]


def first_question_of(
    board: Board, record: BoardRecord, field: Sequence[FieldTable] = (), seat: Seat | None = None
) -> Decision | None:
    """Return the first question of practice: of the seat if one is named, or that a teacher's file names, or of all."""
    others = count_calls(field, [call.call for call in calls_of(record)])
    return first_question(record, others, seat or (Seat(board.student) if board.student else None))
