"""Folding rows into slices. The worker does it, on PostgreSQL alone; the index is right without it, and slower.

A fold reads rows of one segment, sets or clears the bits of their numbers, and deletes the rows that it has read, in
one transaction. Nobody else writes slices, and nobody waits for a fold: whoever changes a board writes its row, which
has another version then. A fold leaves such a row, and passes over rows that somebody is changing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import getitem

from django.db import connection, transaction
from django.db.models import Count, F

from search.facts import FACTS, NOTATION, OFFSETS, Fact, Number, auction_tags
from search.index.slices import NONE, slice_name
from search.models import SEGMENT_BITS, IndexRow
from search.words import word_tags

FOLDING = 5_202
"""The advisory lock of whoever folds."""

FOLD_FROM = 1_000
"""Rows from which on those of the fullest segment are folded. Each search reads all of them."""

MAX_ROWS = 4_000
"""The rows of one fold, which are in memory."""


def keep_folded() -> bool:
    """Fold rows of a segment if there are enough. The worker calls it. Return whether it did."""
    is_done = fold()
    if is_done and not connection.in_atomic_block:
        with connection.cursor() as cursor:  # each search reads these tables, and autovacuum comes once a minute
            cursor.execute("VACUUM boards_indexrow, boards_slice")
    return is_done


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
    within = IndexRow.objects.filter(number__gte=segment * SEGMENT_BITS, number__lt=(segment + 1) * SEGMENT_BITS)
    batch = list(within.order_by("number")[:rows])
    write_slices(segment, batch)
    return delete_rows(batch) > 0


def may_fold() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [FOLDING])
        return bool(cursor.fetchone()[0])


def choose_segment(least: int) -> int | None:
    """Return the segment with the most rows, None when all have fewer together."""
    segments = IndexRow.objects.annotate(segment=F("number") / SEGMENT_BITS).values_list("segment")
    rows = dict(segments.annotate(rows=Count("number")))
    return max(rows, key=rows.__getitem__) if rows and sum(rows.values()) >= least else None


def ones_of(rows: Iterable[IndexRow]) -> Mapping[str, list[int]]:
    """Return by the names of slices the numbers of those of the rows, in their order, that have a one there."""
    ones = defaultdict[str, list[int]](list)
    names_by_place, notation = names_of_bytes(), OFFSETS["notation"]
    for row in rows:
        number, facts = row.number, bytearray(row.facts or b"")
        if len(facts) > notation:  # a later version of the program has facts that are unknown here
            facts[notation] = min(facts[notation], NOTATION)
        of_facts = map(getitem, names_by_place, facts)
        for name in chain(*of_facts, row.tags.split(), auction_tags(row.calls), word_tags(row.words)):
            ones[name].append(number)
    return ones


@cache
def names_of_bytes() -> list[list[list[str]]]:
    """Return for each byte of a row's facts, and each value of it, the names of the slices that have a one for it."""
    return [names_of_digits(fact, place) for fact in FACTS.values() for place in range(fact.width)]


def names_of_digits(fact: Fact, place: int) -> list[list[str]]:
    names = [slice_name(fact, place, digit) for digit in range(1, fact.base)]
    if not isinstance(fact, Number):
        return [[], *([name] for name in names)]
    first = 1 if fact.is_known and fact.width == 1 else 0  # that of all boards
    return [names[first:digit] for digit in range(fact.base)]


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


def write_slices(segment: int, rows: Sequence[IndexRow]) -> None:
    """Store the bits of these rows."""
    ones = ones_of(rows)
    starts = [numbers[0] % SEGMENT_BITS for numbers in ones.values()]
    mask = [row.number for row in rows]
    bits = [*map(pack, ones.values())]
    with connection.cursor() as cursor:
        cursor.execute(WRITE, [[*ones], starts, bits, pack(mask), mask[0] % SEGMENT_BITS, *[segment] * 3])


def pack(numbers: Sequence[int]) -> str:
    """Return a bit for each number from the first to the last, as PostgreSQL reads them fastest: in hexadecimal."""
    first, one = numbers[0], ord("1")
    digits = (numbers[-1] - first) // 4 + 1
    bits = bytearray(b"0" * 4 * digits)
    for number in numbers:
        bits[number - first] = one
    return f"x{int(bits, 2):0{digits}x}"


def delete_rows(rows: Iterable[IndexRow]) -> int:
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
            [[row.number for row in rows], [row.version for row in rows]],
        )
        return cursor.rowcount
