"""The middleware that counts and logs each request, Prometheus metrics by route, and the port of METRICS_BIND.

On the port a thread of its own in each gunicorn worker answers monitors, and nobody else (decision 0026).
"""

import logging
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any

from django.conf import settings
from django.db import Error, connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from config import paths
from config.api.errors import NotFound, ServiceUnavailable, error_response
from config.edge.middleware import GetResponse
from config.edge.observability.readiness import readiness
from config.edge.security.client_address import client_network
from config.edge.security.security_log import account_of, current_request, log_security, route_of
from config.values.redaction import clean_path, name_in_logs
from config.values.request_id import choose_request_id, request_id
from config.values.strict_json import dump_json

REQUESTS = Counter("bridge_boards_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram("bridge_boards_request_seconds", "Time from the first middleware to the answer", ["route"])
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "DELETE"})

access_log = logging.getLogger("access")

LEFT_OUT = "bridge_boards.left_out"
"""The name in META that marks a request without a line: its client has had one of the same kind just now."""

ROUTE = "bridge_boards.route"
"""The name in META of the route of a request that was answered, by Django or before it."""


MIN_FAILURE = int(HTTPStatus.BAD_REQUEST)  # as a number: an enumeration takes half a microsecond to compare


class ObservabilityMiddleware:
    """Give each request an id, send it back with the answer, and count, log and report what the answer was.

    Every log line of this thread finds the request and its id meanwhile. What is counted has the route's pattern, never
    the path: an id in a label would make a time series of its own.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        current = choose_request_id(request.META)
        token, request_token = request_id.set(current), current_request.set(request)
        try:
            response = self.get_response(request)
            seconds = time.perf_counter() - started
            request.META[ROUTE] = route_of(request)
            report_refusal(request, response.status_code)
            subject = getattr(request, "user_id", None)
            report(request.META, response.status_code, seconds, current, account=account_of(request), subject=subject)
        finally:
            request_id.reset(token)
            current_request.reset(request_token)
        response["X-Request-Id"] = current
        return response


def report(
    meta: Mapping[str, Any],
    status: int,
    seconds: float,
    current: str,
    *,
    account: str | None = None,
    subject: str | None = None,
) -> None:
    """Count the answer to the request with this id, by Django or before it, and write its line in the access log.

    Each failure has one, and of successes the share ACCESS_LOG_SUCCESSES. It has the path without its query and without
    segments that may be secrets. `account` made the request, as the impersonated `subject` where that is another one.
    """
    route = meta[ROUTE]
    method = meta["REQUEST_METHOD"] if meta["REQUEST_METHOD"] in METHODS else "other"
    requests, durations = series_of(method, route, status)
    requests.inc()
    durations.observe(seconds)
    is_logged = status >= MIN_FAILURE or random.random() < settings.ACCESS_LOG_SUCCESSES  # noqa: S311  (no secret)
    if not is_logged or LEFT_OUT in meta:
        return
    fields = {
        "requestId": current,
        "method": method,
        "route": route,
        "path": clean_path(meta.get("PATH_INFO", "")),
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
        "account": name_in_logs(account),
        "client": client_network(meta),
    }
    if subject not in (None, account):
        fields["impersonated"] = name_in_logs(subject)
    access_log.info("%s /%s %s", method, route, status, extra={"fields": fields, "clean": True})


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


logger = logging.getLogger(__name__)

TICK_SECONDS = 1.0
"""How often a worker looks whether gunicorn's master is still there."""


class MonitorServer(ThreadingTCPServer):
    """The server of the port. Each connection has a thread, so that a slow client holds up nobody.

    Two masters may have the port at once, as after USR2.
    """

    allow_reuse_address = allow_reuse_port = daemon_threads = True
    request_queue_size = 100

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):  # the client has gone
            logger.error("A monitor got no answer.", exc_info=error)


@cache
def metrics_server() -> MonitorServer | None:
    """Open the port of METRICS_BIND, if there is one. Call it in gunicorn's master: the workers inherit it.

    Exit when another program has it.
    """
    if not settings.METRICS_BIND:
        return None
    host, _, port = settings.METRICS_BIND.rpartition(":")
    MonitorServer.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = MonitorServer((host.strip("[]"), int(port)), Monitor)
    except OSError as error:
        sys.exit(f"METRICS_BIND={settings.METRICS_BIND} cannot be used: {error}")
    server.socket.settimeout(TICK_SECONDS)  # another worker may be faster: this one's thread then goes on
    return server


def serve_metrics_port() -> None:
    """Answer monitors in a thread of its own. Call it in each worker."""
    if server := metrics_server():
        threading.Thread(target=serve, args=(server,), name="metrics-port", daemon=True).start()


def serve(server: MonitorServer) -> None:
    """Answer monitors while the master lives. Without it this worker only ends, and serves no supervisor."""
    master = os.getppid()
    with server:
        while os.getppid() == master:
            server.handle_request()


class Monitor(BaseHTTPRequestHandler):
    """One request of a monitor."""

    timeout = 5  # seconds for which a client may send or take nothing

    def do_GET(self) -> None:
        current = choose_request_id({})
        request_id.set(current)
        try:
            response = answer(self.path.partition("?")[0].rstrip("/"))
        finally:
            connections.close_all()  # those of this thread, which ends now
        self.send_response(response.status_code)
        for name, value in {**response.headers, "X-Request-Id": current}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(response.content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(response.content)

    do_HEAD = do_GET

    def version_string(self) -> str:
        return "metrics"

    def log_message(self, *arguments: Any) -> None:
        """Log nothing: monitors ask all the time, and what they send wrongly is theirs to find."""


def answer(path: str) -> HttpResponse:
    """Return what a monitor is told. The views of health.py tell a monitor with METRICS_TOKEN the same."""
    if path == paths.LIVEZ:
        return json_response({"status": "ok"})
    if path == paths.READYZ:
        finding = readiness.get()
        if finding.refusal:
            return error_response(ServiceUnavailable(finding.refusal))
        return json_response(finding.body)
    if path == paths.METRICS:
        return HttpResponse(render_metrics(), content_type="text/plain; charset=utf-8")
    return error_response(NotFound("This port is only for monitoring."))


def json_response(body: dict[str, Any]) -> HttpResponse:
    return HttpResponse(dump_json(body), content_type="application/json")
