"""What tables won in IMPs: all tables of the deals that may be meant are read and compared, once for a search.

Nothing of it is stored, since each table that is stored, changed, withdrawn or deleted changes the IMPs of others.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from boards.events.owners import find_club
from boards.events.reading import COLUMNS, EventDeal, fetch_tables
from boards.events.swings import compare_deal
from boards.events.tables import Table
from boards.events.unplayed import mark_unplayed
from boards.search.conditions import AllOf, AnyOf, Compared, Condition, Not, Numbered
from bridge.scores import Won
from config.database.rows import as_uuid

MAX_COMPARED = 5_000
"""The boards that may be meant, and the tables of their deals. It takes 40 µs for each."""

CHUNK = 500
"""The deals whose tables are read at once."""


class Comparison(NamedTuple):
    """What each table won, by the number of its board. It is not whole where the tables of all deals are too many."""

    won: Mapping[int, Won]
    is_whole: bool


def compare_deals(deals: Sequence[EventDeal], *, is_partial: bool) -> Comparison:
    """Compare the tables of these deals, the first ones where all are too many and it may be partial."""
    by_number: dict[int, Won] = {}
    start, step, left = 0, CHUNK, MAX_COMPARED
    while start < len(deals) and step:
        rows = fetch_tables(deals[start : start + step], f"board.number, board.id, {COLUMNS}", f"LIMIT {left + 1:d}")
        if len(rows) > left:
            step = step // 2 if is_partial else 0
            continue
        start, left = start + step, left - len(rows)
        tables, number_of = defaultdict[EventDeal, list[Table]](list), dict[UUID, int]()
        for deal, number, pk, *columns in rows:
            tables[deal].append(table := Table(as_uuid(pk), *columns))
            number_of[table.pk] = number
        club = find_club(tables.values())
        for of_deal in mark_unplayed(tables).values():
            by_number |= {number_of[pk]: won for pk, won in compare_deal(of_deal, club).items()}
    return Comparison(by_number, start >= len(deals))


def decide(condition: Condition, by_number: Mapping[int, Won]) -> Condition:
    """Return the condition with the boards that won what is meant."""
    match condition:
        case Compared():
            return Numbered(frozenset(number for number, won in by_number.items() if condition.includes(won)))
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return type(condition)(tuple(decide(part, by_number) for part in parts))
        case Not(part=part):
            return Not(decide(part, by_number))
    return condition
