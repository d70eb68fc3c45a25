"""How many tables an event has, from an index alone: it is known before they are read.

Whoever reads the tables of an event opens it. Those of a large one are read with a permit of the dear reads, and those
of one that is too large are not read at all.
"""

from collections.abc import Collection
from itertools import chain
from typing import Any, NamedTuple

from boards.events.listing import EVENT_COLUMNS, IS_SHOWN, make_event
from boards.identity import POSITION_TAIL_LENGTH
from boards.models import Event
from config.database import fetch_rows, reading_connection
from config.edge.limits.dear_reads import take_permit_for

MAX_EVENT_TABLES = 10_000
"""The tables of an event that is read: 300 tables of 33 boards. Of a larger one pages say that it is too large."""

STAGE_KEY = f"substr(stored.event_position, 1, length(stored.event_position) - {POSITION_TAIL_LENGTH:d})"
"""The SQL of the key of a published board's stage."""

TABLES = f"""(
    SELECT count(*) FROM (
        SELECT 1 FROM boards_publishedboard WHERE event_slug = %s LIMIT {MAX_EVENT_TABLES + 1:d}
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


def count_tables(deals: Collection[tuple[str, str]], most: int) -> int:
    """Return the number of the tables of these deals, at most so many, from an index alone."""
    if not deals:
        return 0
    wanted, values = rows_of(deals)
    tables = f"SELECT 1 FROM wanted JOIN boards_publishedboard USING (event_slug, event_position) LIMIT {most:d}"
    return int(fetch_rows(f"{wanted} SELECT count(*) FROM ({tables}) AS tables", values)[0][0])


def rows_of(pairs: Collection[tuple[str, str]], columns: str = "event_slug, event_position") -> tuple[str, list[Any]]:
    """Return the SQL of the table `wanted` of these pairs, by default of deals, and its parameters."""
    if reading_connection().vendor == "postgresql":
        wanted = "SELECT * FROM unnest(%s::text[], %s::text[])"
        values: list[Any] = [*map(list, zip(*pairs, strict=True))]
    else:
        wanted, values = f"VALUES {', '.join(['(%s, %s)'] * len(pairs))}", [*chain.from_iterable(pairs)]
    return f"WITH wanted({columns}) AS ({wanted})", values
