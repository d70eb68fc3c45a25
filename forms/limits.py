"""How often a form may be sent: exactly, shared by all processes, per client and in all.

django-ratelimit counts; its decorator is not used (it answers 403, lets HEAD through and has no Retry-After). Its
windows are fixed, so across an edge up to twice the limit can pass.
"""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_ratelimit.core import get_usage
from redis.exceptions import RedisError

from config.api.errors import RateLimited, ServiceUnavailable
from config.api.limits import client_network, split_rate

OUT_OF_REACH = "Forms cannot be counted now, so none is taken."


@dataclass(frozen=True, slots=True)
class Usage:
    """The state of one limit after this request was counted."""

    limit: int
    seconds: int
    count: int
    wait: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.count)

    @property
    def exceeded(self) -> bool:
        return self.count > self.limit


def count(request: HttpRequest, form: str) -> Usage | None:
    """Count a post. RateLimited when any limit is passed; ServiceUnavailable when the counters are out of reach.

    The narrowest is counted first and a refused post counts no further, so that one visitor cannot use up what is
    everybody's. Gives the state of the client's own limit, None when all are off. A household is an IPv6 /64, a
    provider's customer a /48.
    """
    own, total = settings.FORM_RATE_PER_CLIENT, settings.FORM_RATE_IN_TOTAL
    keys = (
        (f"client:{client_network(request, 64)}", own, 1),
        (f"network:{client_network(request, 48)}", own, 4),
        ("everybody", total, 1),
    )
    states = []
    for key, rate, times in keys:
        if rate:
            states.append(usage(request, form, key, rate, times))
            if states[-1].exceeded:
                raise RateLimited(headers={"Retry-After": str(states[-1].wait), **headers(states[-1])})
    return states[0] if states else None


def usage(request: HttpRequest, form: str, key: str, rate: str, times: int) -> Usage:
    """The library's window still holds at the second it names, so the wait is one longer."""
    limit, seconds = split_rate(rate)
    limit *= times
    try:
        found = get_usage(
            request,
            group=f"forms.{form}",
            key=lambda group, request: key,
            rate=(limit, seconds),
            increment=True,
        )
    except (RedisError, OSError) as error:
        raise ServiceUnavailable(OUT_OF_REACH) from error
    if not found["count"]:  # What the library says where the store has swallowed its own failure.
        raise ServiceUnavailable(OUT_OF_REACH)
    return Usage(limit, seconds, found["count"], found["time_left"] + 1)


def headers(state: Usage) -> dict[str, str]:
    """RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11)."""
    return {
        "RateLimit-Policy": f'"forms";q={state.limit};w={state.seconds}',
        "RateLimit": f'"forms";r={state.remaining};t={state.wait}',
    }


def mark(response: HttpResponse, state: Usage) -> HttpResponse:
    for name, value in headers(state).items():
        response[name] = value
    return response
