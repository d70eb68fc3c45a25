"""The port of METRICS_BIND: a thread of its own in each gunicorn worker answers monitors there, and nobody else.

The threads that answer callers may all be busy, or wait for a database that hangs. A supervisor that asked them would
take a busy process for a dead one. docs/decisions/0026 says why the port is served like this.
"""

import logging
import os
import socket
import sys
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any

from django.conf import settings
from django.db import connections
from django.http import HttpResponse

from config import paths
from config.api.errors import NotFound, ServiceUnavailable
from config.api.handlers import error_response
from config.edge.observability.metrics import render_metrics
from config.edge.observability.readiness import readiness
from config.values.request_id import choose_request_id, request_id
from config.values.strict_json import dump_json

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
    """Answer monitors while the master lives. Without it this worker only ends, and is no service to a supervisor."""
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
    return error_response(NotFound("This port answers monitors alone."))


def json_response(body: dict[str, Any]) -> HttpResponse:
    return HttpResponse(dump_json(body), content_type="application/json")
