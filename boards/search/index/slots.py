"""What a fold reads: the segments of a slot, the rows between their keys, and the order of all their boards.

Rows are read in parts, so that long texts take no more memory than those of a part.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from typing import Any, NamedTuple

from boards.models import DeadPosition, KeyBlock, Segment
from boards.search.facts import ROW_LENGTH, auction_tags
from boards.search.index.keys import KEY_LENGTH
from boards.search.index.rows import NET_VOTES
from boards.search.words import word_tags
from config.database import fetch_rows

MAX_ROWS = 4_000
"""The rows of one fold. They are deleted while writers wait, 10 µs each."""


class Row(NamedTuple):
    """What is kept of a row of IndexRow, with the transaction that wrote it and the votes for the board."""

    board_id: Any
    key: bytes
    facts: bytes
    format: int
    version: str
    votes: int


class Rows(NamedTuple):
    """Rows in the order of their keys, and the positions that have each tag, run of calls or word.

    `votes_position` is how far the feed of events had come when the votes were read.
    """

    rows: list[Row]
    tagged: Mapping[str, Sequence[int]]
    votes_position: int


class Slot(NamedTuple):
    """Segments that follow each other, the oldest first, the rows between their keys, and their dead positions.

    `keys` has those of each segment and, under -1, those of the rows.
    """

    segments: list[Segment]
    rows: Rows
    dead: set[tuple[int, int]]
    keys: dict[int, bytes]


class Run(NamedTuple):
    """Neighbours in a source: the number of a segment in its slot, or -1 for the rows."""

    source: int
    start: int
    stop: int


def read_slot(segments: list[Segment], most: int) -> Slot:
    """Return the slot of these segments, with so many of its rows: the oldest, but those that follow the newest."""
    lowest, highest = b"", b"\xff" * KEY_LENGTH
    if segments:
        first = Segment.objects.order_by("oldest").first()
        lowest = b"" if first and first.pk == segments[0].pk else bytes(segments[0].oldest)
        following = Segment.objects.filter(oldest__gt=segments[-1].oldest).order_by("oldest").first()
        highest = bytes(following.oldest) if following else highest
    rows = read_rows(lowest, highest, most)
    dead = DeadPosition.objects.filter(segment_id__in=[segment.pk for segment in segments])
    keys = {number: read_segment_keys(segment) for number, segment in enumerate(segments)}
    keys[-1] = b"".join(row.key for row in rows.rows)
    return Slot(segments, rows, set(dead.values_list("segment_id", "position")), keys)


PART = 500
"""The rows or slices that are read at a time."""

ROWS = f"""
SELECT boards_indexrow.*, {NET_VOTES} AS votes, (SELECT last_position FROM deals_feedstate) FROM (
    SELECT board_id, key, facts, format, xmin::text, tags, calls, words FROM boards_indexrow
    WHERE key >= %s AND key < %s ORDER BY key LIMIT {PART}
) AS boards_indexrow JOIN boards_board ON boards_board.id = board_id ORDER BY key
"""
"""One statement reads the votes, and how far the feed is that tells of changed votes."""


def read_rows(lowest: bytes, highest: bytes, most: int) -> Rows:
    """Return so many rows, with keys from `lowest` to before `highest`: the oldest."""
    rows: list[Row] = []
    tagged: dict[str, MutableSequence[int]] = defaultdict(lambda: array("H"))
    positions = []
    while len(rows) < most and (part := fetch_rows(ROWS, [lowest, highest])):
        for board_id, key, facts, version, xmin, tags, calls, words, votes, position in part:
            for tag in all_tags(tags, calls, words):
                tagged[tag].append(len(rows))
            rows.append(Row(board_id, bytes(key), fill(facts), version, xmin, votes))
            positions.append(position or 0)
        lowest = rows[-1].key + b"\0"
    return Rows(rows, tagged, min(positions, default=0))


def fill(facts: bytes) -> bytes:
    """Return all facts, with none of those that a row of an earlier version lacks."""
    return bytes(facts).ljust(ROW_LENGTH, b"\0")


def all_tags(tags: str, calls: str, words: str) -> Iterable[str]:
    """Return what is true of a row of IndexRow beside its facts: tags, runs of calls and words."""
    return (*tags.split(), *auction_tags(calls), *word_tags(words))


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
    entries += [(row.key, -1, index) for index, row in enumerate(slot.rows.rows)]
    entries.sort()
    runs: list[Run] = []
    for _, source, index in entries:
        if runs and runs[-1].source == source and runs[-1].stop == index:
            runs[-1] = runs[-1]._replace(stop=index + 1)
        else:
            runs.append(Run(source, index, index + 1))
    return runs
