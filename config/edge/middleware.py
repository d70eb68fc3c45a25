"""The service's own middleware. What may refuse a request is a guard of EdgeMiddleware."""

import re
import uuid
from collections.abc import Callable

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string

from config import paths
from config.api.errors import ApiError
from config.edge.error_views import answer_error
from config.edge.guards import Guard
from config.values.request_id import request_id

GetResponse = Callable[[HttpRequest], HttpResponseBase]

WELL_FORMED_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


class RequestIdMiddleware:
    """Name the request by its own X-Request-Id where that is well-formed, else anew. Every answer bears the name."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        offered = request.headers.get("X-Request-Id", "")
        name = offered if WELL_FORMED_REQUEST_ID.fullmatch(offered) else str(uuid.uuid4())
        token = request_id.set(name)
        try:
            response = self.get_response(request)
        finally:
            request_id.reset(token)
        response["X-Request-Id"] = name
        return response


class HeadMiddleware:
    """Answer HEAD as GET without the body, its length included (RFC 9110 §9.3.2)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method == "HEAD":
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = ()
            elif isinstance(response, HttpResponse):
                response.content = b""
        return response


class ContentSecurityPolicyMiddleware:
    """Send SECURE_CSP with every answer. Django 6 brings this itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.policy = "; ".join(
            f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items()
        )

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", self.policy)
        return response


class EdgeMiddleware:
    """Ask the guards of settings.EDGE_GUARDS in their order, before routing and before a byte of the body is read.

    Take one trailing slash off the path first, so that /api/boards/ is /api/boards: no redirect, no twin routes.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.guards: list[Guard] = [import_string(name)() for name in settings.EDGE_GUARDS]
        self.answer: GetResponse = convert_exception_to_response(self.check_and_answer)  # type: ignore[assignment]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        strip_trailing_slash(request)
        response = self.answer(request)
        for guard in reversed(self.guards):
            guard.finish(request, response)
        return response

    def check_and_answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            for guard in self.guards:
                guard.check(request)
        except ApiError as error:
            return answer_error(request, error)
        return self.get_response(request)


def strip_trailing_slash(request: HttpRequest) -> None:
    path = request.path_info
    if len(path) > 1 and path.endswith("/") and not paths.is_under(path, paths.ADMIN, paths.STATIC):
        request.path_info = request.path_info[:-1]
        request.path = request.path[:-1]
