"""The boards with the most votes among those that meet a condition.

On PostgreSQL the first pages are walked: the boards with the most votes are looked at one after the other, by an
ordinary index. What is too far for that, a deep page or the page of a rare condition, is divided: one statement divides
the boards found by their votes, as slices tell them. Boards whose votes slices do not know, those in rows, those with
votes that have changed since and those with very many, it returns one by one. So it knows from which parts a page
comes, and returns the bits of these.
"""

from boards.search.conditions import AllOf, Condition
from boards.search.facts import VOTES
from boards.search.index.finding import (
    ENTRY,
    IS_PUBLISHED,
    Found,
    Summary,
    fetch_found,
    found_table,
    read_summary,
    resolved,
    take_page,
    unpack_entries,
    until_whole,
)
from boards.search.index.rows import NET_VOTES, Statement, over_rows
from boards.search.index.slices import CHANGED_VOTES, EVERY, KEY, NONE, PLACES, bits_of, voted
from boards.search.index.votes import STEPS
from config.database import fetch_rows, reading_connection

MAX_WALKED = 1_000
"""The boards with the most votes that are looked at one after the other, 15 µs each."""

NAME = f"{VOTES.name}>="
SLICES = f"{{{','.join(STEPS)}}}"
"""The slices of votes, as PostgreSQL writes an array: two hundred texts would be read each time."""

UNKNOWN = f"{CHANGED_VOTES.sql} UNION {voted(VOTES.high + 1, None).sql} UNION {voted(None, VOTES.low - 1).sql}"
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
    if stop <= MAX_WALKED and needs_published(condition) and (found := walk(condition, start, stop)):
        return found
    return take_page(divide(condition, start, stop), start, stop)


def needs_published(condition: Condition) -> bool:
    """Tell whether the boards that meet the condition are all in the index board_top, which has no drafts."""
    return condition == IS_PUBLISHED or (isinstance(condition, AllOf) and any(map(needs_published, condition.parts)))


def walk(condition: Condition, start: int, stop: int) -> Found | None:
    """Return a page whose boards are among the MAX_WALKED with the most votes, or None where not all are.

    The walk ends with the page. It does not begin where so few boards meet the condition that half of MAX_WALKED are
    not expected to have the page. It needs no slices of votes, so that it costs the same when no worker makes them.
    """
    tables, rows = found_table(condition), over_rows(condition)
    sql = f"""
        WITH {tables.sql},
        recent AS MATERIALIZED (SELECT board_id FROM boards_indexrow WHERE {rows.sql}),
        counted AS MATERIALIZED (
            SELECT (SELECT count(*) FROM recent) + (SELECT coalesce(sum(bit_count(bits)), 0) FROM found) AS total
        ),
        page AS MATERIALIZED (
            SELECT votes, key FROM (
                SELECT {KEY}, {NET_VOTES} AS votes, id, down_votes - up_votes AS against, published_at
                FROM boards_board WHERE published_at IS NOT NULL
                ORDER BY down_votes - up_votes, published_at DESC, id DESC LIMIT {MAX_WALKED}
            ) AS wanted
            LEFT JOIN LATERAL {PLACES} AS place ON true LEFT JOIN found USING (segment_id)
            WHERE (SELECT total * {MAX_WALKED // 2} FROM counted)
                    >= %s * (SELECT coalesce(sum(boards), 0) FROM boards_segment)
                AND (id IN (SELECT board_id FROM recent) OR get_bit(bits, position) = 1)
            ORDER BY against, published_at DESC, id DESC LIMIT %s
        )
        SELECT (SELECT total FROM counted)::integer, (
            SELECT string_agg({ENTRY.format(votes="votes")}, ''::bytea ORDER BY votes DESC, key DESC) FROM page
        )
    """
    ((total, packed),) = fetch_rows(sql, [*tables.parameters, *rows.parameters, stop, stop])
    keys = [entry.key for entry in unpack_entries(packed)]
    return Found(total, keys[start:]) if len(keys) >= min(stop, total) else None


def divide(condition: Condition, start: int, stop: int) -> Summary:
    """Return what a page needs. Each board whose votes have changed since slices were made costs 25 µs."""
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
            UNION ALL SELECT segment_id, {VOTES.low}, bit_count(bits)::integer FROM known
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
    parameters = [*tables.parameters, *rows.parameters, SLICES, stop, stop, start]
    return read_summary(Statement(sql, parameters))


def slice_of(votes: str) -> str:
    """Return the SQL of the slice of a row's segment from so many votes on, NULL where there is none."""
    return f"(SELECT bits FROM boards_slice WHERE name = '{NAME}' || {votes} AND segment_id = counted.segment_id)"
