"""How often a form may be sent: exactly, shared by all processes, per client and in all."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.errors import RateLimited, ServiceUnavailable
from config.edge import counters
from config.edge.client_address import client_network
from config.edge.counters import Limit, Usage, parse_rate


def limits(request: HttpRequest) -> Iterator[Limit]:
    """The narrowest first. A household is an IPv6 /64, a provider's customer a /48, with four times the limit."""
    if own := settings.FORM_RATE_PER_CLIENT:
        posts, seconds = parse_rate(own)
        household, customer = client_network(request, 64), client_network(request, 48)
        yield Limit(f"client:{household}", posts, seconds)
        if customer != household:
            yield Limit(f"network:{customer}", 4 * posts, seconds)
    if total := settings.FORM_RATE_IN_TOTAL:
        yield Limit("everybody", *parse_rate(total))


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
    try:
        return counters.count(f"forms.{form}", limit, increment=increment)
    except ServiceUnavailable as error:
        error.headers = {**error.headers, "RateLimit-Policy": policy(limit)}
        raise


def policy(limit: Limit) -> str:
    return f'"forms";q={limit.times};w={limit.seconds}'


def headers(state: Usage) -> dict[str, str]:
    """RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11)."""
    return {
        "RateLimit-Policy": policy(state.limit),
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
        return {"RateLimit-Policy": policy(limit)}


def mark(response: HttpResponseBase, marks: dict[str, str]) -> None:
    for name, value in marks.items():
        response[name] = value
