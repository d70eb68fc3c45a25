"""Views for operators and their monitors: whether the service lives, whether it is ready, and its metrics."""

import hmac
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.utils.module_loading import import_string
from redis.exceptions import RedisError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.errors import NotAuthenticated, ServiceUnavailable
from config.api.views import ApiView
from config.database.migrated import find_missing_migrations
from config.edge.client_address import client_address
from config.edge.metrics import render_metrics


class AnyAccept(DefaultContentNegotiation):
    """Answer with the first renderer whatever Accept says: monitors send all kinds."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> Any:
        return renderers[0], renderers[0].media_type


class OperatorView(ApiView):
    authentication_classes = ()
    content_negotiation_class = AnyAccept
    permission_classes = (AllowAny,)
    schema = None


class LivezView(OperatorView):
    """GET /livez → 200: this process answers. It needs no database, so that an outage of one restarts no process."""

    def get(self, request: Request) -> Response:
        return Response({"status": "ok"})


class ReadyzView(OperatorView):
    """GET /readyz → 200 when the database and the cache answer, else 503: a proxy then sends no requests here.

    A database that lacks a migration of this version does not count: a new version waits for `migrate`.
    What works less well meanwhile, but is no reason to send no requests, is named in the answer: settings.READYZ_NOTES.
    """

    def get(self, request: Request) -> Response:
        with connection.cursor() as cursor:
            if find_missing_migrations(cursor):
                raise ServiceUnavailable(
                    "The database lacks migrations of this version: run manage.py migrate."
                )
        try:
            cache.get("readyz")
        except (RedisError, OSError) as error:
            raise ServiceUnavailable("The cache does not answer.") from error
        notes = {name: import_string(path)() for name, path in settings.READYZ_NOTES.items()}
        degraded = {name: reason for name, reason in notes.items() if reason}
        status = "degraded" if degraded else "ok"
        return Response({"status": status, "database": "ok", "cache": "ok", **degraded})


class PlainTextRenderer(BaseRenderer):
    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self, data: bytes, accepted_media_type: str | None = None, renderer_context: object = None
    ) -> bytes:
        return data


class MetricsView(OperatorView):
    """GET /metrics in Prometheus' text format, from this machine or with the METRICS_TOKEN as bearer."""

    renderer_classes = (PlainTextRenderer,)

    def get(self, request: Request) -> HttpResponse:
        if not (self.has_token(request) or self.is_local(request)):
            raise NotAuthenticated(
                "Ask for metrics from this machine, or send Authorization: Bearer <METRICS_TOKEN>."
            )
        return Response(render_metrics())

    @staticmethod
    def has_token(request: Request) -> bool:
        sent = request.headers.get("Authorization", "").encode()
        expected = f"Bearer {settings.METRICS_TOKEN}".encode()
        return bool(settings.METRICS_TOKEN) and hmac.compare_digest(sent, expected)

    @staticmethod
    def is_local(request: Request) -> bool:
        """Tell whether the request comes from this machine. A forwarded one never does: the proxy may run here."""
        client = client_address(request.META)
        forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
        return client is not None and client.is_loopback and not forwarded
