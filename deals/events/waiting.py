"""Waiting for news. Each request that waits has a thread, and a process has few: so only some may wait at once."""

from contextlib import suppress
from threading import BoundedSemaphore
from time import monotonic

from config.worker.shutdown import ShutdownRequest, ShutdownRequested
from deals.events.feed import FeedPage, has_news, read_events

MAX_SECONDS = 25
"""Proxies give up an answer that takes longer than 30 or 60 seconds."""

MAX_WAITING = 2
"""The requests that may wait at once in a process. gunicorn gives it eight threads (config/gunicorn.conf.py)."""

POLL_SECONDS = 0.5

seats = BoundedSemaphore(MAX_WAITING)

shutdown = ShutdownRequest()
"""Made when the process is to stop (config/gunicorn.conf.py), which must not be kept by requests that wait."""


def read_or_wait(*, after: int | None, limit: int, seconds: float) -> FeedPage:
    """Return the events after this position. Without any, wait for the first one, at most so many seconds.

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
