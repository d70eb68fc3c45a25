"""Practice: whom a board asks, and the field, which is the auctions of all tables that played its deal at its event."""

from collections.abc import Sequence

from boards.events.reading import MAX_TABLES
from boards.events.tables import Table, without_copies
from boards.identity import position_of
from boards.models import Board
from boards.records import call_of
from bridge.board import BoardRecord
from bridge.decisions import Decision, first_question
from bridge.field import FieldTable, count_calls
from bridge.replay import calls_of
from bridge.seats import Seat


def read_field(board: Board) -> list[FieldTable]:
    """Return the tables with an auction, by one query. There are none for a draft or a board without an event.

    They have the board's dealer and vulnerability, and its own table is among them. Of more than MAX_TABLES there are
    none, as on the board's page.
    """
    slug = board.event_slug
    if not slug or not board.published_at:
        return []
    tables = Board.objects.published().filter(
        published__event_slug=slug,
        published__event_position=position_of(board.stage, board.board_number, board.deal_id),
        dealer=board.dealer,
        vulnerability=board.vulnerability,
    )
    rows = list(tables.order_by().values_list("auction", "pk", *Table._fields[1:])[: MAX_TABLES + 1])
    auctions = {pk: auction for auction, pk, *_ in rows if auction}
    shown = [Table(*row[1:]) for row in rows] if len(rows) <= MAX_TABLES else []
    kept, _ = without_copies(shown, board.owner_id or "")
    return [
        FieldTable(
            tuple(call_of(call).call for call in auctions[table.pk]),
            table.opening_lead,
            table.final_contract,
            table.score,
        )
        for table in kept
        if table.pk in auctions
    ]


def first_question_of(
    board: Board, record: BoardRecord, field: Sequence[FieldTable] = (), seat: Seat | None = None
) -> Decision | None:
    """Return the first question of practice: of the seat if one is named, or that a teacher's file names, or of all."""
    others = count_calls(field, [call.call for call in calls_of(record)])
    return first_question(record, others, seat or (Seat(board.student) if board.student else None))
