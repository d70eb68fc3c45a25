"""Comparing the index with the boards, indexing boards again, and what /metrics and /readyz say of it.

All of it may run beside the service. Each comparison sees one snapshot, in which the index is right or is not.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from boards.models import Board
from boards.searching.subjects import index_boards, subject_of
from config.database import fetch_rows
from config.database.rows import count_up_to
from config.database.transactions import one_snapshot
from search.conditions import Between
from search.facts import NOTATION, make_row
from search.index.finding import NOTATION_OF_BOARD, lacking
from search.index.folding import FOLD_FROM, ones_of
from search.index.pages import NOTHING, count, find, found_tables_of
from search.index.rows import Statement
from search.models import SEGMENT_BITS, IndexRow, Slice, leave_numbers

CHUNK = 500
"""The numbers that are compared at once. It divides SEGMENT_BITS."""

LOCKED = 100
"""The boards that one transaction locks. A vote on one of them waits until all are indexed, about 0.1 s."""


def find_wrong() -> Iterator[list[int]]:
    """Yield the numbers whose boards are not indexed as they are, and those of no board that are, chunk by chunk."""
    for start in range(0, last_number() + 1, CHUNK):
        with one_snapshot(connection):
            wrong = wrong_within(range(start, start + CHUNK))
        yield wrong  # outside: whoever mends these boards writes


def last_number() -> int:
    """Return the last number that a board or the index has, or a greater one."""
    board, row = (each.aggregate(last=Max("number"))["last"] or 0 for each in (Board.objects, IndexRow.objects))
    segment = Slice.objects.aggregate(last=Max("segment"))["last"]
    return max(board, row, 0 if segment is None else (segment + 1) * SEGMENT_BITS)


def find_missing() -> Iterator[list[int]]:
    """Yield the numbers of boards that are not indexed, or by an earlier version of the program, chunk by chunk."""
    found = found_tables_of(Between(NOTATION_OF_BOARD, low=NOTATION))
    is_indexed = "number IN (SELECT number FROM found)"
    if connection.vendor == "postgresql":
        is_indexed = f"""
            coalesce((SELECT get_bit(bits, mod(number, {SEGMENT_BITS})::integer) FROM found
                WHERE segment = number / {SEGMENT_BITS}), 0) = 1
        """
    return find_numbers(found, f"NOT {is_indexed}")


def find_all() -> Iterator[list[int]]:
    """Yield the numbers of all boards, chunk by chunk."""
    return find_numbers(Statement(""), "true")


def find_numbers(tables: Statement, where: str) -> Iterator[list[int]]:
    sql = f"{tables.sql} SELECT number FROM boards_board WHERE number > %s AND {where} ORDER BY number LIMIT {CHUNK}"
    last = 0
    while numbers := [number for (number,) in fetch_rows(sql, [*tables.parameters, last])]:
        yield numbers
        last = numbers[-1]


def mend(numbers: Sequence[int]) -> None:
    """Index the boards of these numbers again. What has no board any more leaves the index."""
    for start in range(0, len(numbers), LOCKED):
        chunk = numbers[start : start + LOCKED]
        with transaction.atomic():
            locked = Board.objects.filter(number__in=chunk).order_by("pk").select_for_update()
            ids = list(locked.values_list("pk", flat=True))
            boards = Board.objects.filter(pk__in=ids).with_details()
            index_boards(boards)
            leave_numbers({*chunk} - {board.number for board in boards})


def keep_current() -> bool:
    """Index some boards again that an earlier version has indexed. The worker calls it. Return whether there were any.

    SQLite would look at all boards each time: there an operator runs `index_boards --missing`.
    """
    if connection.vendor != "postgresql":
        return False
    numbers = find(lacking(NOTATION), 0, CHUNK, None, NOTHING).numbers
    mend(numbers)
    return bool(numbers)


def wrong_within(numbers: range) -> list[int]:
    """Return those of the numbers whose row, or whose bits where there is none, differ from new ones of the board."""
    within = {"number__gte": numbers.start, "number__lt": numbers.stop}
    fresh = {board.number: make_row(subject_of(board)) for board in Board.objects.filter(**within).with_details()}
    rows = {row.number: row for row in IndexRow.objects.filter(**within)}
    wrong = {number for number, row in rows.items() if content(row) != content(fresh.get(number))}
    if connection.vendor != "postgresql":
        return sorted(wrong | fresh.keys() - rows.keys())
    return sorted(wrong | wrong_bits(numbers, fresh) - rows.keys())


def content(row: IndexRow | None) -> tuple[Any, ...] | None:
    """Return what a row says of a board, None where it says that there is none. Tags have no order."""
    if row is None or row.facts is None:
        return None
    return bytes(row.facts), {*row.tags.split()}, row.calls, row.words, row.updated_at


def wrong_bits(numbers: range, fresh: Mapping[int, IndexRow]) -> set[int]:
    """Return those of these numbers, which are of one segment, whose bits are not those of the new rows."""
    made, stored = ones_of(fresh.values()), stored_ones(numbers)
    names = made.keys() | stored.keys()
    return {number for name in names for number in {*made.get(name, ())} ^ stored.get(name, set())}


def stored_ones(numbers: range) -> dict[str, set[int]]:
    """Return by the names of slices those of these numbers that have a one there."""
    segment, start = divmod(numbers.start, SEGMENT_BITS)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT name, substring(bits, %s, {CHUNK})::text FROM boards_slice WHERE segment = %s",
            [start + 1, segment],
        )
        return {
            name: {number for number, digit in zip(numbers, bits, strict=True) if digit == "1"}
            for name, bits in cursor
            if "1" in bits
        }


MAX_COUNT = 100_000
MANY_ROWS = 16 * FOLD_FROM
"""So many rows make each search some milliseconds slower."""


def gauges() -> Iterator[Metric]:
    """Yield the gauges of the index. SQLite keeps all boards in rows, so that nothing waits there."""
    if connection.vendor != "postgresql":
        return
    rows = count_up_to(MAX_COUNT, IndexRow.objects.all())
    yield Gauge("bridge_boards_index_rows", f"Rows that wait to be folded into slices, {MAX_COUNT} at most", rows)
    oldest = IndexRow.objects.aggregate(oldest=Min("updated_at"))["oldest"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0
    yield Gauge("bridge_boards_index_age_seconds", "Since when the oldest of these boards was changed", age)
    newest = Slice.objects.aggregate(newest=Max("segment"))["newest"]
    yield Gauge("bridge_boards_index_segments", "Segments of the index", 0 if newest is None else newest + 1)
    old = count(lacking(NOTATION))
    yield Gauge("bridge_boards_index_old_boards", "Boards that an earlier version has indexed", old)


def trouble_of_index() -> str:
    """Return what is wrong with the index for its readers, "" where nothing is."""
    if connection.vendor != "postgresql":
        return ""
    if count(lacking(NOTATION)):
        return "Boards are not indexed by this version yet: a worker does it, and index_boards --missing faster."
    if count_up_to(MANY_ROWS, IndexRow.objects.all()) >= MANY_ROWS:
        return "Many boards wait to be folded into the index: searches are slow until a worker has done it."
    return ""
