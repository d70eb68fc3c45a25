"""Prometheus metrics: how many requests, how long, by route. And the one access line a request leaves in the log."""

import logging
import os
import time
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess

from config.api.middleware import GetResponse

REQUESTS = Counter("bridge_boards_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram(
    "bridge_boards_request_seconds", "Time from the first middleware to the answer", ["route"]
)
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "DELETE"})

access_log = logging.getLogger("access")


class MetricsMiddleware:
    """Counts by the route's pattern, never by the path: an id in a label would make a time series of its own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - started
        route = request.resolver_match.route if request.resolver_match else "unknown"
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        SECONDS.labels(route).observe(seconds)
        level = logging.INFO if response.status_code >= HTTPStatus.BAD_REQUEST else logging.DEBUG
        fields = {"milliseconds": round(seconds * 1000, 1)}
        access_log.log(level, "%s /%s %s", method, route, response.status_code, extra={"fields": fields})
        return response


def exposition() -> bytes:
    """The text Prometheus reads: of all the processes where gunicorn named a shared folder, else of this one."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)
