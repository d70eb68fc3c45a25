"""Authenticate services by the API key. It protects the deals: one that leaks before it is played is worthless."""

import hmac
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from config.api.errors import InvalidApiKey
from config.edge.security_log import log_security

SERVICE: Literal["service"] = "service"


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
            log_security("api_key_refused", reason="unknown" if sent_key else "missing")
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
