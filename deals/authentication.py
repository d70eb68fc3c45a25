"""Authenticate services by the API key. It protects the deals: one that leaks before it is played is worthless.

Without the key every path and method under /api/deals is refused, known route or not.
"""

import hmac
import threading
import time
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from prometheus_client import Counter
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from config.api.errors import InvalidApiKey
from config.edge.observability.metrics import LEFT_OUT
from config.edge.request_checks import RequestCheck
from config.edge.security.client_address import client_network
from config.edge.security.security_log import log_security
from config.paths import DEALS, is_under

SERVICE: Literal["service"] = "service"

REFUSED = Counter("bridge_boards_api_keys_refused", "Requests whose API key was refused", ["reason"])

MAX_CLIENTS = 1000
"""The clients that are logged in one minute. The metric counts more, and those that send from many addresses."""


class RefusedKeys:
    """Count refused keys. Let one request a minute of each client into the logs, so that nobody fills a disk with them.

    A line says in `unlogged` how many refusals this process has left out since the line before, of whatever clients.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self.minute, self.unlogged = 0, 0
        self.clients: set[str] = set()

    def report(self, meta: dict[str, Any], reason: str) -> None:
        REFUSED.labels(reason).inc()
        minute, client = int(time.time() // 60), client_network(meta)
        with self.lock:
            if minute != self.minute:
                self.minute, self.clients = minute, set()
            if client in self.clients or len(self.clients) >= MAX_CLIENTS:
                self.unlogged += 1
                meta[LEFT_OUT] = True
                return
            self.clients.add(client)
            unlogged, self.unlogged = self.unlogged, 0
        log_security("api_key_refused", reason=reason, unlogged=unlogged)


refused_keys = RefusedKeys()


class ApiKeyAuthentication(BaseAuthentication):
    """Accept an `X-API-Key` that equals API_KEY or, while keys are rotated, API_KEY_PREVIOUS.

    Raise InvalidApiKey otherwise, without a key too. The bytes that were sent (WSGI shows each as one character) and
    the bytes of the environment are compared in constant time. A blank setting lets nobody in.
    """

    refusals = (InvalidApiKey,)

    def authenticate(self, request: Request | HttpRequest) -> tuple[AnonymousUser, str]:
        sent_key = request.headers.get("X-API-Key", "").encode("latin-1", "backslashreplace")
        keys = (settings.API_KEY, settings.API_KEY_PREVIOUS)
        accepted_keys = [key.encode("utf-8", "surrogateescape") for key in keys if key]
        if not any(hmac.compare_digest(sent_key, key) for key in accepted_keys):
            refused_keys.report(request.META, "unknown" if sent_key else "missing")
            raise InvalidApiKey
        return AnonymousUser(), SERVICE

    def authenticate_header(self, request: Request) -> str:
        return InvalidApiKey.default_headers["WWW-Authenticate"]


class ApiKeyScheme(OpenApiAuthenticationExtension):
    target_class = ApiKeyAuthentication
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "X-API-Key",
            "description": "The API key that the operator has given to your program.",
        }


class ApiKeyGate(RequestCheck):
    """Require the key before routing, negotiation or body reading could answer 404, 406 or 413 to a stranger."""

    def check(self, request: HttpRequest) -> None:
        if is_under(request.path_info, DEALS):
            ApiKeyAuthentication().authenticate(request)
