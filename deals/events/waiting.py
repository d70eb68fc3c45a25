"""Waiting for news. Each request that waits has a thread, and a process has few: so only some may wait at once."""

from threading import BoundedSemaphore
from time import monotonic, sleep

from deals.events.feed import has_news

MAX_SECONDS = 25
"""Proxies give up an answer that takes longer than 30 or 60 seconds."""

MAX_WAITING = 2
"""The requests that may wait at once in a process. gunicorn gives it eight threads (config/gunicorn.conf.py)."""

POLL_SECONDS = 0.5

seats = BoundedSemaphore(MAX_WAITING)


def wait_for_news(position: int, seconds: float) -> None:
    """Return when there is something to read after this position, or when the seconds are over.

    Return at once when MAX_WAITING others wait already. Between two looks the connection is in no transaction.
    """
    if not seats.acquire(blocking=False):
        return
    try:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0 and not has_news(position):
            sleep(min(POLL_SECONDS, left))
    finally:
        seats.release()
