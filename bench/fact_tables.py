"""The rivals of bench.searches: the facts of all boards as columns, in PostgreSQL and in a file of DuckDB.

Both are made once and kept, as the table bench_fact and a file: drop and delete them when you need them no
more. A column has the stored form of a fact (boards.search.facts), so that 0 is "not known" and no column is
NULL.
"""

import multiprocessing
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection, connections

from bench.scratch import say
from boards.models import Board
from boards.search.conditions import All, Between, Bid, Condition, Not, OneOf, Tagged
from boards.search.conditions import Any as AnyOf
from boards.search.facts import FACTS, FORMAT, OFFSETS, PUBLISHED, Fact
from boards.search.finding import Found
from boards.search.storing import make_row

CHUNK = 2_000
PARTS = 256
INDEXED = (
    *(
        "level",
        "denomination",
        "declarer",
        "result",
        "score",
        "par",
        "lead",
        "dealer",
        "vulnerability",
        "board",
    ),
    *(
        "playedFrom",
        "playedTo",
        "opening",
        "difficulty",
        "makeable",
        "north.hcp",
        "south.hcp",
        "ns.hcp",
        "ew.fit",
    ),
)
"""The columns with a b-tree: those that the searches name most."""

COLUMNS = {name: "smallint" if fact.width == 1 else "integer" for name, fact in FACTS.items()}
SHOWN = ", ".join(f'"{name}"' for name in COLUMNS)
INSTALL = "DuckDB is missing: pip install --target /tmp/duckdb duckdb, and set PYTHONPATH=/tmp/duckdb."


def prepare_table() -> str:
    """Make the table, unless one has these facts and so many boards. Return when it was made."""
    connection.ensure_connection()
    run("SET statement_timeout = 0")
    boards = Board.objects.filter(published_at__isnull=False).count()
    begin = f"{boards} boards, facts {FORMAT}, made at "
    mark = str(run("SELECT coalesce(obj_description(to_regclass('bench_fact')), '')")[0][0])
    if not mark.startswith(begin):
        mark = make_table(boards, begin)
    say(f"The table bench_fact: {mark}")
    return mark


def make_table(boards: int, begin: str) -> str:
    columns = ", ".join(f'"{name}" {kind} NOT NULL' for name, kind in COLUMNS.items())
    run(
        "DROP TABLE IF EXISTS bench_fact;"
        f" CREATE TABLE bench_fact (key bytea, {columns}, tags text[], auction text)"
    )
    connections.close_all()
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for done, _ in enumerate(pool.imap_unordered(fill, range(PARTS)), start=1):
            if done % (PARTS // 8) == 0:
                say(f"  {done / PARTS:.0%} of the table of facts")
    run("SET statement_timeout = 0; ALTER TABLE bench_fact ADD PRIMARY KEY (key)")
    run("; ".join(f'CREATE INDEX ON bench_fact ("{name}")' for name in INDEXED))
    run("CREATE INDEX ON bench_fact USING gin (tags); CREATE INDEX ON bench_fact (auction text_pattern_ops)")
    run("VACUUM ANALYZE bench_fact")
    if (found := run("SELECT count(*) FROM bench_fact")[0][0]) != boards:
        raise SystemExit(
            f"There are {boards:,} boards, and bench_fact has {found:,}. Did they change meanwhile?"
        )
    mark = f"{begin}{datetime.now(UTC):%Y-%m-%d %H:%M}"
    run(f"COMMENT ON TABLE bench_fact IS '{mark}'")
    return mark


def fill(part: int) -> None:
    """Store the facts of the boards whose ids begin with this byte, as their own columns say them."""
    low, high = UUID(bytes=bytes([part] + [0] * 15)), UUID(bytes=bytes([part] + [255] * 15))
    published = Board.objects.filter(published_at__isnull=False, pk__gte=low, pk__lte=high).order_by()
    ids = list(published.values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        # Read before the COPY begins: the connection does one of them at a time.
        rows = list(map(values_of, Board.objects.with_details().filter(pk__in=ids[start : start + CHUNK])))
        with connection.cursor() as cursor, cursor.copy("COPY bench_fact FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def values_of(board: Board) -> list[Any]:
    """Return the row of a board."""
    row = make_row(board)
    facts = bytes(row.facts)
    values = [value_of(fact, facts[OFFSETS[name] :][: fact.width]) for name, fact in FACTS.items()]
    tags = [tag for tag in row.tags.split() if tag != PUBLISHED]
    return [row.key, *values, tags, row.calls]


def value_of(fact: Fact, digits: bytes) -> int:
    value = 0
    for digit in digits:
        value = value * (fact.base if fact.width > 1 else 256) + digit
    return value


def open_duckdb(mark: str) -> Any:
    """Return a connection to a file with the same rows, None without DuckDB."""
    try:
        import duckdb  # type: ignore[import-not-found]  # not among our packages
    except ImportError:
        say(INSTALL)
        return None
    name = connection.settings_dict["NAME"]
    file = duckdb.connect(str(Path(tempfile.gettempdir()) / f"bench_fact_{name}.duckdb"))
    file.execute("CREATE TABLE IF NOT EXISTS made (mark VARCHAR)")
    if file.execute("SELECT mark FROM made").fetchall() != [(mark,)]:
        with tempfile.NamedTemporaryFile(suffix=".csv") as csv:
            with (
                connection.cursor() as cursor,
                cursor.copy(
                    f"COPY (SELECT encode(key, 'hex') AS key, {SHOWN}, array_to_string(tags, ' ') AS tags,"
                    " auction FROM bench_fact ORDER BY key) TO STDOUT (FORMAT csv)"
                ) as copy,
            ):
                for block in copy:
                    csv.write(block)
            csv.flush()
            types = {"key": "VARCHAR", **COLUMNS, "tags": "VARCHAR", "auction": "VARCHAR"}
            file.execute(
                "CREATE OR REPLACE TABLE bench_fact AS SELECT * REPLACE ("
                "string_split(tags, ' ') AS tags, coalesce(auction, '') AS auction)"
                f" FROM read_csv('{csv.name}', header = false, columns = {types})"
            )
        file.execute("DELETE FROM made")
        file.execute("INSERT INTO made VALUES (?)", [mark])
    return file


def write_sql(condition: Condition) -> str | None:
    """Return the condition as SQL, the same for both. None where it is of what is no column."""
    match condition:
        case Between(fact=fact) if fact.name in COLUMNS:
            return '"{}" BETWEEN {} AND {}'.format(fact.name, *condition.stored)
        case OneOf(fact=fact, values=values) if fact.name in COLUMNS:
            return f'"{fact.name}" IN ({", ".join(str(fact.store(value)) for value in values)})'
        case Tagged(tags=tags):
            return "true" if PUBLISHED in tags else f"tags && ARRAY[{', '.join(map(quote, tags))}]"
        case Bid(calls=calls, from_the_start=from_the_start):
            return f"auction LIKE '{'' if from_the_start else '%'}-{calls}-%'"
        case Not(part=part):
            return None if (sql := write_sql(part)) is None else f"NOT ({sql})"
        case All(parts=parts):
            return join([*map(write_sql, parts)], " AND ", "true")
        case AnyOf(parts=parts):
            return join([*map(write_sql, parts)], " OR ", "false")
        case _:
            return None


def join(parts: list[str | None], operator: str, empty: str) -> str | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return f"({operator.join(known)})" if known else empty


def quote(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))


def statements(sql: str, limit: int) -> tuple[str, str]:
    """Return the statement of the count, and that of the first page."""
    found = f"FROM bench_fact WHERE {sql}"
    return f"SELECT count(*) {found}", f"SELECT key {found} ORDER BY key DESC LIMIT {limit}"


def ask_postgresql(sql: str, limit: int) -> Found:
    ((total,),), keys = map(run, statements(sql, limit))
    return Found(total, [bytes(key) for (key,) in keys])


def ask_duckdb(file: Any, sql: str, limit: int) -> Found:
    ((total,),), keys = (file.execute(statement).fetchall() for statement in statements(sql, limit))
    return Found(total, [bytes.fromhex(key) for (key,) in keys])


def run(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else []
