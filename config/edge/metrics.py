"""Prometheus metrics by route, and the access line that each request leaves in the log."""

import logging
import os
import time
from functools import cache
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess

from config.edge.middleware import GetResponse
from config.edge.routes import route_of

REQUESTS = Counter("bridge_boards_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "bridge_boards_request_seconds", "Time from the first middleware to the answer", ["route"]
)
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "DELETE"})

access_log = logging.getLogger("access")


ROUTE = "bridge_boards.route"
"""The name in META under which whoever stands before Django finds the route of a request that Django has answered."""


class MetricsMiddleware:
    """Count by the route's pattern, never by the path: an id in a label would make a time series of its own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - started
        route = request.META[ROUTE] = route_of(request)
        count_request(request.method or "", route, response.status_code, seconds)
        return response


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered, and leave its access line."""
    if method not in METHODS:
        method = "other"
    requests, durations = series_of(method, route, status)
    requests.inc()
    durations.observe(seconds)
    level = logging.INFO if status >= HTTPStatus.BAD_REQUEST else logging.DEBUG
    if access_log.isEnabledFor(level):
        fields = {"milliseconds": round(seconds * 1000, 1)}
        access_log.log(level, "%s /%s %s", method, route, status, extra={"fields": fields})


@cache
def series_of(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Return the two time series of a request. There are no more of them than routes, methods and statuses allow."""
    return REQUESTS.labels(method, route, status), SECONDS.labels(route)


def render_metrics() -> bytes:
    """Return the text that Prometheus reads: of all workers where gunicorn set up a shared folder, else of this one."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)
