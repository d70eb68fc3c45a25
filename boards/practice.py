"""Practice: whom a board asks, and the field, which is the auctions of all tables that played its deal at its event."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson

from boards.events.counting import count_tables
from boards.events.listing import PUBLISHED
from boards.events.owners import find_club
from boards.events.reading import COLUMNS, IS_DEAL, MAX_TABLES, fetch_tables
from boards.events.tables import Table, without_copies
from boards.events.unplayed import find_unplayed, mark_unplayed
from boards.models import Board, EventDeal, PracticeAnswer, PublishedBoard
from boards.records import call_of
from bridge.board import BoardRecord
from bridge.decisions import Decision, FieldCalls, first_question
from bridge.field import FieldTable, count_calls
from bridge.replay import calls_of, next_caller
from bridge.seats import Seat
from config.database import fetch_rows
from config.database.rows import as_uuid
from config.edge.limits.dear_reads import DEAR_ROWS, take_permit_for

Row = Sequence[Any]

FIELD = f"""
SELECT CAST(board.auction AS text), board.id, {COLUMNS} FROM {PUBLISHED}
WHERE {IS_DEAL} AND board.dealer = %s AND board.vulnerability = %s LIMIT {MAX_TABLES + 1:d}
"""
"""The tables of a deal with their auctions as JSON."""


def read_field(board: Board) -> list[FieldTable]:
    """Return the tables with an auction, by one query. There are none for a draft or a board without an event.

    They have the board's dealer and vulnerability, and its own table is among them. Of more than MAX_TABLES there are
    none, as on the board's page.
    """
    deal = EventDeal.of(board)
    if not deal or not board.published_at:
        return []
    found = read_tables(fetch_rows(FIELD, [*deal.key, board.dealer, board.vulnerability]))
    return make_field(board, deal, found, find_club([[table for _, table in found]]))


def read_fields(boards: Collection[Board]) -> dict[UUID, list[FieldTable]]:
    """Return the same for several boards, by their ids. There are none where the tables are too many."""
    deals = find_deals(boards)
    ids = {deal.pk for deal in deals.values()}
    limit = len(deals) * MAX_TABLES
    take_permit_for(count_tables(ids, DEAR_ROWS + 1))
    rows = fetch_tables(ids, f"CAST(board.auction AS text), board.id, {COLUMNS}", f"LIMIT {limit + 1:d}")
    by_deal: dict[EventDeal, list[Row]] = defaultdict(list)
    for deal, row in rows if len(rows) <= limit else ():
        by_deal[deal].append(row)
    found = {deal: read_tables(of_deal) for deal, of_deal in by_deal.items()}
    club = find_club([table for _, table in of_deal] for of_deal in found.values())
    return {
        board.pk: make_field(board, deals[board.pk], found.get(deals[board.pk], []), club)
        for board in boards
        if board.pk in deals
    }


def find_deals(boards: Iterable[Board]) -> dict[UUID, EventDeal]:
    """Return the deals of the events at which published boards were played, by the ids of the boards."""
    ids = [board.pk for board in boards if board.event_slug and board.published_at]
    stored = PublishedBoard.objects.filter(pk__in=ids, event_deal__isnull=False).select_related("event_deal")
    return {row.pk: row.event_deal for row in stored.defer("json") if row.event_deal}


def forget_unplayed(boards: Iterable[Board]) -> None:
    """Take auction and contract from those of these boards whose match was not played, so that nobody is asked.

    They are not stored.
    """
    for board in find_unplayed(boards):
        board.auction, board.contract = None, ""


def read_tables(rows: Iterable[Row]) -> list[tuple[Any, Table]]:
    """Return the auctions, as JSON, and the tables of rows of an auction, an id and COLUMNS."""
    return [(auction, Table(as_uuid(pk), *columns)) for auction, pk, *columns in rows]


def make_field(
    board: Board, deal: EventDeal, found: Sequence[tuple[Any, Table]], club: Collection[str]
) -> list[FieldTable]:
    """Return these tables with their auctions as far as they count for the board."""
    like = [each for each in found if (each[1].dealer, each[1].vulnerability) == (board.dealer, board.vulnerability)]
    auctions = {table.pk: orjson.loads(auction) for auction, table in like if auction}
    is_few = len(like) <= MAX_TABLES
    ((_, marked),) = mark_unplayed([(deal, [table for _, table in like] if is_few else [])])
    tables = [table for table in marked if not table.is_unplayed]
    return [
        FieldTable(
            tuple(call_of(call).call for call in auctions[table.pk]),
            table.opening_lead,
            table.final_contract,
            table.score,
        )
        for table in without_copies(tables, club, board.owner_id or "").tables
        if auctions.get(table.pk)
    ]


def question_key(record: BoardRecord, seat: Seat, calls: Sequence[str]) -> str:
    """Return a hash of what the reader knows. Other hands do not matter, and texts may change."""
    known = [record.dealer, record.vulnerability, seat, record.layout.suits(seat), calls]
    return sha256(json.dumps(known).encode()).hexdigest()[:32]


def read_readers(board: Board, record: BoardRecord) -> FieldCalls:
    """Return what readers answered at each turn of the auction, by one query.

    Lessons and the day's board do without: what their readers answer must not lead the next ones to another question.
    """
    calls = [call.call for call in calls_of(record)]
    steps = {
        question_key(record, seat, calls[:step]): step
        for step in range(len(calls))
        if (seat := next_caller(record, step))
    }
    rows = PracticeAnswer.objects.filter(board=board.pk, question__in=steps) if steps else ()
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for row in rows:
        found[steps[row.question]][row.answer] = row.count
    return found


def first_question_of(
    board: Board,
    record: BoardRecord,
    field: Sequence[FieldTable] = (),
    seat: Seat | None = None,
    readers: FieldCalls | None = None,
) -> Decision | None:
    """Return the first question of practice: of the seat if one is named, or that a teacher's file names, or of all."""
    others = count_calls(field, [call.call for call in calls_of(record)])
    return first_question(record, others, seat or (Seat(board.student) if board.student else None), readers)
