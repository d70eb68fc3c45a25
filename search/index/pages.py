"""A page of boards as one statement: how many meet a condition, which of them stand on it, and what is read of each.

All is read in one snapshot. On PostgreSQL the statement combines slices and rows to the bits of the boards found.
SQLite has rows alone. What the index cannot decide is decided before (search.index.finding).
"""

from typing import Any, NamedTuple
from uuid import UUID

from config.database import fetch_rows, reading_connection
from config.database.rows import as_uuid
from search.conditions import Condition
from search.index.rows import Statement, over_rows
from search.index.slices import EVERY, PART, found_tables
from search.models import SEGMENT_BITS


class Reading(NamedTuple):
    """What a search reads of each board of a page: columns of `board` and of what is joined to it.

    The first column is NULL for a board that is left out. `once` is read in the same snapshot, without any board too.
    """

    columns: str = "board.id"
    joins: str = ""
    once: str = "NULL"


IDS = Reading()
NOTHING = Reading("NULL")

PIECE = 20
"""The bits of a part that are looked at one by one, if there is a one among them."""

MAX_NUMBER = SEGMENT_BITS * (2**31 - 1)
"""The last number whose segment a slice can have."""


class Found(NamedTuple):
    """How many boards meet a condition, and the numbers and the rows of those of a page. `has_more`: others follow."""

    total: int
    numbers: list[int]
    rows: list[tuple[Any, ...]]
    has_more: bool
    once: Any = None

    @property
    def ids(self) -> list[UUID]:
        """Return the ids of the boards, where these are the first column."""
        return [as_uuid(pk) for pk, *_ in self.rows]


def find(condition: Condition, first_row: int, limit: int, after: int | None = None, reading: Reading = IDS) -> Found:
    """Return the boards from `first_row` on, the newest first, of those that meet a resolved condition."""
    page = page_of_bits if is_postgresql() else page_of_rows
    return fetch_page(page(condition, first_row, limit, after), reading, first_row + limit)


def count(condition: Condition) -> int:
    """Return how many boards meet a resolved condition."""
    tables = found_tables_of(condition)
    boards = "coalesce(sum(bit_count(bits)), 0)::integer" if is_postgresql() else "count(*)"
    return int(fetch_rows(f"{tables.sql} SELECT {boards} FROM found", tables.parameters)[0][0])


def is_postgresql() -> bool:
    return bool(reading_connection().vendor == "postgresql")


def fetch_page(page: Statement, reading: Reading, stop: int, order: str = "page.number DESC") -> Found:
    """Return what a statement finds that ends with the tables `counts` and `page`."""
    sql = f"""
        {page.sql}
        SELECT total, rest, {reading.once}, page.number, {reading.columns}
        FROM counts LEFT JOIN page ON true
        LEFT JOIN boards_board AS board ON board.number = page.number {reading.joins}
        ORDER BY {order}
    """
    rows = fetch_rows(sql, page.parameters)
    total, rest, once, *_ = rows[0]
    numbers = [row[3] for row in rows if row[3] is not None]
    return Found(total, numbers, [row[4:] for row in rows if row[4] is not None], rest > stop, once)


def found_tables_of(condition: Condition) -> Statement:
    """Return the table `found` of this database: of bits by segment, or of numbers."""
    if is_postgresql():
        return found_tables(condition)
    rows = over_rows(condition)
    return Statement(f"WITH found AS (SELECT number FROM boards_indexrow WHERE {rows.sql})", rows.parameters)


def page_of_rows(condition: Condition, first_row: int, limit: int, after: int | None) -> Statement:
    found = found_tables_of(condition)
    further = "" if after is None else f"WHERE number < {after:d}"
    sql = f"""
        {found.sql},
        counts AS (SELECT (SELECT count(*) FROM found) AS total, (SELECT count(*) FROM found {further}) AS rest),
        page AS (SELECT number FROM found {further} ORDER BY number DESC LIMIT {limit:d} OFFSET {first_row:d})
    """
    return Statement(sql, found.parameters)


def page_of_bits(condition: Condition, first_row: int, limit: int, after: int | None) -> Statement:
    """Return the tables of a page, without the bits from a cursor's on."""
    found, rest, total = found_tables(condition), Statement("found"), "sum(ones)"
    if after is not None:
        segment, place = divmod(min(after, MAX_NUMBER), SEGMENT_BITS)
        before = f"CASE WHEN segment = %s THEN bits & ~({EVERY} >> %s) ELSE bits END"
        rest = Statement(
            f"(SELECT segment, {before} AS bits FROM found WHERE segment <= %s)", [segment, place, segment]
        )
        total = "(SELECT sum(bit_count(bits)) FROM found)"
    sql = f"""
        {found.sql},
        counted AS MATERIALIZED ({counted_bits(rest.sql)}),
        counts AS (
            SELECT coalesce({total}, 0)::integer AS total, coalesce(sum(ones), 0)::integer AS rest FROM counted
        ),
        {tables_of_numbers("page", limit)}
    """
    return Statement(sql, [*found.parameters, *rest.parameters, *[first_row + limit, first_row] * 3, first_row])


def counted_bits(bits: str) -> str:
    """Return the SQL of a table's bits with how many ones each segment has, and how many are newer."""
    return f"""
        SELECT segment, bits, ones, sum(ones) OVER (ORDER BY segment DESC) - ones AS before
        FROM (SELECT segment, bits, bit_count(bits)::integer AS ones FROM {bits} AS rest) AS each
    """


def tables_of_numbers(name: str, limit: int, start: str = "%s", stop: str = "%s") -> str:
    """Return the table of so many numbers of the ones of `counted` from one place to before another, the newest first.

    Of the segments in which the page begins and ends, the ones of each part are counted, then those of each piece of
    these parts. Bits are looked at one by one in the pieces that are left. Its parameters are the two places, `stop`
    first, three times, and `start`.
    """

    def within(table: str, step: int, length: int, before: str) -> str:
        """Return the parts of so many bits, of those of the table's, that have a one of the page, and newer ones."""
        return f"""
            SELECT first + place AS first, substring(bits, place + 1, {step}) AS bits, before FROM (
                SELECT first, bits, place, before + bit_count(substring(bits, place + {step + 1})) AS before
                FROM {table}, generate_series(0, {length - 1}, {step}) AS place WHERE {before} OFFSET 0
            ) AS each
            WHERE before < {stop} AND before + bit_count(substring(bits, place + 1, {step})) > greatest({start}, before)
        """

    segments = f"(SELECT segment::bigint * {SEGMENT_BITS} AS first, bits, ones, before FROM counted) AS segments"
    return f"""
        parts AS MATERIALIZED (
            {within(segments, PART, SEGMENT_BITS, f"before < {stop} AND before + ones > {start}")}
        ),
        pieces AS MATERIALIZED ({within("parts", PIECE, PART, "true")}),
        {name} AS (
            SELECT first + place AS number FROM pieces, generate_series(0, {PIECE - 1}) AS place
            WHERE get_bit(bits, place) = 1
            ORDER BY 1 DESC LIMIT {limit:d} OFFSET (SELECT greatest(0, {start} - min(before)) FROM pieces)
        )
    """
