"""`python -m bench.multiply 10`: make ten times as many boards of the database of DATABASE_URL, in SQL.

The database is one that `bench.load.seed` has filled and folded. Each copy has new ids, and its moments are
later than those of all boards before, by the span of the originals: so its segments follow theirs, with the
same bits. What a copy shares with its original are the deal, the day and the event, the counters of votes
(not the votes), and all facts. The slices of the last change are among them, and so are publishedAt and
updatedAt in the stored JSON: in copies they name the original's moment.

Constraints and indexes are dropped first and made anew at the end. A run that was stopped leaves a database
without them: drop it.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, models

from bench.scratch import say
from boards.models import Board, KeyBlock, PublishedBoard, Segment, Slice
from boards.models.index import BLOCK_KEYS
from boards.search.finding import IS_PUBLISHED, count_boards
from boards.search.keys import KEY_LENGTH
from boards.search.slices import KEY, PLACES

TABLES: tuple[type[models.Model], ...] = (
    Board,
    Board.themes.through,
    PublishedBoard,
    Segment,
    Slice,
    KeyBlock,
)
"""What is copied, in this order: the later ones look for the originals among the boards."""

NAMES = [table._meta.db_table for table in TABLES]
MICROSECONDS = "('x' || encode(substr(key, 1, 8), 'hex'))::bit(64)::bigint"

FUNCTIONS = f"""
CREATE FUNCTION pg_temp.copy_id(id uuid, copy integer) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
    SELECT overlay(overlay(md5(id::text || copy) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid
$$;
CREATE FUNCTION pg_temp.copy_key(key bytea, copy integer, span interval) RETURNS bytea
IMMUTABLE LANGUAGE sql AS $$
    SELECT int8send({MICROSECONDS} + (extract(epoch FROM span) * 1000000)::bigint * copy)
        || uuid_send(pg_temp.copy_id(encode(substr(key, 9), 'hex')::uuid, copy))
$$;
"""

MOVED = {
    name: f"{name} + {{span}} * {{copy}}"
    for name in ("published_at", "first_published_at", "created_at", "updated_at")
}
OF_ORIGINALS = "JOIN boards_board ON boards_board.id = board_id WHERE published_at <= {last} AND "
OF_SEGMENTS = "WHERE {segment} <= {{last_segment}} AND "

VALUES: dict[type[models.Model], dict[str, str]] = {
    Board: {
        **MOVED,
        "id": "pg_temp.copy_id(id, {copy})",
        "fingerprint": "encode(sha256((fingerprint || {copy})::bytea), 'hex')",
    },
    Board.themes.through: {"board_id": "pg_temp.copy_id(board_id, {copy})"},
    PublishedBoard: {
        "board_id": "pg_temp.copy_id(board_id, {copy})",
        "json": "replace(json, board_id::text, pg_temp.copy_id(board_id, {copy})::text)",
    },
    Segment: {
        "id": "id + {last_segment} * {copy}",
        "oldest": "pg_temp.copy_key(oldest, {copy}, {span})",
        "newest": "pg_temp.copy_key(newest, {copy}, {span})",
    },
    Slice: {"segment_id": "segment_id + {last_segment} * {copy}"},
    KeyBlock: {
        "segment_id": "segment_id + {last_segment} * {copy}",
        "oldest": "pg_temp.copy_key(oldest, {copy}, {span})",
        "keys": f"""(
            SELECT string_agg(
                pg_temp.copy_key(substr(keys, place * {KEY_LENGTH} + 1, {KEY_LENGTH}), {{copy}}, {{span}}),
                ''::bytea ORDER BY place
            ) FROM generate_series(0, length(keys) / {KEY_LENGTH} - 1) AS place
        )""",
    },
}
"""The columns of a copy that differ from those of its original."""

ORIGINALS = {
    Board: "WHERE published_at <= {last} AND ",
    Board.themes.through: OF_ORIGINALS,
    PublishedBoard: OF_ORIGINALS,
    Segment: OF_SEGMENTS.format(segment="id"),
    Slice: OF_SEGMENTS.format(segment="segment_id"),
    KeyBlock: OF_SEGMENTS.format(segment="segment_id"),
}

MULTIPLIED = """
SELECT 1 FROM boards_board WHERE id = (
    SELECT pg_temp.copy_id(id, 1) FROM boards_board ORDER BY published_at LIMIT 1
)
"""
DROPPED = """
SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', conrelid::regclass, conname),
    format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE contype IN ('p', 'u', 'f')
    AND (conrelid = ANY(%(tables)s::regclass[]) OR confrelid = ANY(%(tables)s::regclass[]))
ORDER BY contype <> 'f'
"""
INDEXES = """
SELECT format('DROP INDEX %%I', indexname), indexdef FROM pg_indexes WHERE tablename = ANY(%s)
"""

CHECKS = {
    "a segment has another number of keys than of boards": f"""
        SELECT count(*) FROM boards_segment WHERE boards <> (
            SELECT sum(length(keys)) / {KEY_LENGTH} FROM boards_keyblock WHERE segment_id = boards_segment.id
        ) OR (boards - 1) / {BLOCK_KEYS} <> (
            SELECT max(number) FROM boards_keyblock WHERE segment_id = boards_segment.id
        )
    """,
    "a segment begins before the one before it ends": """
        SELECT count(*) FROM (
            SELECT oldest, lag(newest) OVER (ORDER BY oldest) AS before FROM boards_segment
        ) AS pairs WHERE before >= oldest
    """,
    "a board of a sample is not where its key should be": f"""
        SELECT count(*) FROM (
            SELECT {KEY} FROM boards_board TABLESAMPLE system (1)
        ) AS wanted LEFT JOIN LATERAL {PLACES} AS place ON true WHERE place.position IS NULL
    """,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("times", type=int, help="How many times as many boards there are to be.")
    times = parser.parse_args().times
    started = time.monotonic()
    run("SET statement_timeout = 0; SET maintenance_work_mem = '256MB'; SET synchronize_seqscans = off")
    run(FUNCTIONS)
    values = facts_of_originals()
    pages = {name: run(f"SELECT pg_relation_size('{name}') / 8192")[0][0] for name in NAMES}
    with without_indexes():
        for copy in range(1, times):
            for table in TABLES:
                copy_rows(table, pages[table._meta.db_table], {**values, "copy": copy})
            say(f"copy {copy}: {time.monotonic() - started:.0f} s, {size()}")
    run("SELECT setval(pg_get_serial_sequence('boards_segment', 'id'), (SELECT max(id) FROM boards_segment))")
    run("VACUUM ANALYZE")
    check()
    say(f"{count_boards(IS_PUBLISHED):,} boards after {time.monotonic() - started:.0f} s, {size()}")


def facts_of_originals() -> dict[str, Any]:
    """Return what the statements need to know of the originals. Refuse what cannot be copied."""
    if run("SELECT 1 FROM boards_indexrow UNION ALL SELECT 1 FROM boards_deadposition LIMIT 1"):
        raise SystemExit("Not all boards are in segments. Fold them first.")
    if run(MULTIPLIED):
        raise SystemExit(
            "This database was multiplied before: its copies would get the ids of the first ones."
        )
    boards, moments, first, last = run(
        "SELECT count(*), count(DISTINCT published_at), min(published_at), max(published_at)"
        " FROM boards_board"
    )[0]
    if not boards or boards != moments:
        raise SystemExit(
            "There is no board, or a draft, or two boards have one moment: their order would change."
        )
    step = (last - first) / max(1, boards - 1)
    last_segment = run("SELECT max(id) FROM boards_segment")[0][0]
    span = f"'{round((last - first + step).total_seconds())} seconds'::interval"
    return {"span": span, "last": f"'{last.isoformat()}'::timestamptz", "last_segment": last_segment}


def copy_rows(table: type[models.Model], pages: int, values: dict[str, Any]) -> None:
    """Insert a copy of the originals, which stand on the first pages, perhaps with rows of other copies."""
    name, changed = table._meta.db_table, VALUES[table]
    columns = [
        field.column
        for field in table._meta.concrete_fields
        if field.column and not (table is Board.themes.through and field.primary_key)
    ]
    selected = ", ".join(changed.get(column, f'{name}."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    select = f"SELECT {selected} FROM {name} {ORIGINALS[table]} {name}.ctid < '({pages},0)'::tid"
    run(f"INSERT INTO {name} ({names}) {select.format(**values)}")


@contextmanager
def without_indexes() -> Iterator[None]:
    """Drop the constraints and indexes of the tables, and make them anew: to keep them takes longer."""
    constraints = run(DROPPED, {"tables": NAMES})
    run(";".join(drop for drop, _ in constraints))
    indexes = run(INDEXES, [NAMES])
    run(";".join(drop for drop, _ in indexes))
    yield
    for _, create in [*reversed(constraints), *indexes]:
        started = time.monotonic()
        run(create)
        say(f"  {time.monotonic() - started:.0f} s: {create[:90]}")


def check() -> None:
    """Compare the segments with the boards. Exit when they differ."""
    wrong = [name for name, sql in CHECKS.items() if run(sql)[0][0]]
    stored = run("SELECT count(*) FROM boards_board WHERE published_at IS NOT NULL")[0][0]
    if stored != (indexed := count_boards(IS_PUBLISHED)):
        wrong.append(f"{stored:,} boards are published, and the index has {indexed:,}")
    if wrong:
        raise SystemExit("Wrong: " + "; ".join(wrong))


def size() -> str:
    return str(run("SELECT pg_size_pretty(pg_database_size(current_database()))")[0][0])


def run(sql: str, parameters: Any = None) -> list[tuple[Any, ...]]:
    """Run a statement, which commits at once, and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall() if cursor.description else []


if __name__ == "__main__":
    main()
