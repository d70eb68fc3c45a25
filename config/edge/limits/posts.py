"""How often what anybody may send is taken: counted exactly for each household, for each customer and in total."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http.response import HttpResponseBase

from config.api.errors import RateLimited, ServiceUnavailable
from config.edge.limits import counters
from config.edge.limits.counters import Limit, Usage, parse_rate
from config.edge.security.client_address import client_network


@dataclass(frozen=True, slots=True)
class PostLimits:
    """The limits on posts of one group. `per_client` and `in_total` name the settings that have their rates.

    `meta` is that of the request, which says who the client is.
    """

    group: str
    per_client: str
    in_total: str

    def limits_of(self, meta: Mapping[str, Any]) -> Iterator[Limit]:
        """Yield the limits that are on, the narrowest first.

        An IPv6 /64 is one household, a /48 one customer of a provider, who may send four times as much. For IPv4 both
        are the address.
        """
        household, customer = client_network(meta, 64), client_network(meta, 48)
        if rate := getattr(settings, self.per_client):
            posts, seconds = parse_rate(rate)
            yield Limit(f"client:{household}", posts, seconds)
            if customer != household:
                yield Limit(f"network:{customer}", 4 * posts, seconds)
        if rate := getattr(settings, self.in_total):
            yield Limit("everybody", *parse_rate(rate))

    def count(self, name: str, meta: Mapping[str, Any]) -> Usage | None:
        """Count a post and return the usage of the narrowest limit, or None when all limits are off.

        Each name in the group is counted apart. Raise RateLimited when a limit is exceeded. Its Retry-After is the
        longest wait of all limits that would refuse the next post. Raise ServiceUnavailable when the counters are out
        of reach.

        A refused post counts no further than the limit that refuses it, so that one visitor cannot use up the total.
        """
        usages: list[Usage] = []
        for limit in self.limits_of(meta):
            is_within = not any(usage.exceeded for usage in usages)
            usages.append(self.count_limit(name, limit, increment=is_within))
        if any(usage.exceeded for usage in usages):
            longest = max((usage for usage in usages if not usage.remaining), key=lambda usage: usage.wait)
            raise RateLimited(headers={"Retry-After": str(longest.wait), **self.headers(longest)})
        return usages[0] if usages else None

    def count_limit(self, name: str, limit: Limit, *, increment: bool) -> Usage:
        """Count one post, or only look. A ServiceUnavailable that this raises bears the limit's policy."""
        try:
            return counters.count(f"{self.group}.{name}", limit, increment=increment)
        except ServiceUnavailable as error:
            error.headers = {**error.headers, "RateLimit-Policy": self.policy(limit)}
            raise

    def policy(self, limit: Limit) -> str:
        return f'"{self.group}";q={limit.times};w={limit.seconds}'

    def headers(self, usage: Usage | None) -> dict[str, str]:
        """Return RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11), none without a limit."""
        if usage is None:
            return {}
        return {
            "RateLimit-Policy": self.policy(usage.limit),
            "RateLimit": f'"{self.group}";r={usage.remaining};t={usage.wait}',
        }

    def headers_without_counting(self, name: str, meta: Mapping[str, Any]) -> dict[str, str]:
        """Return the same headers for a request that does not count, without RateLimit when the counters are down."""
        limit = next(self.limits_of(meta), None)
        if limit is None:
            return {}
        try:
            return self.headers(self.count_limit(name, limit, increment=False))
        except ServiceUnavailable:
            return {"RateLimit-Policy": self.policy(limit)}


def add_headers(response: HttpResponseBase, values: dict[str, str]) -> None:
    for name, value in values.items():
        response[name] = value
