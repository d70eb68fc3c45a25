"""Folding rows into segments. The worker does it, on PostgreSQL alone; the index is right without it, and slower.

A slot is a segment with the rows whose keys follow it. A fold replaces the segment of a slot: it takes the bits of its
boards that are not dead and puts the rows between them, in the order of their keys. All else stays as it is.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import Count

from boards.models import DeadPosition, IndexRow, KeyBlock, Segment, Slice
from boards.models.index import SEGMENT_BITS
from boards.search.index import slots
from boards.search.index.joining import write_segments
from boards.search.index.slots import Run, Slot, merge, read_slot
from boards.search.index.tail import SEGMENTS
from boards.search.index.types import OF_TYPE, unite_in_segments
from config.database.advisory_locks import lock_until_commit
from themes.label_cache import get_revision

logger = logging.getLogger(__name__)

FOLDING = 5_202
"""The advisory lock of whoever folds."""

FOLD_FROM = 2_048
"""Rows and dead positions from which on the fullest slot is folded. Each search reads all of them."""

MAX_WAIT = "50ms"
"""How long a fold waits for writers at a time. New writers wait behind it."""

TRIES = 100
PAUSE_SECONDS = 0.1


class SegmentsAreWritten(Exception):
    """Writers follow each other so closely that no fold could take its turn."""


def keep_folded() -> bool:
    """Fold one slot if it has enough rows and dead positions. The worker calls it. Return whether it did."""
    if connection.vendor != "postgresql":
        return False
    if IndexRow.objects.count() + DeadPosition.objects.count() < FOLD_FROM:
        return False
    try:
        if is_done := fold():
            clean_up()
        return is_done
    except SegmentsAreWritten:
        logger.warning("Writers left no moment to fold the index. The next try follows.")
        return False


def clean_up() -> None:
    """Take the rows that were folded out of their tables, which each search reads. Autovacuum comes once a minute."""
    if not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM boards_indexrow, boards_deadposition")


def fold_all(*, least: int = 1, capacity: int = SEGMENT_BITS, rows: int | None = None) -> int:
    """Fold until there are fewer rows and dead positions than this. Return how many folds there were."""
    folds = 0
    while fold(least=least, capacity=capacity, rows=rows):
        folds += 1
    return folds


@transaction.atomic
def fold(*, least: int = FOLD_FROM, capacity: int = SEGMENT_BITS, rows: int | None = None) -> bool:
    """Fold the slot with the most rows and dead positions, if all slots have so many. Return whether they had.

    `capacity` is how many boards a segment may have, and `rows` how many are folded at once: MAX_ROWS unless another
    number is given. One fold at a time: a second worker leaves it to the first.
    """
    if connection.vendor != "postgresql" or not may_fold():
        return False
    if (chosen := choose_slot(least, capacity)) is None:
        return False
    slot = read_slot(chosen, rows or slots.MAX_ROWS)
    runs = merge(slot)
    new = write_segments(slot, runs, capacity)
    replace(slot, runs, new)
    return True


def may_fold() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [FOLDING])
        return bool(cursor.fetchone()[0])


ROWS_OF_SLOTS = """
SELECT (SELECT id FROM boards_segment WHERE oldest <= key ORDER BY oldest DESC LIMIT 1) AS segment_id, count(*)
FROM boards_indexrow GROUP BY 1
"""


def choose_slot(least: int, capacity: int) -> list[Segment] | None:
    """Return the segments of the fullest slot, none where there is none yet. None when all slots have less together.

    A segment that has become small takes its older neighbour along.
    """
    segments = list(Segment.objects.order_by("oldest"))
    waiting: dict[int | None, int] = defaultdict(int)
    with connection.cursor() as cursor:
        cursor.execute(ROWS_OF_SLOTS)
        for segment_id, count in cursor.fetchall():
            waiting[segment_id or (segments[0].pk if segments else None)] += count
    dead = DeadPosition.objects.order_by().values_list("segment_id").annotate(count=Count("position"))
    dead_of = dict(dead.values_list("segment_id", "count"))
    for segment_id, count in dead_of.items():
        waiting[segment_id] += count
    if not waiting or sum(waiting.values()) < least:
        return None
    fullest = max(waiting, key=waiting.__getitem__)
    if fullest is None:
        return []
    index = next(index for index, segment in enumerate(segments) if segment.pk == fullest)
    left = segments[index].boards + waiting[fullest] - 2 * dead_of.get(fullest, 0)
    return segments[max(0, index - (left < capacity // 4)) : index + 1]


def replace(slot: Slot, runs: Sequence[Run], new: Sequence[int]) -> None:
    """Let the new segments take the place of the slot's. What was changed since it was read is dead in them.

    Writers wait from the lock on: what can be done before it is.
    """
    old_ids = [segment.pk for segment in slot.segments]
    slices = Slice.objects.filter(segment_id__in=old_ids)
    slices.exclude(name__startswith=OF_TYPE).delete()
    KeyBlock.objects.filter(segment_id__in=old_ids).delete()
    Segment.objects.filter(pk__in=old_ids).delete()
    revision = get_revision()
    unite_in_segments(new)
    rows = slot.rows.rows
    folded = (array_of(range(len(rows))), array_of(row.board_id for row in rows), array_of(row.version for row in rows))
    known = (array_of(segment_id for segment_id, _ in slot.dead), array_of(position for _, position in slot.dead))
    lock_out_writers()
    slices.delete()  # those of types, which whoever changes a theme's type writes while it shares the lock
    if get_revision() != revision:
        unite_in_segments(new)
    changed = {(-1, index) for (index,) in run(DELETE_ROWS, folded)}
    numbers = {segment.pk: number for number, segment in enumerate(slot.segments)}
    died = run(DELETE_DEAD, [old_ids, *known])
    changed |= {(numbers[segment_id], position) for segment_id, position in died}
    if changed:
        capacity = max_boards(new)
        DeadPosition.objects.bulk_create(
            DeadPosition(segment_id=new[place // capacity], position=place % capacity) for place in where(changed, runs)
        )


DELETE_ROWS = """
WITH folded AS (
    SELECT * FROM unnest(%s::integer[], %s::uuid[], %s::xid[]) AS folded(index, board_id, version)
),
deleted AS (
    DELETE FROM boards_indexrow AS stored USING folded
    WHERE stored.board_id = folded.board_id AND stored.xmin = folded.version RETURNING index
)
SELECT index FROM folded WHERE index NOT IN (SELECT index FROM deleted)
"""
"""Delete the rows that were folded. Return which of them are gone, or are others by now."""

DELETE_DEAD = """
WITH deleted AS (
    DELETE FROM boards_deadposition WHERE segment_id = ANY(%s) RETURNING segment_id, position
)
SELECT segment_id, position FROM deleted
EXCEPT SELECT * FROM unnest(%s::integer[], %s::integer[])
"""
"""Delete the dead positions. Return those that were not known."""


def run(sql: str, parameters: Sequence[Any]) -> list[tuple[int, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def array_of(values: Iterable[object]) -> str:
    """Return values without commas and quotes as PostgreSQL writes an array."""
    return f"{{{','.join(map(str, values))}}}"


def max_boards(segment_ids: Sequence[int]) -> int:
    """Return how many boards each of these segments has. The last one may have fewer."""
    return Segment.objects.get(pk=segment_ids[0]).boards


def where(entries: set[tuple[int, int]], runs: Sequence[Run]) -> Iterator[int]:
    """Yield where these entries of the sources stand along the runs."""
    before = 0
    for run in runs:
        for index in range(run.start, run.stop):
            if (run.source, index) in entries:
                yield before + index - run.start
        before += run.stop - run.start


def lock_out_writers() -> None:
    """Hold the segments alone until this transaction ends. Wait for writers in turns, so that others get through."""
    for _ in range(TRIES):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{MAX_WAIT}'")
                lock_until_commit(SEGMENTS)
            return
        except OperationalError:  # a writer has not finished yet
            time.sleep(PAUSE_SECONDS)
    raise SegmentsAreWritten
