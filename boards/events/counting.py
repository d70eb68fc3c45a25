"""How many tables an event has, from an index alone: it is known before they are read.

Whoever reads the tables of an event opens it. Those of a large one are read with a permit of the dear reads, and those
of one that is too large are not read at all.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from boards.events.listing import EVENT_COLUMNS, IS_SHOWN, STORED, make_event
from boards.models import Event
from config.database import fetch_rows, reading_connection
from config.edge.limits.dear_reads import take_permit_for

MAX_EVENT_TABLES = 10_000
"""The tables of an event that is read: 300 tables of 33 boards. Of a larger one pages say that it is too large."""

TABLES = f"""(
    SELECT count(*) FROM (
        SELECT 1 FROM {STORED} WHERE event_id = %s LIMIT {MAX_EVENT_TABLES + 1:d}
    ) AS tables
)"""


class CountedEvent(NamedTuple):
    """An event and the number of its tables, at most MAX_EVENT_TABLES + 1."""

    event: Event
    tables: int

    @property
    def slug(self) -> str:
        return self.event.slug

    @property
    def is_too_large(self) -> bool:
        return self.tables > MAX_EVENT_TABLES


def find_event(slug: str) -> CountedEvent | None:
    """Return an event that has published boards, or None."""
    sql = f"SELECT {TABLES}, {EVENT_COLUMNS} FROM boards_event WHERE slug = %s AND {IS_SHOWN}"
    for tables, *columns in fetch_rows(sql, [slug, slug]):
        return CountedEvent(make_event(columns), tables)
    return None


def open_event(slug: str) -> CountedEvent | None:
    """Return the same, to read its tables. Raise TooManyRunning where they are many and no permit gets free."""
    found = find_event(slug)
    if found and not found.is_too_large:
        take_permit_for(found.tables)
    return found


def open_tables(slug: str) -> bool:
    """Tell whether the tables of an event may be read, in the same way."""
    ((tables,),) = fetch_rows(f"SELECT {TABLES}", [slug])
    if tables <= MAX_EVENT_TABLES:
        take_permit_for(tables)
    return tables <= MAX_EVENT_TABLES


def count_tables(deals: Collection[int], most: int) -> int:
    """Return the number of the tables of these deals of events, at most so many, from an index alone."""
    if not deals:
        return 0
    is_wanted, values = among("event_deal_id", deals)
    tables = f"SELECT 1 FROM boards_publishedboard WHERE {is_wanted} LIMIT {most:d}"
    return int(fetch_rows(f"SELECT count(*) FROM ({tables}) AS tables", values)[0][0])


def among(column: str, keys: Collection[int]) -> tuple[str, list[Any]]:
    """Return the SQL of the condition that a column has one of these numbers, and its parameters."""
    if reading_connection().vendor == "postgresql":
        return f"{column} = ANY(%s::bigint[])", [[*keys]]
    return f"{column} IN ({', '.join(['%s'] * len(keys))})", [*keys]
