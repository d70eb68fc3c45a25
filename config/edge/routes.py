"""The route that a request belongs to, also when it was answered before routing."""

from django.http import HttpRequest
from django.urls import Resolver404, resolve


def route_of(request: HttpRequest) -> str:
    """Return the URL pattern, never the path with its ids. Return "unknown" for a path that no route has."""
    if request.resolver_match is None:
        try:
            request.resolver_match = resolve(request.path_info)
        except Resolver404:
            return "unknown"
    return request.resolver_match.route
