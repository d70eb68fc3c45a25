"""What a fold writes: the slices and key blocks of new segments, made of those of old ones and of rows.

Slices are read in parts, and those with few ones are handled as positions: so many words take little memory.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from django.db import connection

from boards.models import KeyBlock, Segment
from boards.models.index import BLOCK_KEYS
from boards.search.facts import FACTS, FORMAT, OFFSETS, VOTES, Choice, Number
from boards.search.index.bits import Bits, count, cut, move, pack, unpack, write
from boards.search.index.keys import KEY_LENGTH
from boards.search.index.slices import slice_name
from boards.search.index.slots import PART, Rows, Run, Slot
from boards.search.index.types import OF_TYPE
from config.database import fetch_rows


def write_segments(slot: Slot, runs: Sequence[Run], capacity: int) -> list[int]:
    """Store the new segments of these runs, the oldest first. Return their ids."""
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
            votes_position=oldest_votes(slot, runs),
        )
        write_blocks(segment, part)
        ids.append(segment.pk)
    write_slices(ids, join_slices(slot, runs), capacity)
    return ids


def oldest_format(slot: Slot, runs: Sequence[Run]) -> int:
    """Return the least format of the rows, the segments of the runs, and this program, which writes no later facts."""
    return min(
        FORMAT,
        *(segment.format for segment in used_segments(slot, runs)),
        *(row.format for row in slot.rows.rows),
    )


def oldest_votes(slot: Slot, runs: Sequence[Run]) -> int:
    """Return the position in the feed up to which the votes of all runs are known."""
    positions = [segment.votes_position for segment in used_segments(slot, runs)]
    return min(positions + [slot.rows.votes_position] * bool(slot.rows.rows))


def used_segments(slot: Slot, runs: Sequence[Run]) -> list[Segment]:
    return [slot.segments[source] for source in {run.source for run in runs} - {-1}]


def take(runs: Iterable[Run], sources: Mapping[int, Any], width: int = 1) -> Iterator[Any]:
    return (sources[run.source][run.start * width : run.stop * width] for run in runs)


def join_slices(slot: Slot, runs: Sequence[Run]) -> Iterator[tuple[str, Bits]]:
    """Yield each slice with its bits along the runs."""
    lengths = {number: segment.boards for number, segment in enumerate(slot.segments)}
    lengths[-1] = len(slot.rows.rows)
    places, join = places_of(runs, lengths), joiner(runs, lengths)
    added = make_bits(slot.rows)
    for name, parts in read_slices(slot.segments):
        if name in added:
            parts[-1] = added.pop(name)
        yield name, join_bits(parts, lengths, places, join)
    for name, bits in added.items():
        yield name, join_bits({-1: bits}, lengths, places, join)


def join_bits(
    parts: Mapping[int, Bits],
    lengths: Mapping[int, int],
    places: Mapping[int, Sequence[int]],
    join: Callable[[Mapping[int, str]], str],
) -> Bits:
    """Return the bits of a slice along the runs. A source that is not among the parts has none."""
    few = {source: bits for source, bits in parts.items() if not isinstance(bits, str)}
    if len(few) == len(parts):
        return move(few, places)
    return join({source: write(parts.get(source, ()), length) for source, length in lengths.items()})


MANY_RUNS = 3_000
"""With so many runs, as after changes here and there, it is faster to pick each bit than to cut and join runs."""


def joiner(runs: Sequence[Run], lengths: Mapping[int, int]) -> Callable[[Mapping[int, str]], str]:
    """Return what joins the bits of the sources along the runs."""
    if len(runs) < MANY_RUNS:
        return lambda texts: "".join(take(runs, texts))
    starts = dict(zip(lengths, accumulate(lengths.values(), initial=0), strict=False))
    pick = itemgetter(*(starts[source] + index for source, start, stop in runs for index in range(start, stop)))
    return lambda texts: "".join(pick("".join(texts[source] for source in lengths)))


def places_of(runs: Sequence[Run], lengths: Mapping[int, int]) -> Mapping[int, Sequence[int]]:
    """Return where each position of the sources stands along the runs, -1 for nowhere."""
    places = {source: array("i", [-1]) * length for source, length in lengths.items()}
    before = 0
    for source, start, stop in runs:
        places[source][start:stop] = array("i", range(before, before + stop - start))
        before += stop - start
    return places


SLICES = f"""
SELECT name, segment_id, varbit_send(bits) FROM (
    SELECT name, segment_id, bits FROM boards_slice
    WHERE segment_id = ANY(%s) AND (name, segment_id) > (%s, %s) AND NOT starts_with(name, '{OF_TYPE}')
    ORDER BY name, segment_id LIMIT {PART}
) AS slices ORDER BY name, segment_id
"""
HEAD = 4
"""The bytes before those of the bits: how many bits there are."""


def read_slices(segments: Sequence[Segment]) -> Iterator[tuple[str, dict[int, Bits]]]:
    """Yield each slice with its bits in these segments, by their numbers."""
    numbers = {segment.pk: number for number, segment in enumerate(segments)}

    def rows() -> Iterator[tuple[str, int, bytes]]:
        last: tuple[str, int] = ("", 0)
        while part := fetch_rows(SLICES, [[*numbers], *last]):
            yield from part
            last = part[-1][:2]

    for name, slices in groupby(rows(), itemgetter(0)):
        yield (
            name,
            {numbers[segment_id]: unpack(bytes(packed)[HEAD:]) for _, segment_id, packed in slices},
        )


def make_bits(rows: Rows) -> dict[str, Bits]:
    """Return the bits of the rows' slices, by their names: a column of bytes at a time."""
    bits: dict[str, Bits] = dict(rows.tagged)
    for fact in FACTS.values():
        for place in range(fact.width):
            offset = OFFSETS[fact.name] + place
            add_thresholds(bits, fact, place, bytes(row.facts[offset] for row in rows.rows))
    add_thresholds(bits, VOTES, 0, bytes(VOTES.store(row.votes) for row in rows.rows))
    return bits


def add_thresholds(bits: dict[str, Bits], fact: Any, place: int, column: bytes) -> None:
    """Add the slices of a byte of a fact, of which these are the values in the rows."""
    for name, table in tables_of(fact, place, max(column, default=0)):
        if "1" in (text := column.translate(table).decode()):
            bits[name] = text


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


def write_blocks(segment: Segment, keys: bytes) -> None:
    size = BLOCK_KEYS * KEY_LENGTH
    parts = [keys[start : start + size] for start in range(0, len(keys), size)]
    KeyBlock.objects.bulk_create(
        KeyBlock(segment_id=segment.pk, number=number, oldest=part[:KEY_LENGTH], keys=part)
        for number, part in enumerate(parts)
    )


def write_slices(segment_ids: Sequence[int], slices: Iterable[tuple[str, Bits]], capacity: int) -> None:
    """Store these bits, in so many segments. PostgreSQL reads them fastest as hexadecimal digits.

    The densest come first: two of those that cannot be compressed fill a page, and the others fit on what is left.
    """
    rows: list[tuple[int, str, int, Bits | bytes]] = []
    for name, bits in slices:
        for number, segment_id in enumerate(segment_ids):
            part = cut(bits, number * capacity, (number + 1) * capacity)
            if ones := count(part):
                density = min(ones, len(part) - ones) if isinstance(part, str) else ones
                rows.append((-density, name, segment_id, pack(part) if isinstance(part, str) else part))
    rows.sort(key=itemgetter(0, 1, 2))
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY boards_slice (name, segment_id, bits) FROM STDIN") as copy,
    ):
        for _, name, segment_id, part in rows:
            packed = part if isinstance(part, bytes) else pack(part)
            copy.write_row((name, segment_id, f"x{packed.hex()}"))
