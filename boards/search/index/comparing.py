"""What tables won in IMPs: all tables of the deals that may be meant are read and compared, once for a search.

Nothing of it is stored, since each table that is stored, changed, withdrawn or deleted changes the IMPs of others.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from boards.events.reading import COLUMNS, EventDeal, as_uuid, fetch_tables
from boards.events.swings import Won, compare_deal
from boards.events.tables import Table
from boards.search.conditions import AllOf, AnyOf, Compared, Condition, Not

MAX_COMPARED = 5_000
"""The boards that may be meant, and the tables of their deals. It takes 40 µs for each."""

CHUNK = 500
"""The deals whose tables are read at once."""


def compare_deals(deals: Sequence[EventDeal]) -> dict[int, Won] | None:
    """Return what each table of these deals won, by the number of its board. None where they are too many."""
    by_number: dict[int, Won] = {}
    left = MAX_COMPARED
    for start in range(0, len(deals), CHUNK):
        rows = fetch_tables(deals[start : start + CHUNK], f"board.number, board.id, {COLUMNS}", f"LIMIT {left + 1:d}")
        left -= len(rows)
        if left < 0:
            return None
        tables, number_of = defaultdict[EventDeal, list[Table]](list), dict[UUID, int]()
        for deal, number, pk, *columns in rows:
            tables[deal].append(table := Table(as_uuid(pk), *columns))
            number_of[table.pk] = number
        for of_deal in tables.values():
            by_number |= {number_of[pk]: won for pk, won in compare_deal(of_deal).items()}
    return by_number


def decide(condition: Condition, by_number: Mapping[int, Won]) -> Condition:
    """Return the condition with the boards that won what is meant."""
    match condition:
        case Compared():
            return replace(condition, numbers=tuple(n for n, won in by_number.items() if condition.includes(won)))
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return type(condition)(tuple(decide(part, by_number) for part in parts))
        case Not(part=part):
            return Not(decide(part, by_number))
    return condition
