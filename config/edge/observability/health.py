"""Views for operators and their monitors: whether the service lives, whether it is ready, and its metrics.

The port of METRICS_BIND says the same, however busy the threads are that answer these (metrics.py).
"""

import hmac

from django.conf import settings
from django.http import HttpResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config import paths
from config.api.errors import NotAuthenticated, ServiceUnavailable
from config.api.negotiation import ChosenByPath
from config.api.views import ApiView
from config.edge.observability.metrics import answer
from config.edge.observability.readiness import readiness
from config.edge.security.client_address import is_on_this_machine

READY = {"status": "ok"}
NOT_READY = "The service is not ready. Repeat the request a little later."
"""What strangers are told."""


class OperatorView(ApiView):
    """The base of these views. Monitors send all kinds of Accept, so nothing is negotiated."""

    authentication_classes = ()
    content_negotiation_class = ChosenByPath
    permission_classes = (AllowAny,)
    schema = None

    @staticmethod
    def is_of_monitor(request: Request) -> bool:
        sent = request.headers.get("Authorization", "").encode()
        expected = f"Bearer {settings.METRICS_TOKEN}".encode()
        return bool(settings.METRICS_TOKEN) and hmac.compare_digest(sent, expected)


class LivezView(OperatorView):
    """GET /livez → 200: this process answers. It needs no database, so that an outage of one restarts no process."""

    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


class ReadyzView(OperatorView):
    """GET /readyz → 200 while the database answers and is migrated, else 503: a proxy then sends no requests here.

    `degraded` names what does not work meanwhile: what needs the cache, or the worker. Reads need neither. Monitors and
    programs on this machine get these details. Others learn only whether the service is ready.
    """

    def get(self, request: Request) -> Response:
        finding = readiness.get()
        is_told = self.is_of_monitor(request) or is_on_this_machine(request.META)
        if finding.refusal:
            raise ServiceUnavailable(finding.refusal if is_told else NOT_READY)
        return Response(finding.body if is_told else READY)


class MetricsView(OperatorView):
    """GET /metrics in Prometheus' text format, with the METRICS_TOKEN as bearer.

    An address proves nothing: a proxy on this machine sends strangers' requests from loopback.
    """

    def get(self, request: Request) -> HttpResponse:
        if not self.is_of_monitor(request):
            raise NotAuthenticated(
                "Send Authorization: Bearer <METRICS_TOKEN>, or ask the port that METRICS_BIND opens for metrics."
            )
        return answer(paths.METRICS)
