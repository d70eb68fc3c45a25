"""How often a form may be sent: exactly, shared by all processes, per client and in all.

django-ratelimit counts; its decorator is not used (it answers 403, lets HEAD through and has no Retry-After). Its
windows are fixed, so across an edge up to twice the limit can pass. The counters are in the cache: no transaction of
the database takes a count back.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_ratelimit.core import get_usage
from redis.exceptions import RedisError

from config.api.errors import RateLimited, ServiceUnavailable
from config.api.limits import client_network, split_rate


@dataclass(frozen=True, slots=True)
class Limit:
    """So many posts in so many seconds, of one form, by whom the key names."""

    key: str
    posts: int
    seconds: int

    @property
    def policy(self) -> str:
        return f'"forms";q={self.posts};w={self.seconds}'


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a limit is used, and for how many seconds that still counts."""

    limit: Limit
    count: int
    wait: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit.posts - self.count)

    @property
    def exceeded(self) -> bool:
        return self.count > self.limit.posts


def limits(request: HttpRequest) -> Iterator[Limit]:
    """The narrowest first. A household is an IPv6 /64, a provider's customer a /48, with four times the limit."""
    if own := settings.FORM_RATE_PER_CLIENT:
        posts, seconds = split_rate(own)
        household, customer = client_network(request, 64), client_network(request, 48)
        yield Limit(f"client:{household}", posts, seconds)
        if customer != household:
            yield Limit(f"network:{customer}", 4 * posts, seconds)
    if total := settings.FORM_RATE_IN_TOTAL:
        yield Limit("everybody", *split_rate(total))


def count(request: HttpRequest, form: str) -> Usage | None:
    """Count a post. RateLimited when any limit is passed; ServiceUnavailable when the counters are out of reach.

    A refused post counts no further than the limit that refuses it, so that one visitor cannot use up what is
    everybody's. Retry-After is the longest wait of all that would refuse the next post. Gives the state of the
    narrowest limit, None when all are off.
    """
    states: list[Usage] = []
    for limit in limits(request):
        passed = not any(state.exceeded for state in states)
        states.append(usage(request, form, limit, increment=passed))
    if any(state.exceeded for state in states):
        last = max((state for state in states if not state.remaining), key=lambda state: state.wait)
        raise RateLimited(headers={"Retry-After": str(last.wait), **headers(last)})
    return states[0] if states else None


def usage(request: HttpRequest, form: str, limit: Limit, *, increment: bool) -> Usage:
    """The library's window still holds at the second it names, so the wait is one longer."""
    try:
        found = get_usage(
            request,
            group=f"forms.{form}",
            key=lambda group, request: limit.key,
            rate=(limit.posts, limit.seconds),
            increment=increment,
        )
    except (RedisError, OSError) as error:
        raise out_of_reach(limit) from error
    if not found["limit"]:  # What the library says where the store has swallowed its own failure.
        raise out_of_reach(limit)
    return Usage(limit, found["count"], found["time_left"] + 1)


def out_of_reach(limit: Limit) -> ServiceUnavailable:
    return ServiceUnavailable(
        "Forms cannot be counted now, so none is taken. Send it again a little later.",
        headers={"RateLimit-Policy": limit.policy},
    )


def headers(state: Usage) -> dict[str, str]:
    """RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11)."""
    return {
        "RateLimit-Policy": state.limit.policy,
        "RateLimit": f'"forms";r={state.remaining};t={state.wait}',
    }


def uncounted_headers(request: HttpRequest, form: str) -> dict[str, str]:
    """The same for a request that does not count: without what is left, where the counters are out of reach."""
    limit = next(limits(request), None)
    if limit is None:
        return {}
    try:
        return headers(usage(request, form, limit, increment=False))
    except ServiceUnavailable:
        return {"RateLimit-Policy": limit.policy}


def mark(response: HttpResponseBase, marks: dict[str, str]) -> None:
    for name, value in marks.items():
        response[name] = value
