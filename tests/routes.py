"""The routes of the service, read from its URLconf. Tests of conventions and of access go through them."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver
from django.views import View
from rest_framework.views import APIView

VERBS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Route:
    path: str
    view: type[View]
    methods: tuple[str, ...]
    name: str | None
    is_of_router: bool

    @property
    def is_page(self) -> bool:
        """Tell whether the view is a page for people: a plain Django view, which knows no tokens."""
        return not issubclass(self.view, APIView)


def routes() -> list[Route]:
    """Return every route but those of the admin and of static files."""
    return [route(path, pattern) for path, pattern in walk(get_resolver()) if not path.startswith("admin/")]


def api_routes() -> list[Route]:
    return [route for route in routes() if not route.is_page]


def plain_pages() -> list[str]:
    """Return the pages that need no id or name, of members too, but for signing in, guides and a club’s files."""
    pages = [route.path for route in routes() if route.is_page and "GET" in route.methods]
    return sorted(path for path in pages if "<" not in path and not path.startswith(("/sign", "/api", "/club")))


def walk(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern, path)
        else:
            yield path, pattern


def route(path: str, pattern: URLPattern) -> Route:
    view = getattr(pattern.callback, "cls", None) or pattern.callback.view_class
    actions = getattr(pattern.callback, "actions", None)
    offered = actions if actions is not None else [verb for verb in VERBS if hasattr(view, verb)]
    methods = tuple(verb.upper() for verb in VERBS if verb in offered)
    is_of_router = "basename" in getattr(pattern.callback, "initkwargs", {})
    return Route("/" + path, view, methods, pattern.name, is_of_router)
