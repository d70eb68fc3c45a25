"""How often a form may be sent: counted exactly, shared by all processes, for each client and in total."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.errors import RateLimited, ServiceUnavailable
from config.edge.limits import counters
from config.edge.limits.counters import Limit, Usage, parse_rate
from config.edge.security.client_address import client_network


@dataclass(frozen=True, slots=True)
class ClientNetworks:
    """The networks that a request comes from: an IPv6 /64 is one household, a /48 one customer of a provider.

    For IPv4 both are the address.
    """

    household: str
    customer: str

    @classmethod
    def of_request(cls, request: HttpRequest) -> Self:
        return cls(client_network(request.META, 64), client_network(request.META, 48))


def limits_of(client: ClientNetworks) -> Iterator[Limit]:
    """Yield the limits that are on, the narrowest first. A customer may send four times as much as a household."""
    if rate := settings.FORM_RATE_PER_CLIENT:
        posts, seconds = parse_rate(rate)
        yield Limit(f"client:{client.household}", posts, seconds)
        if client.customer != client.household:
            yield Limit(f"network:{client.customer}", 4 * posts, seconds)
    if rate := settings.FORM_RATE_IN_TOTAL:
        yield Limit("everybody", *parse_rate(rate))


def count(form: str, client: ClientNetworks) -> Usage | None:
    """Count a post and return the usage of the narrowest limit, or None when all limits are off.

    Raise RateLimited when a limit is exceeded. Its Retry-After is the longest wait of all limits that would refuse
    the next post. Raise ServiceUnavailable when the counters are out of reach.

    A refused post counts no further than the limit that refuses it, so that one visitor cannot use up the total.
    """
    usages: list[Usage] = []
    for limit in limits_of(client):
        is_within = not any(usage.exceeded for usage in usages)
        usages.append(count_limit(form, limit, increment=is_within))
    if any(usage.exceeded for usage in usages):
        longest = max((usage for usage in usages if not usage.remaining), key=lambda usage: usage.wait)
        raise RateLimited(headers={"Retry-After": str(longest.wait), **headers(longest)})
    return usages[0] if usages else None


def count_limit(form: str, limit: Limit, *, increment: bool) -> Usage:
    """Count one post, or only look. A ServiceUnavailable that this raises bears the limit's policy."""
    try:
        return counters.count(f"forms.{form}", limit, increment=increment)
    except ServiceUnavailable as error:
        error.headers = {**error.headers, "RateLimit-Policy": policy(limit)}
        raise


def policy(limit: Limit) -> str:
    return f'"forms";q={limit.times};w={limit.seconds}'


def headers(usage: Usage | None) -> dict[str, str]:
    """Return RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11), none when all limits are off."""
    if usage is None:
        return {}
    return {
        "RateLimit-Policy": policy(usage.limit),
        "RateLimit": f'"forms";r={usage.remaining};t={usage.wait}',
    }


def headers_without_counting(form: str, client: ClientNetworks) -> dict[str, str]:
    """Return the same headers for a request that does not count, without RateLimit when the counters are down."""
    limit = next(limits_of(client), None)
    if limit is None:
        return {}
    try:
        return headers(count_limit(form, limit, increment=False))
    except ServiceUnavailable:
        return {"RateLimit-Policy": policy(limit)}


def add_headers(response: HttpResponseBase, values: dict[str, str]) -> None:
    for name, value in values.items():
        response[name] = value
