"""Folding rows into segments. The worker does it, on PostgreSQL alone; the index is right without it, and slower.

A slot is a segment with the rows whose keys follow it. A fold replaces the segment of a slot: it takes the bits of its
boards that are not dead and puts the rows between them, in the order of their keys. All else stays as it is. Bits are
texts of "0" and "1" here, so that to cut and to join them is all there is to do.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import OperationalError, connection, transaction
from django.db.models import Count

from boards.models import DeadPosition, IndexRow, KeyBlock, Segment, Slice
from boards.models.index import BLOCK_KEYS, SEGMENT_BITS
from boards.search.facts import FACTS, FORMAT, OFFSETS, Choice, Number, auction_tags
from boards.search.keys import KEY_LENGTH
from boards.search.slices import slice_name
from boards.search.storing import SEGMENTS
from config.database.advisory_locks import lock_until_commit

logger = logging.getLogger(__name__)

FOLDING = 5_202
"""The advisory lock of whoever folds."""

FOLD_FROM = 2_048
"""Rows and dead positions from which on the fullest slot is folded. Each search reads all of them."""

MAX_ROWS = 16_000
"""The rows of one fold. They are deleted while writers wait."""

MAX_WAIT = "50ms"
"""How long a fold waits for writers at a time. New writers wait behind it."""

TRIES = 100
PAUSE_SECONDS = 0.1


class Row(NamedTuple):
    """A row of IndexRow, with the transaction that wrote it."""

    board_id: Any
    key: bytes
    facts: bytes
    tags: str
    calls: str
    format: int
    version: str


class Slot(NamedTuple):
    """Segments that follow each other, the oldest first, the rows between their keys, and their dead positions.

    `keys` has those of each segment and, under -1, those of the rows.
    """

    segments: list[Segment]
    rows: list[Row]
    dead: set[tuple[int, int]]
    keys: dict[int, bytes]


class Run(NamedTuple):
    """Neighbours in a source: the number of a segment in its slot, or -1 for the rows."""

    source: int
    start: int
    stop: int


class SegmentsAreWritten(Exception):
    """Writers follow each other so closely that no fold could take its turn."""


def keep_folded() -> bool:
    """Fold one slot if it has enough rows and dead positions. The worker calls it. Return whether it did."""
    if connection.vendor != "postgresql":
        return False
    if IndexRow.objects.count() + DeadPosition.objects.count() < FOLD_FROM:
        return False
    try:
        return fold()
    except SegmentsAreWritten:
        logger.warning("Writers left no moment to fold the index. The next try follows.")
        return False


def fold_all(*, least: int = 1, capacity: int = SEGMENT_BITS) -> int:
    """Fold until there are fewer rows and dead positions than this. Return how many folds there were."""
    folds = 0
    while fold(least=least, capacity=capacity):
        folds += 1
    return folds


@transaction.atomic
def fold(*, least: int = FOLD_FROM, capacity: int = SEGMENT_BITS) -> bool:
    """Fold the slot with the most rows and dead positions, if all slots have so many. Return whether they had.

    `capacity` is how many boards a segment may have. One fold at a time: a second worker leaves it to the first.
    """
    if connection.vendor != "postgresql" or not may_fold():
        return False
    if (chosen := choose_slot(least, capacity)) is None:
        return False
    slot = read_slot(chosen)
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


def read_slot(segments: list[Segment]) -> Slot:
    """Return the slot of these segments, with MAX_ROWS of its rows: the oldest, but those that follow the newest."""
    with connection.cursor() as cursor:
        lowest, highest = b"", b"\xff" * KEY_LENGTH
        if segments:
            first = Segment.objects.order_by("oldest").first()
            lowest = b"" if first and first.pk == segments[0].pk else bytes(segments[0].oldest)
            following = Segment.objects.filter(oldest__gt=segments[-1].oldest).order_by("oldest").first()
            highest = bytes(following.oldest) if following else highest
        cursor.execute(
            f"""
            SELECT board_id, key, facts, tags, calls, format, xmin::text FROM boards_indexrow
            WHERE key >= %s AND key < %s ORDER BY key LIMIT {MAX_ROWS:d}
            """,
            [lowest, highest],
        )
        rows = [Row(pk, bytes(key), bytes(facts), *rest) for pk, key, facts, *rest in cursor.fetchall()]
    dead = DeadPosition.objects.filter(segment_id__in=[segment.pk for segment in segments])
    keys = {number: read_segment_keys(segment) for number, segment in enumerate(segments)}
    keys[-1] = b"".join(row.key for row in rows)
    return Slot(segments, rows, set(dead.values_list("segment_id", "position")), keys)


def read_segment_keys(segment: Segment) -> bytes:
    blocks = KeyBlock.objects.filter(segment_id=segment.pk).order_by("number")
    return b"".join(bytes(keys) for keys in blocks.values_list("keys", flat=True))


def merge(slot: Slot) -> list[Run]:
    """Return the slot's boards that are not dead and its rows in the order of their keys, as runs."""
    entries = [
        (slot.keys[source][position * KEY_LENGTH : (position + 1) * KEY_LENGTH], source, position)
        for source, segment in enumerate(slot.segments)
        for position in range(segment.boards)
        if (segment.pk, position) not in slot.dead
    ]
    entries += [(row.key, -1, index) for index, row in enumerate(slot.rows)]
    entries.sort()
    runs: list[Run] = []
    for _, source, index in entries:
        if runs and runs[-1].source == source and runs[-1].stop == index:
            runs[-1] = runs[-1]._replace(stop=index + 1)
        else:
            runs.append(Run(source, index, index + 1))
    return runs


def write_segments(slot: Slot, runs: Sequence[Run], capacity: int) -> list[int]:
    """Store the new segments of these runs, the oldest first. Return their ids."""
    bits = {number: read_bits(segment) for number, segment in enumerate(slot.segments)}
    bits[-1] = make_bits(slot.rows)
    keys = b"".join(take(runs, slot.keys, KEY_LENGTH))
    boards = len(keys) // KEY_LENGTH
    ids = []
    for start in range(0, boards, capacity):
        part = keys[start * KEY_LENGTH : (start + capacity) * KEY_LENGTH]
        segment = Segment.objects.create(
            oldest=part[:KEY_LENGTH],
            newest=part[-KEY_LENGTH:],
            boards=len(part) // KEY_LENGTH,
            format=oldest_format(slot, runs),
        )
        write_blocks(segment, part)
        ids.append(segment.pk)
    write_slices(ids, joined_bits(runs, bits), capacity)
    return ids


def oldest_format(slot: Slot, runs: Sequence[Run]) -> int:
    """Return FORMAT, or another one when a row or a segment of the runs has it: then some facts are missing."""
    sources = {run.source for run in runs}
    formats = {segment.format for number, segment in enumerate(slot.segments) if number in sources}
    formats |= {row.format for row in slot.rows}
    return next(iter(formats - {FORMAT}), FORMAT)


def take(runs: Iterable[Run], sources: Mapping[int, Any], width: int = 1) -> Iterator[Any]:
    return (sources[run.source][run.start * width : run.stop * width] for run in runs)


def joined_bits(runs: Sequence[Run], bits: Mapping[int, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield each slice with its bits along the runs."""
    nothing = "0" * SEGMENT_BITS
    for name in sorted({name for texts in bits.values() for name in texts}):
        yield name, "".join(take(runs, {source: texts.get(name, nothing) for source, texts in bits.items()}))


def read_bits(segment: Segment) -> dict[str, str]:
    """Return the bits of a segment's slices, by their names."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, bits::text FROM boards_slice WHERE segment_id = %s", [segment.pk])
        return dict(cursor.fetchall())


def make_bits(rows: Sequence[Row]) -> dict[str, str]:
    """Return the bits of the rows' slices, by their names: a column of bytes at a time."""
    bits: dict[str, str] = {}
    for fact in FACTS.values():
        for place in range(fact.width):
            offset = OFFSETS[fact.name] + place
            column = bytes(row.facts[offset] for row in rows)
            for name, table in tables_of(fact, place, max(column, default=0)):
                if "1" in (text := column.translate(table).decode()):
                    bits[name] = text
    for tag, positions in positions_of_tags(rows).items():
        digits = bytearray(b"0" * len(rows))
        for position in positions:
            digits[position] = ONE
        bits[tag] = digits.decode()
    return bits


ZERO, ONE = b"01"


def tables_of(fact: Any, place: int, highest: int) -> Iterator[tuple[str, bytes]]:
    """Yield the slices of a byte of a fact, with a table that turns the byte into "1" or "0"."""
    if isinstance(fact, Choice):
        for index, value in enumerate(fact.values, start=1):
            yield f"{fact.name}={value}", bytes([ONE if byte == index else ZERO for byte in range(256)])
        return
    lowest = 2 if isinstance(fact, Number) and fact.is_known and fact.width == 1 else 1
    for digit in range(lowest, highest + 1):
        yield slice_name(fact, place, digit), bytes([ZERO] * digit + [ONE] * (256 - digit))


def positions_of_tags(rows: Sequence[Row]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, row in enumerate(rows):
        for tag in (*row.tags.split(), *auction_tags(row.calls)):
            positions[tag].append(position)
    return positions


def write_blocks(segment: Segment, keys: bytes) -> None:
    size = BLOCK_KEYS * KEY_LENGTH
    parts = [keys[start : start + size] for start in range(0, len(keys), size)]
    KeyBlock.objects.bulk_create(
        KeyBlock(segment_id=segment.pk, number=number, oldest=part[:KEY_LENGTH], keys=part)
        for number, part in enumerate(parts)
    )


def write_slices(segment_ids: Sequence[int], slices: Iterable[tuple[str, str]], capacity: int) -> None:
    """Store these bits, in so many segments. PostgreSQL reads them fastest as hexadecimal digits.

    The densest come first: two of those that cannot be compressed fill a page, and the others fit on what is left.
    """
    rows: list[tuple[int, str, int, str]] = []
    for name, bits in slices:
        for number, segment_id in enumerate(segment_ids):
            part = bits[number * capacity : (number + 1) * capacity]
            if ones := part.count("1"):
                digits = int(part.ljust(SEGMENT_BITS, "0"), 2)
                density = min(ones, len(part) - ones)
                rows.append((-density, name, segment_id, f"x{digits:0{SEGMENT_BITS // 4}x}"))
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY boards_slice (name, segment_id, bits) FROM STDIN") as copy,
    ):
        for _, *row in sorted(rows):
            copy.write_row(row)


def replace(slot: Slot, runs: Sequence[Run], new: Sequence[int]) -> None:
    """Let the new segments take the place of the slot's. What was changed since it was read is dead in them."""
    old_ids = [segment.pk for segment in slot.segments]
    Slice.objects.filter(segment_id__in=old_ids).delete()
    KeyBlock.objects.filter(segment_id__in=old_ids).delete()
    Segment.objects.filter(pk__in=old_ids).delete()
    lock_out_writers()
    with connection.cursor() as cursor:
        cursor.execute(
            """
            DELETE FROM boards_indexrow USING unnest(%s::uuid[], %s::text[]) AS folded(id, version)
            WHERE board_id = folded.id AND xmin::text = folded.version RETURNING board_id
            """,
            [[row.board_id for row in slot.rows], [row.version for row in slot.rows]],
        )
        folded = {pk for (pk,) in cursor.fetchall()}
    dead = DeadPosition.objects.filter(segment_id__in=old_ids)
    died = set(dead.values_list("segment_id", "position")) - slot.dead
    changed = {(-1, index) for index, row in enumerate(slot.rows) if row.board_id not in folded}
    numbers = {segment.pk: number for number, segment in enumerate(slot.segments)}
    changed |= {(numbers[segment_id], position) for segment_id, position in died}
    dead.delete()
    if changed:
        capacity = max_boards(new)
        DeadPosition.objects.bulk_create(
            DeadPosition(segment_id=new[place // capacity], position=place % capacity)
            for place in places_of(changed, runs)
        )


def max_boards(segment_ids: Sequence[int]) -> int:
    """Return how many boards each of these segments has. The last one may have fewer."""
    return Segment.objects.get(pk=segment_ids[0]).boards


def places_of(entries: set[tuple[int, int]], runs: Sequence[Run]) -> Iterator[int]:
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
