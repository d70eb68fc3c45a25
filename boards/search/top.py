"""The boards with the most votes among those that meet a condition.

On PostgreSQL one statement divides the boards found by their votes, as slices tell them. Boards whose votes slices do
not know, those in rows, those with votes that have changed since and those with very many, it returns one by one. So
it knows from which parts a page comes, and returns the bits of these.
"""

from boards.search.conditions import Condition
from boards.search.facts import VOTES
from boards.search.finding import (
    ENTRY,
    Found,
    Summary,
    fetch_found,
    found_table,
    read_summary,
    resolved,
    take_page,
    until_whole,
)
from boards.search.rows import NET_VOTES, Statement, over_rows
from boards.search.slices import CHANGED_VOTES, EVERY, NONE, PLACES, bits_of, voted
from boards.search.votes import STEPS
from config.database import reading_connection

LIKED = 1
"""From so many votes on boards are divided at first: most have fewer, and most pages have none of those."""

ALL = VOTES.low + 1
NAME = f"{VOTES.name}>="
SLICES = {
    lowest: f"{{{','.join(name for name, stored in STEPS.items() if stored >= VOTES.store(lowest))}}}"
    for lowest in (LIKED, ALL)
}
"""The slices of so many votes and more, as PostgreSQL writes an array: two hundred texts would be read each time."""

UNKNOWN = (
    f"{CHANGED_VOTES.sql} UNION {voted(VOTES.high + 1, None).sql} UNION {voted(None, VOTES.low - 1).sql}"
)
"""The keys and votes of the boards whose votes slices do not know."""


def find_top(condition: Condition, first_row: int, limit: int) -> Found:
    """Return the boards from `first_row` on by up minus down votes, then newest, then id."""
    condition = resolved(condition)
    if reading_connection().vendor != "postgresql":
        return find_in_rows(condition, first_row, limit)
    return until_whole(lambda: find_in_segments(condition, first_row, first_row + limit))


def find_in_rows(condition: Condition, first_row: int, limit: int) -> Found:
    page = Statement(
        f"""
        SELECT key FROM found JOIN boards_board AS board ON board.id = board_id
        ORDER BY {NET_VOTES} DESC, key DESC LIMIT {limit:d} OFFSET %s
        """,
        [first_row],
    )
    return fetch_found(over_rows(condition), page)


def find_in_segments(condition: Condition, start: int, stop: int) -> Found | None:
    summary = divide(condition, start, stop, LIKED)
    if any(part.votes < LIKED for part in summary.parts):
        summary = divide(condition, start, stop, ALL)
    return take_page(summary, start, stop)


def divide(condition: Condition, start: int, stop: int, lowest: int) -> Summary:
    """Return what a page needs. Boards with less votes than `lowest` are divided no further: they have one less."""
    tables, rows = found_table(condition), over_rows(condition)
    sql = f"""
        WITH {tables.sql},
        unknown AS MATERIALIZED (
            SELECT segment_id, position, key, votes FROM ({UNKNOWN}) AS wanted
            CROSS JOIN LATERAL {PLACES} AS place JOIN found USING (segment_id) WHERE get_bit(bits, position) = 1
        ),
        unknown_bits AS MATERIALIZED ({bits_of("SELECT segment_id, position FROM unknown")}),
        others AS MATERIALIZED (
            SELECT {NET_VOTES} AS votes, key
            FROM (SELECT board_id, key FROM boards_indexrow WHERE {rows.sql}) AS recent
            JOIN boards_board ON id = board_id
            UNION ALL SELECT votes, key FROM unknown
        ),
        known AS MATERIALIZED (
            SELECT segment_id, CASE WHEN other.bits IS NULL THEN found.bits ELSE found.bits & ~other.bits END AS bits
            FROM found LEFT JOIN unknown_bits AS other USING (segment_id)
        ),
        at_least AS MATERIALIZED (
            SELECT segment_id, substr(name, {len(NAME) + 1})::integer AS votes,
                bit_count(known.bits & slice.bits)::integer AS boards
            FROM known JOIN boards_slice AS slice USING (segment_id) WHERE name = ANY(%s::text[])
            UNION ALL SELECT segment_id, {lowest - 1}, bit_count(bits)::integer FROM known
        ),
        exact AS (
            SELECT segment_id, votes, lag(votes) OVER higher AS more,
                boards - coalesce(lag(boards) OVER higher, 0) AS boards
            FROM at_least WINDOW higher AS (PARTITION BY segment_id ORDER BY votes DESC)
        ),
        counted AS MATERIALIZED (
            SELECT segment_id, votes, more, exact.boards,
                sum(exact.boards) OVER (ORDER BY votes DESC, oldest DESC) - exact.boards AS before
            FROM exact JOIN boards_segment ON id = segment_id WHERE exact.boards > 0
        )
        SELECT ((SELECT count(*) FROM others) + (SELECT coalesce(sum(boards), 0) FROM counted))::integer,
            (SELECT count(*) FROM others)::integer, NULL::integer, NULL::text, (
                SELECT string_agg({ENTRY.format(votes="votes")}, ''::bytea)
                FROM (SELECT * FROM others ORDER BY votes DESC, key DESC LIMIT %s) AS top
            )
        UNION ALL
        SELECT segment_id, votes, before::integer,
            (bits & coalesce({slice_of("votes")}, {EVERY}) & ~coalesce({slice_of("more")}, {NONE}))::text, NULL
        FROM counted JOIN known USING (segment_id)
        WHERE before < %s AND before + boards > %s - (SELECT count(*) FROM others)
    """
    parameters = [*tables.parameters, *rows.parameters, SLICES[lowest], stop, stop, start]
    return read_summary(Statement(sql, parameters))


def slice_of(votes: str) -> str:
    """Return the SQL of the slice of a row's segment from so many votes on, NULL where there is none."""
    return f"(SELECT bits FROM boards_slice WHERE name = '{NAME}' || {votes} AND segment_id = counted.segment_id)"
