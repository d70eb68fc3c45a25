"""Prometheus metrics by route, and the middleware that counts, logs and reports each request."""

import os
import time
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus

from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from config import paths
from config.edge.middleware import GetResponse
from config.edge.observability import access_log
from config.edge.routes import route_of
from config.edge.security.security_log import account_of, log_security
from config.values.request_id import request_id

REQUESTS = Counter("bridge_boards_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram("bridge_boards_request_seconds", "Time from the first middleware to the answer", ["route"])
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "DELETE"})

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
        method = known_method(request.method)
        count_request(method, route, response.status_code, seconds)
        report_refusal(request, response.status_code)
        if access_log.LEFT_OUT not in request.META and access_log.wants(response.status_code):
            access_log.write(
                access_log.Line(method, route, response.status_code, seconds, request_id.get()),
                request.META,
                account=account_of(request),
                subject=getattr(request, "user_id", None),
            )
        return response


def known_method(method: str | None) -> str:
    return method if method in METHODS else "other"


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    requests, durations = series_of(method, route, status)
    requests.inc()
    durations.observe(seconds)


def report_refusal(request: HttpRequest, status: int) -> None:
    """Tell the security log of a caller who may not do what it asked for, and of limited logins.

    Only here, since a refusal comes from a permission, a request check, the admin, or Django's check of forms.
    """
    if status == HTTPStatus.FORBIDDEN:
        log_security("forbidden")
    elif status == HTTPStatus.TOO_MANY_REQUESTS and paths.is_under(request.path_info, paths.ADMIN, paths.SIGN_IN):
        log_security("login_limited")


@cache
def series_of(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Return the two time series of a request. There are no more of them than routes, methods and statuses allow."""
    return REQUESTS.labels(method, route, status), SECONDS.labels(route)


def render_metrics() -> bytes:
    """Return the text that Prometheus reads: of all workers where gunicorn set up a shared folder, else of this one.

    The gauges are the same whichever process answers: they are read from the database now.
    """
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)
    else:
        registry.register(REGISTRY)
    registry.register(Gauges())
    return generate_latest(registry)


class Gauges(Collector):
    """The build, and what settings.GAUGES say. Without the database, only that it does not answer."""

    def collect(self) -> Iterator[Metric]:
        build = Gauge("bridge_boards_build_info", "What runs here", labels=["version", "build"])
        build.add_metric([settings.VERSION, settings.BUILD], 1)
        yield build
        try:
            families = [family for name in settings.GAUGES for family in import_string(name)()]
            answers = 1
        except Error:
            families, answers = [], 0
        yield Gauge("bridge_boards_database_up", "Whether the database answers", answers)
        yield from families
