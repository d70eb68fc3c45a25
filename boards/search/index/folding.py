"""Folding rows into slices. The worker does it, on PostgreSQL alone; the index is right without it, and slower.

A fold reads rows of one segment, sets or clears the bits of their numbers, and deletes the rows that it has read, in
one transaction. Nobody else writes slices, and nobody waits for a fold: whoever changes a board writes its row, which
has another version then. A fold leaves such a row, and passes over rows that somebody is changing.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

from boards.models.index import SEGMENT_BITS
from boards.search.facts import FACTS, NOTATION, OFFSETS, ROW_LENGTH, Choice, Number, auction_tags
from boards.search.index.slices import NONE, slice_name
from boards.search.words import word_tags

FOLDING = 5_202
"""The advisory lock of whoever folds."""

FOLD_FROM = 1_000
"""Rows from which on those of the fullest segment are folded. Each search reads all of them."""

MAX_ROWS = 4_000
"""The rows of one fold, which are in memory."""


def keep_folded() -> bool:
    """Fold rows of a segment if there are enough. The worker calls it. Return whether it did."""
    if is_done := fold():
        clean_up()
    return is_done


def clean_up() -> None:
    """Take what the fold has replaced out of the tables that each search reads. Autovacuum comes once a minute."""
    if not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM boards_indexrow, boards_slice")


def fold_all(*, least: int = 1, rows: int = SEGMENT_BITS) -> int:
    """Fold until there are fewer rows than this. Return how many folds there were."""
    folds = 0
    while fold(least=least, rows=rows):
        folds += 1
    return folds


@transaction.atomic
def fold(*, least: int = FOLD_FROM, rows: int = MAX_ROWS) -> bool:
    """Fold so many rows of the segment that has the most, if there are so many rows in all. Return whether there were.

    One fold at a time: a second worker leaves it to the first.
    """
    if connection.vendor != "postgresql" or not may_fold() or (segment := choose_segment(least)) is None:
        return False
    batch = read_rows(segment, rows)
    write_slices(segment, batch)
    return delete_rows(batch) > 0


def may_fold() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [FOLDING])
        return bool(cursor.fetchone()[0])


def choose_segment(least: int) -> int | None:
    """Return the segment with the most rows, None when all have fewer together."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT number / {SEGMENT_BITS}, sum(count(*)) OVER () FROM boards_indexrow
            GROUP BY 1 ORDER BY count(*) DESC LIMIT 1
            """
        )
        row = cursor.fetchone()
    return row[0] if row and row[1] >= least else None


@dataclass
class Rows:
    """Rows of a segment, at their positions in it from `start` on: all facts, and where each tag, run or word is.

    A position without a row has no facts, and so has a row whose board left its number.
    """

    start: int
    facts: bytearray = field(default_factory=bytearray)
    tagged: Mapping[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    versions: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, facts: Any, tags: str, calls: str, words: str, version: int) -> None:
        """Add a row with a greater number than all before."""
        position = number % SEGMENT_BITS - self.start
        known = bytes(facts or b"")[:ROW_LENGTH].ljust(ROW_LENGTH, b"\0")
        self.facts += bytes(position * ROW_LENGTH - len(self.facts)) + known
        for tag in (*tags.split(), *auction_tags(calls), *word_tags(words)):
            self.tagged[tag].append(position)
        self.versions[number] = version


def read_rows(segment: int, most: int) -> Rows:
    """Return so many rows of a segment, the first ones."""
    first = segment * SEGMENT_BITS
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT number, facts, tags, calls, words, version FROM boards_indexrow
            WHERE number >= %s AND number < %s ORDER BY number LIMIT %s
            """,
            [first, first + SEGMENT_BITS, most],
        )
        rows: Rows | None = None
        for row in cursor:
            rows = rows or Rows(row[0] - first)
            rows.add(*row)
    assert rows is not None
    return rows


Bits = tuple[int, str]
"""The position of the first one, and "0" and "1" from there to the last one, so that rare words are short."""


def make_bits(rows: Rows) -> dict[str, Bits]:
    """Return the bits of the rows' slices by their names: those of facts from a column of bytes at a time."""
    bits = {name: write_ones(positions) for name, positions in rows.tagged.items()}
    for fact in FACTS.values():
        for place in range(fact.width):
            column = rows.facts[OFFSETS[fact.name] + place :: ROW_LENGTH]
            for name, table in tables_of(fact, place, max(column, default=0)):
                text = column.translate(table).decode()
                if (first := text.find("1")) >= 0:
                    bits[name] = first, text.strip("0")
    return bits


def write_ones(positions: Sequence[int]) -> Bits:
    """Return the bits of these positions, the least first."""
    first = positions[0]
    digits = bytearray(b"0" * (positions[-1] - first + 1))
    for position in positions:
        digits[position - first] = ONE
    return first, digits.decode()


ZERO, ONE = b"01"


def tables_of(fact: Any, place: int, highest: int) -> Iterator[tuple[str, bytes]]:
    """Yield the slices of a byte of a fact, with a table that turns the byte into "1" or "0"."""
    if isinstance(fact, Choice):
        for index, value in enumerate(fact.values, start=1):
            yield f"{fact.name}={value}", bytes([ONE if byte == index else ZERO for byte in range(256)])
        return
    lowest = 2 if isinstance(fact, Number) and fact.is_known and fact.width == 1 else 1
    highest = min(highest, NOTATION) if fact.name == "notation" else highest  # a later one has facts unknown here
    for digit in range(lowest, highest + 1):
        yield slice_name(fact, place, digit), bytes([ZERO] * digit + [ONE] * (256 - digit))


WRITE = f"""
WITH wanted AS MATERIALIZED (
    SELECT name, bits::bit varying::bit({SEGMENT_BITS}) >> start AS bits
    FROM unnest(%s::text[], %s::integer[], %s::text[]) AS wanted(name, start, bits)
),
mask AS MATERIALIZED (SELECT %s::bit varying::bit({SEGMENT_BITS}) >> %s AS mask),
changed AS MATERIALIZED (
    SELECT name, coalesce(stored.bits & ~mask, {NONE}) | coalesce(wanted.bits, {NONE}) AS bits
    FROM (SELECT name, bits FROM boards_slice WHERE segment = %s) AS stored
    FULL JOIN wanted USING (name) CROSS JOIN mask
    WHERE stored.bits IS NULL OR stored.bits & mask <> coalesce(wanted.bits, {NONE})
),
emptied AS (
    DELETE FROM boards_slice USING changed
    WHERE boards_slice.segment = %s AND boards_slice.name = changed.name AND bit_count(changed.bits) = 0
)
INSERT INTO boards_slice (name, segment, bits) SELECT name, %s, bits FROM changed WHERE bit_count(bits) > 0
ON CONFLICT (name, segment) DO UPDATE SET bits = excluded.bits
"""
"""Write the slices of a segment whose bits under the mask are others."""


def write_slices(segment: int, rows: Rows) -> None:
    """Store the bits of these rows."""
    made = make_bits(rows)
    starts = [rows.start + first for first, _ in made.values()]
    first, mask = write_ones([number % SEGMENT_BITS for number in rows.versions])
    texts = [pack(text) for _, text in made.values()]
    parameters: list[Any] = [[*made], starts, texts, pack(mask), first, *[segment] * 3]
    with connection.cursor() as cursor:
        cursor.execute(WRITE, parameters)


def pack(bits: str) -> str:
    """Return bits as PostgreSQL reads them fastest, in hexadecimal digits."""
    digits = -(-len(bits) // 4)
    return f"x{int(bits.ljust(4 * digits, '0'), 2):0{digits}x}"


def delete_rows(rows: Rows) -> int:
    """Delete these rows, but those that are others by now or are being changed. Return how many were deleted."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            DELETE FROM boards_indexrow WHERE number IN (
                SELECT number FROM boards_indexrow JOIN unnest(%s::bigint[], %s::bigint[]) AS folded(number, version)
                    USING (number, version)
                FOR UPDATE OF boards_indexrow SKIP LOCKED
            )
            """,
            [[*rows.versions], [*rows.versions.values()]],
        )
        return cursor.rowcount
