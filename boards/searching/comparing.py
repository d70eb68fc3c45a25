"""What tables won in IMPs: all tables of the deals that may be meant are read and compared, once for a search.

Nothing of it is stored, since each table that is stored, changed, withdrawn or deleted changes the IMPs of others.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from boards.events.owners import find_club
from boards.events.reading import COLUMNS, fetch_tables
from boards.events.swings import compare_deal
from boards.events.tables import Table
from boards.events.unplayed import mark_unplayed
from boards.models import EventDeal
from bridge.scores import Won
from config.database.rows import as_uuid
from search.index.finding import MAX_COMPARED, Comparer
from search.index.pages import Reading

DEALS = Reading("event_deal_id", "LEFT JOIN boards_publishedboard AS stored ON stored.board_id = board.id")
"""The deals of boards that may be meant. A board of no event is compared with none."""

CHUNK = 500
"""The deals whose tables are read at once."""


def compare_deals(found: Iterable[tuple[Any, ...]], *, is_partial: bool) -> tuple[Mapping[int, Won], bool]:
    """Compare the tables of these rows of DEALS, the first ones where all are too many and it may be partial."""
    deals = [*dict.fromkeys(deal for (deal,) in found if deal)]
    by_number: dict[int, Won] = {}
    start, step, left = 0, CHUNK, MAX_COMPARED
    while start < len(deals) and step:
        rows = fetch_tables(deals[start : start + step], f"board.number, board.id, {COLUMNS}", f"LIMIT {left + 1:d}")
        if len(rows) > left:
            step = step // 2 if is_partial else 0
            continue
        start, left = start + step, left - len(rows)
        tables, number_of = defaultdict[EventDeal, list[Table]](list), dict[UUID, int]()
        for deal, (number, pk, *columns) in rows:
            tables[deal].append(table := Table(as_uuid(pk), *columns))
            number_of[table.pk] = number
        club = find_club(tables.values())
        for _, of_deal in mark_unplayed(tables.items()):
            by_number |= {number_of[pk]: won for pk, won in compare_deal(of_deal, club).items()}
    return by_number, start >= len(deals)


COMPARER = Comparer(DEALS, compare_deals)
