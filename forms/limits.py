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


def count(request: HttpRequest, form: str) -> Usage:
    """Count a post. RateLimited when any limit is passed; ServiceUnavailable when the counters are out of reach.

    Gives the state of the client's own limit. A household is an IPv6 /64, a provider's customer a /48.
    """
    own = f"client:{client_network(request, 64)}"
    wider = f"network:{client_network(request, 48)}"
    usages = [
        usage(request, form, own, settings.FORM_RATE_PER_CLIENT),
        usage(request, form, wider, settings.FORM_RATE_PER_CLIENT, times=4),
        usage(request, form, "everybody", settings.FORM_RATE_IN_TOTAL),
    ]
    exceeded = [found for found in usages if found.exceeded]
    if exceeded:
        wait = max(found.wait for found in exceeded)
        raise RateLimited(
            headers={"Retry-After": str(wait), **headers(max(exceeded, key=lambda found: found.wait))}
        )
    return usages[0]


def usage(request: HttpRequest, form: str, key: str, rate: str, times: int = 1) -> Usage:
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
        raise ServiceUnavailable("Forms cannot be counted now, so none is taken.") from error
    return Usage(limit, seconds, found["count"], max(1, found["time_left"]))


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
