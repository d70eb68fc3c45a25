"""Finding boards: how many meet a condition, and which of them stand on a page.

PostgreSQL answers with one statement: how many boards of each segment meet the condition, which rows do, and the bits
of those segments that the page comes from. Python takes positions from these few bits, and a second statement turns
positions into keys. Between the two the worker may have replaced a segment: then a key is missing, and the search is
repeated. SQLite has rows alone.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from boards.models import Segment
from boards.models.index import BLOCK_KEYS
from boards.search.conditions import Condition, Tagged, every
from boards.search.facts import DRAFT, PUBLISHED
from boards.search.index.keys import KEY_LENGTH
from boards.search.index.resolving import resolve
from boards.search.index.rows import Statement, over_rows
from boards.search.index.slices import EVERY, NONE, PLACES, SliceSql, bits_of
from boards.search.index.updating import check_known
from config.api.errors import ValidationFailed
from config.database import fetch_rows, reading_connection

IS_PUBLISHED = Tagged((PUBLISHED,))
EITHER = Tagged((PUBLISHED, DRAFT))


class Found(NamedTuple):
    """How many boards meet a condition, and the keys of those of a page. `has_more`: others follow a cursor's page."""

    total: int
    keys: list[bytes]
    has_more: bool = False


def find_page(condition: Condition, first_row: int, limit: int) -> Found:
    """Return the boards from `first_row` on, the newest first."""
    return find(condition, first_row, limit)


def find_after(condition: Condition, key: bytes, limit: int) -> Found:
    """Return the boards that follow a key, the newest first. `total` counts all that meet the condition."""
    total, keys, _ = find(condition, 0, limit + 1, key)
    return Found(total, keys[:limit], has_more=len(keys) > limit)


def count_boards(condition: Condition) -> int:
    return find(condition, 0, 0).total


def iterate_keys(condition: Condition, chunk: int) -> Iterator[list[bytes]]:
    """Yield the keys of all boards that meet the condition, in lists. Each list is found after the one before it."""
    found = find_page(condition, 0, chunk).keys
    while found:
        yield found
        found = find_after(condition, found[-1], chunk).keys


def find(condition: Condition, first_row: int, limit: int, after: bytes | None = None) -> Found:
    condition = resolved(condition)
    if reading_connection().vendor != "postgresql":
        return find_in_rows(condition, first_row, limit, after)
    return find_resolved(condition, first_row, limit, after)


def resolved(condition: Condition) -> Condition:
    """Return the condition as the index can decide it. Raise ServiceUnavailable where it lacks facts of an update."""
    check_known(condition)
    if reading_connection().vendor != "postgresql":
        return condition
    return resolve(condition, lambda part, limit: find_resolved(every([EITHER, part]), 0, limit)[:2])


TRIES = 30
"""A search is repeated when a fold has replaced one of its segments. Two such folds are seconds apart."""


def find_resolved(condition: Condition, first_row: int, limit: int, after: bytes | None = None) -> Found:
    statement = search_statement(condition, first_row, limit, after)
    return until_whole(lambda: take_page(read_summary(statement), first_row, first_row + limit))


def until_whole(find: Callable[[], Found | None]) -> Found:
    """Search until no key is missing."""
    for _ in range(TRIES):
        if (found := find()) is not None:
            return found
    raise RuntimeError("Keys of the index are missing. Run index_boards.")


def find_in_rows(condition: Condition, first_row: int, limit: int, after: bytes | None) -> Found:
    further = Statement("WHERE key < %s", [after]) if after else Statement("")
    page = Statement(
        f"SELECT key FROM found {further.sql} ORDER BY key DESC LIMIT {limit:d} OFFSET %s",
        [*further.parameters, first_row],
    )
    return fetch_found(over_rows(condition), page)


def fetch_found(rows: Statement, page: Statement) -> Found:
    """Return how many rows meet the condition, and the keys that `page` selects from the table `found` of them."""
    sql = f"""
        WITH found AS MATERIALIZED (SELECT board_id, key FROM boards_indexrow WHERE {rows.sql})
        SELECT (SELECT count(*) FROM found), NULL UNION ALL SELECT NULL, key FROM ({page.sql}) AS page
    """
    (total, _), *keys = fetch_rows(sql, [*rows.parameters, *page.parameters])
    return Found(total, [bytes(key) for _, key in keys])


class Entry(NamedTuple):
    """A board. The greatest stands first. `votes` are those for it less those against it, 0 in a list by keys alone."""

    votes: int
    key: bytes


class Part(NamedTuple):
    """Boards of a segment, with as many votes, from which a page comes. `before` counts those of segments before it.

    It has their bits, or the packed entries of the newest.
    """

    segment_id: int
    votes: int
    before: int
    bits: str | None
    entries: bytes | None


class Summary(NamedTuple):
    """What a search returns: how many boards meet the condition, and from what a page is made.

    `others` are boards that stand in no part: the greatest, as many as there may be on the page and before it. `behind`
    counts all of them, but for those before a cursor.
    """

    total: int
    behind: int
    others: list[Entry]
    parts: list[Part]


def read_summary(statement: Statement) -> Summary:
    """Return what a statement says whose first row is of all boards, and each other one a Part."""
    (total, behind, _, _, others), *parts = fetch_rows(statement.sql, statement.parameters)
    return Summary(total, behind, unpack_entries(others), [Part(*part) for part in parts])


KEY_OF_POSITION = f"substr(keys, mod(position, {BLOCK_KEYS}) * {KEY_LENGTH} + 1, {KEY_LENGTH})"
"""The SQL of a board's key, by its position and the block of keys."""

ENTRY = "int4send({votes}) || key"
"""The SQL of a packed entry."""

ENTRY_LENGTH = 4 + KEY_LENGTH


def unpack_entries(packed: bytes | None) -> list[Entry]:
    packed = bytes(packed or b"")
    entries = (packed[start : start + ENTRY_LENGTH] for start in range(0, len(packed), ENTRY_LENGTH))
    return [Entry(int.from_bytes(entry[:4], signed=True), entry[4:]) for entry in entries]


def search_statement(condition: Condition, first_row: int, limit: int, after: bytes | None) -> Statement:
    """Return the statement of a Summary.

    A page's boards in segments stand between `first_row` less all rows, which may be newer, and the page's end.
    """
    rows, tables, end = over_rows(condition), found_table(condition), first_row + limit
    columns = Statement("bits::text, NULL") if after or first_row else newest_of_part(limit)
    if after:
        place = Statement(
            f"""
            , place AS MATERIALIZED (
                SELECT oldest, segment_id, number * {BLOCK_KEYS} + (
                    SELECT count(*) FROM generate_series(0, length(keys) / {KEY_LENGTH} - 1) AS one
                    WHERE substr(keys, one * {KEY_LENGTH} + 1, {KEY_LENGTH}) < %s
                )::integer AS position
                FROM boards_keyblock WHERE oldest < %s ORDER BY oldest DESC LIMIT 1
            )
            """,
            [after, after],
        )
        further = Statement("WHERE key < %s", [after])
        rest = f"""
            CASE WHEN segment.id = place.segment_id THEN bits & ~({EVERY} >> place.position)
            WHEN segment.oldest < place.oldest THEN bits ELSE {NONE} END
        """
        joined = "LEFT JOIN place ON true"
    else:
        place, further, rest, joined = Statement(""), Statement(""), "bits", ""
    return Statement(
        f"""
        WITH recent AS MATERIALIZED (SELECT key FROM boards_indexrow WHERE {rows.sql}),
        behind AS MATERIALIZED (SELECT key FROM recent {further.sql}),
        {tables.sql}{place.sql},
        counted AS MATERIALIZED (
            SELECT segment_id, size, bits, boards, sum(boards) OVER (ORDER BY oldest DESC) - boards AS before FROM (
                SELECT segment_id, oldest, size, rest AS bits, bit_count(rest)::integer AS boards FROM (
                    SELECT segment.id AS segment_id, segment.oldest, segment.boards AS size, {rest} AS rest
                    FROM found JOIN boards_segment AS segment ON segment.id = found.segment_id {joined}
                ) AS all_of_it
            ) AS numbered
        )
        SELECT ((SELECT count(*) FROM recent) + (SELECT coalesce(sum(bit_count(bits)), 0) FROM found))::integer,
            (SELECT count(*) FROM behind)::integer, NULL::integer, NULL::text, (
                SELECT string_agg({ENTRY.format(votes=0)}, ''::bytea)
                FROM (SELECT key FROM behind ORDER BY key DESC LIMIT %s) AS newest
            )
        UNION ALL
        SELECT segment_id, 0, before::integer, {columns.sql} FROM counted
        WHERE boards > 0 AND before < %s AND before + boards > %s - (SELECT count(*) FROM behind)
        """,
        [
            *rows.parameters,
            *further.parameters,
            *tables.parameters,
            *place.parameters,
            end,
            *columns.parameters,
            end,
            first_row,
        ],
    )


MANY_IN_SEGMENT = 1_000
"""With so many boards of a segment the newest are among its last positions: a first page takes one statement less."""


def newest_of_part(limit: int) -> Statement:
    """Return the columns `bits` and `entries` of a first page's Part."""
    newest = f"""
        SELECT string_agg({ENTRY.format(votes=0)}, ''::bytea) FROM (
            SELECT {KEY_OF_POSITION} AS key FROM (
                SELECT position FROM (SELECT generate_series(size - 1, 0, -1) AS position) AS every
                WHERE get_bit(counted.bits, position) = 1 LIMIT %s
            ) AS newest JOIN boards_keyblock AS block
                ON block.segment_id = counted.segment_id AND block.number = position / {BLOCK_KEYS}
        ) AS keys
    """
    is_dense = f"boards >= {MANY_IN_SEGMENT}"
    return Statement(
        f"CASE WHEN {is_dense} THEN NULL ELSE bits::text END, CASE WHEN {is_dense} THEN ({newest}) END", [limit]
    )


def found_table(condition: Condition) -> Statement:
    """Return the table `found` of the segments with the bits of their boards that meet the condition."""
    slices = SliceSql(condition)
    names = sorted({name for united in slices.slices for name in united})
    check_work(len(names))
    columns = "".join(
        f", coalesce(bit_or(bits) FILTER (WHERE name = ANY(%s)), {NONE}) AS {column}"
        for column in slices.slices.values()
    )
    lookups, joins, empty = Statement(""), "", ""
    for number, lookup in enumerate(slices.lookups):
        lookups.sql += f"""
            lookup{number} AS MATERIALIZED (
                {bits_of(f"SELECT place.* FROM ({lookup.sql}) AS wanted CROSS JOIN LATERAL {PLACES} AS place")}
            ),
        """
        lookups.parameters += lookup.parameters
        joins += f" LEFT JOIN lookup{number} USING (segment_id)"
        empty += f", coalesce(lookup{number}.bits, {NONE}) AS l{number}"
    return Statement(
        f"""
        {lookups.sql}
        dead AS MATERIALIZED (
            {bits_of("SELECT segment_id, position::integer FROM boards_deadposition")}
        ),
        found AS MATERIALIZED (
            SELECT segment_id, CASE WHEN dead IS NULL THEN met ELSE met & ~dead END AS bits FROM (
                SELECT segment_id, dead, {slices.sql} AS met FROM (
                    SELECT slices.*, dead.bits AS dead{empty} FROM (
                        SELECT segment_id{columns} FROM boards_slice WHERE name = ANY(%s) GROUP BY segment_id
                    ) AS slices LEFT JOIN dead USING (segment_id){joins}
                ) AS parts
            ) AS combined
        )
        """,
        [*lookups.parameters, *([*united] for united in slices.slices), names],
    )


MAX_SLICES = 100_000
"""The slices that one search may read, 4 µs each."""

FEW_SLICES = 100
"""So few of a segment are never too many: it would take a thousand segments, of 32 million boards."""


def check_work(slices: int) -> None:
    """Raise ValidationFailed when a search needs so many slices of each segment that they are too many in all."""
    if slices <= FEW_SLICES or slices * (segments := Segment.objects.count()) <= MAX_SLICES:
        return
    possible = max(FEW_SLICES, MAX_SLICES // segments)
    message = (
        f"This search compares {slices:,} facts of each board, and {possible:,} are possible with so many boards."
        " Leave conditions away, or name a seat where any is written."
    )
    raise ValidationFailed(meta={"fields": {"q": [{"code": "too_much_work", "message": message}]}})


def take_page(summary: Summary, start: int, stop: int) -> Found | None:
    """Return the boards from one row to before another, or None when one of the segments was replaced meanwhile."""
    begin = max(0, start - summary.behind)
    entries = read_entries(summary.parts, begin, stop) if stop > start else []
    if entries is None:
        return None
    entries = sorted(summary.others + entries, reverse=True)[start - begin : stop - begin]
    return Found(summary.total, [entry.key for entry in entries])


def read_entries(parts: Sequence[Part], begin: int, end: int) -> list[Entry] | None:
    """Return the boards of the parts from one row to before another. None when some are gone."""
    known = [entry for part in parts for entry in unpack_entries(part.entries)[: end - part.before]]
    wanted = [
        (part.votes, part.segment_id, position)
        for part in parts
        for position in positions_of(part.bits or "", max(0, begin - part.before), end - part.before)
    ]
    if not wanted:
        return known
    entries = [Entry(votes, bytes(key)) for votes, key in fetch_rows(KEYS, [*map(list, zip(*wanted, strict=True))])]
    return known + entries if len(entries) == len(wanted) else None


KEYS = f"""
SELECT votes, {KEY_OF_POSITION}
FROM unnest(%s::integer[], %s::integer[], %s::integer[]) AS place(votes, segment_id, position)
JOIN boards_keyblock AS block ON block.segment_id = place.segment_id AND block.number = position / {BLOCK_KEYS}
"""

CHUNK = 1_000


def positions_of(bits: str, skipped: int, end: int) -> list[int]:
    """Return the positions of the ones of a text of bits, counted from its end: from `skipped` to before `end`."""
    stop = len(bits)
    while stop > 0 and (ones := bits.count("1", max(0, stop - CHUNK), stop)) <= skipped:
        skipped -= ones
        end -= ones
        stop = max(0, stop - CHUNK)
    positions: list[int] = []
    while len(positions) < end and (stop := bits.rfind("1", 0, stop)) >= 0:
        positions.append(stop)
    return positions[skipped:]
