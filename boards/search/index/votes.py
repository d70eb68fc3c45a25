"""Votes in segments. A vote costs the index nothing: it writes an event of the feed, as it did before.

A segment's slices know the votes as they were at a position of the feed, `votes_position`. A search looks at those
boards alone whose votes have an event after it, or one without a position yet (boards.search.index.slices.CHANGED_VOTES).
Who sees the position of an event sees the votes too: positions are given to events that are committed. The worker
makes the slices anew when there are many such boards.
"""

import logging
from collections import defaultdict
from collections.abc import Mapping

from django.db import connection, transaction

from boards.models import Segment, Slice
from boards.models.index import BLOCK_KEYS
from boards.search.facts import VOTES
from boards.search.index.bits import pack
from boards.search.index.folding import SegmentsAreWritten, lock_out_writers, may_fold
from boards.search.index.keys import KEY_LENGTH
from boards.search.index.rows import NET_VOTES
from boards.search.index.slices import CHANGED, KEY, PLACES, slice_name
from config.database import fetch_rows
from deals.events.feed import get_state, read_latest

logger = logging.getLogger(__name__)

MANY_VOTES = 500
"""So many boards with changed votes are looked at by a search, a dozen microseconds each."""

MANY_EVENTS = 10_000
"""So many events, most of which tell of no votes, are passed over by a search."""

STEPS = {slice_name(VOTES, 0, stored): stored for stored in range(2, VOTES.size + 1)}
"""The slices of votes, and from which stored form on a board is among their ones."""

DUE = f"""
SELECT (SELECT count(*) FROM (SELECT FROM ({CHANGED}) AS changed LIMIT {MANY_VOTES}) AS many) >= {MANY_VOTES}
    OR EXISTS (
        SELECT FROM boards_segment, deals_feedstate AS state
        WHERE votes_position < greatest(state.last_position - {MANY_EVENTS}, state.pruned_position)
    )
    OR EXISTS (
        SELECT FROM ({CHANGED}) AS changed JOIN deals_feedevent AS event ON event.votes_of = changed.votes_of
        WHERE event.created_at < now() - interval '1 hour'
    )
"""
"""Votes are refreshed after an hour at the latest, so that they are before `prune` deletes the event."""


def keep_votes() -> bool:
    """Make the slices of votes anew if many votes have changed. The worker calls it. Return whether it did."""
    if connection.vendor != "postgresql" or not Segment.objects.exists() or not fetch_rows(DUE)[0][0]:
        return False
    try:
        return refresh_votes()
    except SegmentsAreWritten:
        logger.warning("Writers left no moment to refresh the votes of the index. The next try follows.")
        return False


def refresh_votes() -> bool:
    """Let the slices know the votes as they are now. Return False when a fold is under way."""
    read_latest()  # gives events their positions
    with transaction.atomic():
        if not may_fold():
            return False
        state = get_state()
        unknown = Segment.objects.filter(votes_position__lt=state.pruned_position)
        votes = {segment.pk: votes_of_segment(segment) for segment in unknown}
        for segment_id, position, count in fetch_rows(CHANGED_PLACES):
            votes.setdefault(segment_id, {})[position] = count
        changes = [change for segment_id, counts in votes.items() for change in new_slices(segment_id, counts)]
        lock_out_writers()  # and whoever compares slices with boards
        store(changes)
        Segment.objects.update(votes_position=state.last_position)
    return True


CHANGED_PLACES = f"""
SELECT place.segment_id, place.position, wanted.votes FROM (
    SELECT {KEY}, {NET_VOTES} AS votes FROM boards_board JOIN ({CHANGED}) AS changed ON changed.votes_of = id
) AS wanted CROSS JOIN LATERAL {PLACES} AS place
"""

VOTES_OF_SEGMENT = f"""
SELECT number * {BLOCK_KEYS} + one, {NET_VOTES} FROM boards_keyblock
CROSS JOIN LATERAL generate_series(0, length(keys) / {KEY_LENGTH} - 1) AS one
JOIN boards_board ON boards_board.id = encode(substr(keys, one * {KEY_LENGTH} + 9, 16), 'hex')::uuid
WHERE segment_id = %s
"""


def votes_of_segment(segment: Segment) -> dict[int, int]:
    """Return the votes of all boards of a segment, by their positions: events of some of them were deleted."""
    return dict(fetch_rows(VOTES_OF_SEGMENT, [segment.pk]))


Change = tuple[str, int, int]
"""A slice, its segment, and its bits as a number."""


def new_slices(segment_id: int, votes: Mapping[int, int]) -> list[Change]:
    """Return the slices of a segment that differ when its boards at these positions have these votes."""
    sql = "SELECT name, varbit_send(bits) FROM boards_slice WHERE segment_id = %s AND name = ANY(%s)"
    old = {name: int.from_bytes(bytes(packed)[4:]) for name, packed in fetch_rows(sql, [segment_id, [*STEPS]])}
    positions: dict[int, list[int]] = defaultdict(list)
    for position, count in votes.items():
        positions[VOTES.store(count)].append(position)
    changed, ones = number_of([*votes]), 0
    changes = []
    for name, stored in reversed(STEPS.items()):
        ones |= number_of(positions.get(stored, []))
        before = old.get(name, 0)
        if (after := before & ~changed | ones) != before:
            changes.append((name, segment_id, after))
    return changes


def number_of(positions: list[int]) -> int:
    return int.from_bytes(pack(positions)) if positions else 0


def store(changes: list[Change]) -> None:
    width = len(pack([])) * 2
    for name, segment_id, _ in changes:
        Slice.objects.filter(name=name, segment_id=segment_id).delete()
    with connection.cursor() as cursor, cursor.copy("COPY boards_slice (name, segment_id, bits) FROM STDIN") as copy:
        for name, segment_id, number in changes:
            if number:
                copy.write_row((name, segment_id, f"x{number:0{width}x}"))
