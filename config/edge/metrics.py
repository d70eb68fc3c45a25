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


class MetricsMiddleware:
    """Count by the route's pattern, never by the path: an id in a label would make a time series of its own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - started
        route = route_of(request)
        method = request.method if request.method in METHODS else "other"
        requests, durations = series_of(method, route, response.status_code)
        requests.inc()
        durations.observe(seconds)
        level = logging.INFO if response.status_code >= HTTPStatus.BAD_REQUEST else logging.DEBUG
        if access_log.isEnabledFor(level):
            fields = {"milliseconds": round(seconds * 1000, 1)}
            access_log.log(level, "%s /%s %s", method, route, response.status_code, extra={"fields": fields})
        return response


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
