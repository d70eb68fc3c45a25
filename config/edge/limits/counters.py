"""Exact counters, shared by all processes, for the limits of forms and logins, and what serves but once.

django-ratelimit counts. Its decorator is not used: it answers 403, lets HEAD through and has no Retry-After. Its
windows are fixed, so up to twice the limit can pass where two windows meet. The counters are in the cache, so that no
transaction of the database takes a count back.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import redis.exceptions
from django.core.cache import cache
from django_ratelimit.core import get_usage
from redis.exceptions import RedisError

from config.api.errors import ServiceUnavailable


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` events in `seconds` seconds for the client or name of `key`."""

    key: str
    times: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a limit is used, and the seconds (`wait`) until its window ends."""

    limit: Limit
    count: int
    wait: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit.times - self.count)

    @property
    def exceeded(self) -> bool:
        return self.count > self.limit.times


HANGS = (redis.exceptions.TimeoutError, TimeoutError)
PAUSE_SECONDS = 0.1
"""Between two questions to a store that hangs. The one that it finds when it goes on is answered at once."""


class Outage:
    """What this process knows of a store that hangs: a request need not wait to find out what another has found.

    A thread asks the store until it answers, so that the next request counts again.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_on = False

    def begin(self) -> None:
        with self.lock:
            if self.is_on:
                return
            self.is_on = True
        threading.Thread(target=self.wait_for_end, name="wait for counters", daemon=True).start()

    def wait_for_end(self) -> None:
        """Ask the store until it answers, or refuses to at once: then no request waits long for it any more."""
        try:
            while True:
                with suppress(*HANGS):
                    cache.get("")
                    return
                time.sleep(PAUSE_SECONDS)
        except (RedisError, OSError):
            return
        finally:
            self.is_on = False


outage = Outage()

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_rate(rate: str) -> tuple[int, int]:
    """Parse "10/m" as (10, 60): times, seconds. Raise ValueError for anything else ("5/x" must not mean 5 a second)."""
    count, _, unit = rate.partition("/")
    if unit not in UNITS or not (count.isascii() and count.isdecimal()) or int(count) < 1:
        raise ValueError(f"{rate!r} is not a rate: write 10/s, 10/m, 10/h or 10/d.")
    return int(count), UNITS[unit]


def count(group: str, limit: Limit, *, increment: bool = True) -> Usage:
    """Count one more, or only look up the count. Raise ServiceUnavailable when the store is out of reach.

    The library counts `time_left` to the last second of the window, which still belongs to it: wait one second more.
    """
    with reaching_store():
        usage = get_usage(
            None,  # the key is ours and needs no request
            group=group,
            key=lambda group, request: limit.key,
            rate=(limit.times, limit.seconds),
            increment=increment,
        )
        if not usage["limit"]:  # The library's answer where the store has hidden its own failure.
            raise _unreachable()
    return Usage(limit, usage["count"], usage["time_left"] + 1)


def is_used(key: str) -> bool:
    """Tell whether something that serves but once is used up. Raise ServiceUnavailable without the store."""
    with reaching_store():
        return cache.get(key) is not None


def use_up(key: str, seconds: int) -> None:
    """Remember in all processes that something is used up. Raise ServiceUnavailable without the store."""
    with reaching_store():
        cache.set(key, 1, seconds)


@contextmanager
def reaching_store() -> Iterator[None]:
    """Raise ServiceUnavailable when the store is out of reach.

    A store that hangs costs the first requests a second, and not each of them (Outage).
    """
    if outage.is_on:
        raise _unreachable()
    try:
        yield
    except (RedisError, OSError) as error:
        if isinstance(error, HANGS):
            outage.begin()
        raise _unreachable() from error


def _unreachable() -> ServiceUnavailable:
    return ServiceUnavailable(
        "The limits cannot be checked now, so nothing was accepted. Repeat the request a little later."
    )
