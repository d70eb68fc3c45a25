"""Counting exactly, shared by all processes: what the limits of forms and logins stand on.

django-ratelimit counts; its decorator is not used (it answers 403, lets HEAD through and has no Retry-After). Its
windows are fixed, so across an edge up to twice the limit can pass. The counters are in the cache: no transaction of
the database takes a count back.
"""

from dataclasses import dataclass

from django.http import HttpRequest
from django_ratelimit.core import get_usage
from redis.exceptions import RedisError

from config.api.errors import ServiceUnavailable


@dataclass(frozen=True, slots=True)
class Limit:
    """So many times in so many seconds, by whom the key names."""

    key: str
    times: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a limit is used, and for how many seconds that still counts."""

    limit: Limit
    count: int
    wait: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit.times - self.count)

    @property
    def exceeded(self) -> bool:
        return self.count > self.limit.times


def count(request: HttpRequest, group: str, limit: Limit, *, increment: bool = True) -> Usage:
    """Count one more, unless told only to look; ServiceUnavailable when the store is out of reach.

    The library's window still holds at the second it names, so the wait is one longer.
    """
    try:
        found = get_usage(
            request,
            group=group,
            key=lambda group, request: limit.key,
            rate=(limit.times, limit.seconds),
            increment=increment,
        )
    except (RedisError, OSError) as error:
        raise _out_of_reach() from error
    if not found["limit"]:  # What the library says where the store has swallowed its own failure.
        raise _out_of_reach()
    return Usage(limit, found["count"], found["time_left"] + 1)


def _out_of_reach() -> ServiceUnavailable:
    return ServiceUnavailable("This cannot be counted now, so it is not taken. Repeat it a little later.")
