"""Reading events in an order in which none is ever missed, waiting for new ones, and deleting old ones.

The next reader after a commit assigns positions, one reader at a time. So a position is visible before any higher one
exists (decision 0018).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from threading import BoundedSemaphore
from time import monotonic

from django.db import connection, transaction
from django.db.models import QuerySet

from config.api.errors import CursorExpired, ValidationFailed
from config.database import fetch_rows
from config.database.retention import Retention
from config.worker.runner import ShutdownRequest, ShutdownRequested
from deals.models import FeedEvent, FeedState

MAX_EVENTS = 500
BATCH_SIZE = 2 * MAX_EVENTS
"""How many events get a position at a time: more than a reader takes, so that it learns whether there are more."""

PENDING = "SELECT EXISTS (SELECT 1 FROM deals_feedevent WHERE position IS NULL)"
NEWS = "SELECT EXISTS (SELECT 1 FROM deals_feedevent WHERE position IS NULL OR position > %s)"

NUMBER = """
UPDATE deals_feedevent SET position = %s + numbered.number
FROM (
    SELECT id, row_number() OVER (ORDER BY votes_of IS NOT NULL, id) AS number
    FROM deals_feedevent WHERE id IN ({keys})
) AS numbered
WHERE deals_feedevent.id = numbered.id
"""
"""One statement: bulk_update takes many times as long, and votes wait for it."""


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Events in their order, and the cursor after the last one."""

    events: Sequence[FeedEvent]
    position: int
    has_more: bool

    @property
    def cursor(self) -> str:
        return str(self.position)


def has_news(position: int) -> bool:
    """Tell whether anything has happened after this position, by one look at two indexes outside any transaction."""
    return bool(fetch_rows(NEWS, [position])[0][0])


def give_positions() -> int:
    """Give the next positions to committed events that have none, at most BATCH_SIZE. Return to how many.

    Call inside a transaction. The lock on the row of FeedState lets one reader at a time do this. An event that a vote
    has locked is skipped and left to the next reader: nobody waits here for a change under way.
    """
    state, _ = FeedState.objects.select_for_update().get_or_create(pk=1)
    pending = FeedEvent.objects.filter(position=None).select_for_update(skip_locked=True)
    keys = list(pending.filter(votes_of=None).order_by("id").values_list("id", flat=True)[:BATCH_SIZE])
    if len(keys) < BATCH_SIZE:
        votes = pending.exclude(votes_of=None).order_by("votes_of").values_list("id", flat=True)
        keys += votes[: BATCH_SIZE - len(keys)]
    if not keys:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(NUMBER.format(keys=",".join(map(str, keys))), [state.last_position])
    state.last_position += len(keys)
    state.save(update_fields=["last_position"])
    return len(keys)


@contextmanager
def complete_feed() -> Iterator[FeedState]:
    """Give positions where some are missing, and let the block read the feed before anything else happens to it.

    The next vote takes the position of its board's event away again. It waits until the block has read.
    """
    if not fetch_rows(PENDING)[0][0]:
        yield get_state()
        return
    with transaction.atomic():
        give_positions()
        yield get_state()


def read_latest() -> FeedPage:
    """Return no events, and the cursor after all that have happened so far.

    However many have no position yet, each batch gets them in its own transaction: votes wait for one batch at most.
    """
    while fetch_rows(PENDING)[0][0]:
        with transaction.atomic():
            if give_positions() < BATCH_SIZE:
                break  # what is left now is locked by a change under way
    return FeedPage((), get_state().last_position, has_more=False)


def read_events(*, after: int | None, limit: int) -> FeedPage:
    """Return the events after this position, or the oldest that are kept for None.

    Raise CursorExpired when events after this position were deleted, and ValidationFailed when it was never given.
    """
    with complete_feed() as state:
        if after is None:
            after = state.pruned_position
        if after < state.pruned_position:
            raise CursorExpired
        if after > state.last_position:
            message = "This cursor is ahead of the feed. Read all boards again, then follow the feed from after=latest."
            raise ValidationFailed(meta={"fields": {"after": [{"code": "unknown", "message": message}]}})
        events = list(FeedEvent.objects.filter(position__gt=after).order_by("position")[: limit + 1])
    shown = events[:limit]
    return FeedPage(shown, shown[-1].position or 0 if shown else after, has_more=len(events) > limit)


def get_state() -> FeedState:
    return FeedState.objects.first() or FeedState()


def expired_events(before: datetime) -> QuerySet[FeedEvent]:
    return FeedEvent.objects.filter(created_at__lt=before)


def delete_events(keys: Sequence[int], before: datetime) -> int:
    """Delete events, and remember how far, so that a reader who comes too late learns it. Call inside a transaction.

    They are locked in the order in which an erasure locks them. One that has happened again since stays. Those that
    nobody has read take a position with them, so that whoever has read all others learns of them.
    """
    state, _ = FeedState.objects.select_for_update().get_or_create(pk=1)
    expired = expired_events(before).filter(pk__in=keys).order_by("votes_of", "pk").select_for_update()
    positions = dict(expired.values_list("pk", "position"))
    given = [position for position in positions.values() if position]
    if len(given) < len(positions):
        state.last_position += 1
        given.append(state.last_position)
    state.pruned_position = max([state.pruned_position, *given])
    state.save()
    return FeedEvent.objects.filter(pk__in=positions).delete()[0]


RETENTION = Retention("events of the feed", "FEED_RETENTION_DAYS", expired_events, delete_events)


MAX_SECONDS = 25
"""Proxies give up an answer that takes longer than 30 or 60 seconds."""

MAX_WAITING = 2
"""The requests that may wait at once in a process. gunicorn gives it eight threads (config/gunicorn.conf.py)."""

POLL_SECONDS = 0.5

seats = BoundedSemaphore(MAX_WAITING)

shutdown = ShutdownRequest()
"""Made when the process is to stop (config/gunicorn.conf.py), which must not be kept by requests that wait."""


def read_or_wait(*, after: int | None, limit: int, seconds: float) -> FeedPage:
    """Return the events after this position. Without any, wait for the first one, at most this number of seconds.

    Do not wait when MAX_WAITING others do already, nor when the process is to stop. Between two looks the connection is
    in no transaction. Raise what `read_events` raises.
    """
    page = read_events(after=after, limit=limit)
    if page.events or not seconds or not seats.acquire(blocking=False):
        return page
    try:
        end = monotonic() + seconds
        with suppress(ShutdownRequested):
            while not page.events and (left := end - monotonic()) > 0:
                shutdown.wait(min(POLL_SECONDS, left))
                if has_news(page.position):
                    page = read_events(after=page.position, limit=limit)
        return page
    finally:
        seats.release()
