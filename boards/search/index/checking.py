"""Comparing the index with the boards, and making it anew. `manage.py index_boards` calls it.

All of it may run beside the service. Boards change between two queries: what seems to differ is compared once more,
under the board's lock. Segments are replaced: while one is compared, the lock that folds take alone is shared.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from boards.models import Board, IndexRow, Segment
from boards.querysets import BoardQuerySet
from boards.search.facts import FORMAT, ROW_LENGTH
from boards.search.index.bits import write
from boards.search.index.joining import make_bits
from boards.search.index.keys import KEY_LENGTH, id_of, key_of
from boards.search.index.rows import NET_VOTES
from boards.search.index.slices import CHANGED, PLACES
from boards.search.index.slots import Row, Rows, all_tags, read_segment_keys
from boards.search.index.tail import SEGMENTS, forget_keys, index_changed, make_row
from boards.search.index.types import united
from boards.search.index.votes import STEPS
from config.database import fetch_rows
from config.database.advisory_locks import lock_until_commit

CHUNK = 500

LOCKED = 100
"""The boards that one transaction locks. A vote on one of them waits until all are indexed, about 0.1 s."""


def find_wrong() -> Iterator[list[bytes]]:
    """Yield the keys of boards that are not indexed as they are, chunk by chunk. Most lists are empty."""
    for ids in iterate_ids(Board.objects.all()):
        yield confirm(wrong_among(ids))
    yield from wrong_in_segments()


@transaction.atomic
def confirm(keys: Sequence[bytes]) -> list[bytes]:
    """Return those of the keys whose boards still differ when nobody can change them."""
    if not keys:
        return []
    lock_boards(list(map(id_of, keys)))
    return wrong_among(list(map(id_of, keys)))


def lock_boards(board_ids: Collection[UUID]) -> None:
    """Keep the boards as they are until the transaction ends, and segments where they are."""
    list(Board.objects.filter(pk__in=board_ids).order_by("pk").select_for_update().values_list("pk"))
    lock_until_commit(SEGMENTS, shared=True)


def find_missing() -> Iterator[list[bytes]]:
    """Yield the keys of boards that are not indexed, or by another version of the program, chunk by chunk."""
    yield from keys_in(Segment.objects.exclude(format=FORMAT))
    for ids in iterate_ids(Board.objects.all()):
        rows = dict(IndexRow.objects.filter(pk__in=ids).values_list("pk", "format"))
        missing = unplaced(ids) - rows.keys() | {pk for pk, version in rows.items() if version != FORMAT}
        yield keys_of_boards(missing)


def find_old() -> Iterator[list[bytes]]:
    """Yield keys of boards that an earlier version of the program has indexed, in lists: all of segments, some rows."""
    yield from keys_in(Segment.objects.filter(format__lt=FORMAT))
    rows = IndexRow.objects.filter(format__lt=FORMAT)
    yield [bytes(key) for key in rows.values_list("key", flat=True)[:CHUNK]]


def keys_in(segments: QuerySet[Segment]) -> Iterator[list[bytes]]:
    """Yield the keys of the boards in these segments that are not dead there, in lists."""
    last = b""
    while segment := segments.filter(newest__gt=last).order_by("oldest").first():
        dead, keys = dead_of(segment), keys_of(segment)
        yield from in_chunks([key for position, key in enumerate(keys) if position not in dead])
        if keys or Segment.objects.filter(pk=segment.pk).exists():  # otherwise a fold has just replaced it
            last = bytes(segment.newest)


def find_all() -> Iterator[list[bytes]]:
    """Yield the keys of all boards, chunk by chunk."""
    for ids in iterate_ids(Board.objects.all()):
        yield keys_of_boards(ids)


def mend(keys: Sequence[bytes]) -> None:
    """Index the boards of these keys anew, those that still exist. The others leave the index."""
    for start in range(0, len(keys), LOCKED):
        chunk = keys[start : start + LOCKED]
        ids = list(map(id_of, chunk))
        with transaction.atomic():
            lock_boards(ids)
            forget_keys(chunk)
            index_changed(Board.objects.filter(pk__in=ids).with_details())


def keys_of_boards(board_ids: Collection[UUID]) -> list[bytes]:
    boards = Board.objects.filter(pk__in=board_ids).only("published_at", "created_at")
    return [key_of(board) for board in boards]


def in_chunks(keys: Sequence[bytes]) -> Iterator[list[bytes]]:
    return ([*keys[start : start + CHUNK]] for start in range(0, len(keys), CHUNK))


def iterate_ids(boards: BoardQuerySet) -> Iterator[list[UUID]]:
    """Yield the boards' ids in lists, in their order in lists, so that what is indexed together is folded together."""
    last: tuple[Any, UUID] | None = None
    while True:
        page = boards.order_by("created_at", "pk")
        if last:
            page = page.filter(Q(created_at__gt=last[0]) | Q(created_at=last[0], pk__gt=last[1]))
        if not (chunk := list(page.values_list("created_at", "pk")[:CHUNK])):
            return
        yield [pk for _, pk in chunk]
        last = chunk[-1]


def wrong_among(board_ids: Sequence[UUID]) -> list[bytes]:
    """Return those of the boards whose row differs from a new one, and those that have no row where they need one."""
    boards = Board.objects.filter(pk__in=board_ids).with_details()
    rows = IndexRow.objects.in_bulk(board_ids)
    placed = set(board_ids) - unplaced(board_ids)
    wrong = []
    for board in boards:
        row = rows.get(board.pk)
        if (row is None) != (board.pk in placed) or (row and content(row) != content(make_row(board))):
            wrong.append(key_of(board))
    return wrong


def content(row: IndexRow) -> tuple[Any, ...]:
    return bytes(row.key), bytes(row.facts), row.tags, row.calls, row.words, row.updated_at, row.format


def unplaced(board_ids: Sequence[UUID]) -> set[UUID]:
    """Return those of the boards whose key stands in no segment, or is dead there."""
    if connection.vendor != "postgresql":
        return set(board_ids)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT wanted.key FROM unnest(%s::bytea[]) AS wanted(key) CROSS JOIN LATERAL {PLACES} AS place
            WHERE NOT EXISTS (
                SELECT 1 FROM boards_deadposition AS dead
                WHERE dead.segment_id = place.segment_id AND dead.position = place.position
            )
            """,
            [keys_of_boards(board_ids)],
        )
        return set(board_ids) - {id_of(bytes(key)) for (key,) in cursor.fetchall()}


def keys_of(segment: Segment) -> list[bytes]:
    keys = read_segment_keys(segment)
    return [keys[start : start + KEY_LENGTH] for start in range(0, len(keys), KEY_LENGTH)]


def wrong_in_segments() -> Iterator[list[bytes]]:
    """Yield the keys of boards in segments that are not dead and whose bits are not those of the board.

    When a fold has replaced a segment, what stands behind the last key that was compared is compared in the new one.
    """
    last = b""
    while segment := Segment.objects.filter(newest__gt=last).order_by("oldest").first():
        keys = keys_of(segment)
        for start in range(bisect_right(keys, last), len(keys), CHUNK):
            chunk = keys[start : start + CHUNK]
            with transaction.atomic():
                lock_until_commit(SEGMENTS, shared=True)
                if not Segment.objects.filter(pk=segment.pk).exists():
                    break
                wrong = wrong_in_chunk(segment, start, chunk)
            yield wrong
            last = chunk[-1]
        else:
            last = bytes(segment.newest)


def wrong_in_chunk(segment: Segment, start: int, chunk: Sequence[bytes]) -> list[bytes]:
    """Return those of these keys, of the positions from `start` on, that are not dead and differ.

    Changed votes and dead positions are read last: a board that is changed meanwhile is among them.
    """
    ids = [id_of(key) for key in chunk]
    boards = Board.objects.filter(pk__in=ids).with_details().in_bulk()
    stored = stored_bits(segment, start, len(chunk))
    votes = dict(Board.objects.filter(pk__in=ids).values_list("pk", RawSQL(NET_VOTES, ())))  # noqa: S611  # our own text
    made = rows_of([make_row(boards[pk]) if pk in boards else None for pk in ids], [votes.get(pk, 0) for pk in ids])
    expected, nothing = make_bits(made), "0" * len(chunk)
    expected |= united(expected, len(chunk))
    differing = {position for position, row in enumerate(made.rows) if row.key != chunk[position]}
    voted = set()
    for name in expected.keys() | stored.keys():
        one, other = write(expected.get(name, ()), len(chunk)), stored.get(name, nothing)
        if one != other:
            places = {position for position in range(len(chunk)) if one[position] != other[position]}
            if name in STEPS:
                voted |= places
            else:
                differing |= places
    if voted:
        changed = {pk for (pk,) in fetch_rows(CHANGED)}
        differing |= {position for position in voted if ids[position] not in changed}
    dead = dead_of(segment)
    return [chunk[position] for position in sorted(differing) if start + position not in dead]


def rows_of(made: Sequence[IndexRow | None], votes: Sequence[int]) -> Rows:
    """Return these rows as a fold would read them. A board that is gone has a blank one."""
    rows: list[Row] = []
    tagged: dict[str, list[int]] = defaultdict(list)
    for position, (row, count) in enumerate(zip(made, votes, strict=True)):
        if row is None:
            rows.append(Row(None, b"", bytes(ROW_LENGTH), FORMAT, "", 0))
            continue
        rows.append(Row(row.pk, bytes(row.key), bytes(row.facts), row.format, "", count))
        for tag in all_tags(row.tags, row.calls, row.words):
            tagged[tag].append(position)
    return Rows(rows, tagged, 0)


def stored_bits(segment: Segment, start: int, length: int) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, substring(bits, %s, %s)::text FROM boards_slice WHERE segment_id = %s",
            [start + 1, length, segment.pk],
        )
        return dict(cursor.fetchall())


def dead_of(segment: Segment) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT position FROM boards_deadposition WHERE segment_id = %s", [segment.pk])
        return {position for (position,) in cursor.fetchall()}
