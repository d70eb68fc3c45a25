"""The boards with the most votes among those that meet a condition. Votes stand in the boards alone, not in the index.

The ordinary index board_voted has the boards that do not have as many votes for as against, in this order. On the
first pages they are looked at one after the other (walk). Where too few of these are found, the votes of all boards
found are looked up (sort); where they are many, those of all boards that have votes (divide).
"""

from search.conditions import Condition
from search.index import pages
from search.index.finding import resolved
from search.index.rows import NET_VOTES, Statement
from search.index.slices import PART, bits_of
from search.models import SEGMENT_BITS

MAX_WALKED = 20_000
"""The boards with the most votes that are looked at, 1 µs each. No more of them are than the page is likely to take."""

MAX_SORTED = 20_000
"""The boards found whose votes are looked up, 3 µs each."""

COUNTS = "counts AS (SELECT total, total AS rest FROM (SELECT {boards} AS total FROM found) AS counted)"
OF_BITS = f"""
{COUNTS.format(boards="coalesce(sum(bit_count(bits)), 0)::integer")},
found_parts AS MATERIALIZED (
    SELECT segment::bigint * {SEGMENT_BITS // PART} + part AS place, substring(bits, part * {PART} + 1, {PART}) AS bits
    FROM found, generate_series(0, {SEGMENT_BITS // PART - 1}) AS part
)
"""
IS_FOUND = f"JOIN found_parts ON place = number / {PART} AND get_bit(bits, mod(number, {PART})::integer) = 1"
"""The SQL that looks up a number among the boards found: in a part, since a whole slice would be copied each time."""


def find_top(condition: Condition, first_row: int, limit: int, reading: pages.Reading = pages.IDS) -> pages.Found:
    """Return the boards from `first_row` on by up minus down votes, then newest."""
    found = pages.found_tables_of(resolved(condition))
    stop = first_row + limit

    def fetch(tables: str) -> pages.Found:
        page = Statement(f"{found.sql}, {tables}", found.parameters)
        return pages.fetch_page(page, reading, stop, "votes DESC, page.number DESC")

    if not pages.is_postgresql():
        return fetch(sort(first_row, limit))
    if stop > MAX_WALKED:
        return fetch(divide(first_row, limit))
    page = fetch(walk(first_row, limit))
    if len(page.numbers) >= min(stop, page.total) - first_row:
        return page
    return fetch(sort(first_row, limit) if page.total <= MAX_SORTED else divide(first_row, limit))


def walk(first_row: int, limit: int) -> str:
    """Return the page as far as its boards are among those with the most votes: of twice as many as it should take."""
    share = f"(SELECT count(*) * {SEGMENT_BITS} FROM found) / greatest(1, total)"
    return f"""
        {OF_BITS},
        page AS (
            SELECT number, -against AS votes FROM (
                SELECT number, down_votes - up_votes AS against FROM boards_board
                WHERE up_votes <> down_votes AND down_votes - up_votes < 0
                ORDER BY down_votes - up_votes, number DESC LIMIT (
                    SELECT CASE WHEN likely <= {MAX_WALKED} THEN likely ELSE 0 END
                    FROM (SELECT 100 + 2 * {first_row + limit:d} * {share} AS likely FROM counts) AS estimate
                )
            ) AS walked {IS_FOUND}
            ORDER BY against, number DESC LIMIT {limit:d} OFFSET {first_row:d}
        )
    """


def sort(first_row: int, limit: int) -> str:
    """Return the page of few boards, whose votes are all looked up. On SQLite boards are always few."""
    tables = f"{COUNTS.format(boards='count(*)')}, numbers AS (SELECT number FROM found)"
    if pages.is_postgresql():
        numbers = pages.tables_of_numbers("numbers", MAX_SORTED, "0", str(MAX_SORTED))
        tables = f"{OF_BITS}, counted AS MATERIALIZED ({pages.counted_bits('found')}), {numbers}"
    return f"""
        {tables},
        page AS (
            SELECT number, {NET_VOTES} AS votes FROM numbers JOIN boards_board USING (number)
            ORDER BY votes DESC, number DESC LIMIT {limit:d} OFFSET {first_row:d}
        )
    """


def divide(first_row: int, limit: int) -> str:
    """Return the page of many boards: of those with votes, and of the bits of those without any."""
    liked = "(SELECT boards FROM liked)"
    return f"""
        {OF_BITS},
        voted AS MATERIALIZED (
            SELECT number, votes FROM (
                SELECT number, {NET_VOTES} AS votes FROM boards_board WHERE up_votes <> down_votes
            ) AS all_voted {IS_FOUND}
        ),
        liked AS MATERIALIZED (SELECT count(*) AS boards FROM voted WHERE votes > 0),
        others AS MATERIALIZED (
            SELECT segment, CASE WHEN bits_of_voted IS NULL THEN bits ELSE bits & ~bits_of_voted END AS bits
            FROM found LEFT JOIN ({bits_of("voted", bits_of_voted="1")}) AS voted USING (segment)
        ),
        counted AS MATERIALIZED ({pages.counted_bits("others")}),
        {pages.tables_of_numbers("unvoted", limit, f"{first_row:d} - {liked}", f"{first_row + limit:d} - {liked}")},
        page AS (
            SELECT number, votes FROM (
                SELECT number, votes, row_number() OVER (ORDER BY votes DESC, number DESC)
                    + CASE WHEN votes < 0 THEN (SELECT sum(ones) FROM counted) ELSE 0 END AS place
                FROM voted
            ) AS ranked WHERE place > {first_row:d} AND place <= {first_row + limit:d}
            UNION ALL SELECT number, 0 FROM unvoted
            ORDER BY votes DESC, number DESC LIMIT {limit:d}
        )
    """
