"""From an exception to the answer a client sees: one shape for every layer of the application.

DRF calls `exception_handler`; Django calls the four `handler4xx/500` views for what happens outside a view;
middleware calls `error_response` for what it refuses.
"""

import logging
import sys
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from rest_framework import exceptions as drf

from config.api import errors
from config.api.logs import request_id
from config.api.renderers import dump_json

logger = logging.getLogger(__name__)

# The first match wins, so a subclass stands before its base.
TRANSLATIONS: tuple[tuple[type[Exception], type[errors.ApiError]], ...] = (
    (drf.NotAuthenticated, errors.NotAuthenticated),
    (drf.AuthenticationFailed, errors.InvalidToken),
    (drf.PermissionDenied, errors.PermissionRefused),
    (PermissionDenied, errors.PermissionRefused),
    (drf.NotFound, errors.NotFound),
    (Http404, errors.NotFound),
    (drf.MethodNotAllowed, errors.MethodNotAllowed),
    (drf.NotAcceptable, errors.NotAcceptable),
    (drf.UnsupportedMediaType, errors.UnsupportedMediaType),
    (drf.ParseError, errors.BadRequest),
    (RequestDataTooBig, errors.PayloadTooLarge),
    (UnreadablePostError, errors.BadRequest),
    (SuspiciousOperation, errors.BadRequest),
    (DataError, errors.BadRequest),
    (IntegrityError, errors.Conflict),
    (OperationalError, errors.ServiceUnavailable),
    (InterfaceError, errors.ServiceUnavailable),
)
# These name what was wrong in words made for the client; the others may quote internals.
SPEAKING = (drf.PermissionDenied, drf.UnsupportedMediaType, drf.ParseError)

NO_COOKIE = (
    "This form was not sent from a page of this site, or your browser sent no cookie with it: allow cookies, go back,"
    " reload the page and send it again."
)


def as_api_error(exc: BaseException | None) -> errors.ApiError | None:
    """The error a client is told of, or None for a crash nobody foresaw."""
    if isinstance(exc, errors.ApiError):
        return exc
    if isinstance(exc, drf.ValidationError):
        return errors.ValidationFailed(meta={"fields": field_errors(exc.detail)})
    for known, translation in TRANSLATIONS:
        if isinstance(exc, known):
            return translation(str(exc) if isinstance(exc, SPEAKING) else None)
    return None


def field_errors(detail: Any, path: str = "") -> dict[str, list[dict[str, str]]]:
    """DRF's nested detail, flat: {"source.url": [{"code", "message"}], "calls.0.call": […]}."""
    if isinstance(detail, Mapping):
        nested = [(f"{path}.{key}" if path else str(key), value) for key, value in detail.items()]
    elif isinstance(detail, Sequence) and any(isinstance(item, Mapping | list) for item in detail):
        nested = [
            (f"{path}.{index}" if path else str(index), item) for index, item in enumerate(detail) if item
        ]
    else:
        reasons: list[Any] = [detail] if isinstance(detail, str) else list(detail)
        return {
            path or "nonFieldErrors": [{"code": reason.code, "message": str(reason)} for reason in reasons]
        }
    flat: dict[str, list[dict[str, str]]] = {}
    for name, value in nested:
        flat |= field_errors(value, name)
    return flat


def error_response(request: HttpRequest, error: errors.ApiError) -> HttpResponse:
    meta = {**error.meta, "requestId": request_id.get()}
    body = {"code": error.code, "message": error.message, "meta": meta}
    response = HttpResponse(dump_json(body), status=error.status, content_type="application/json")
    response["Cache-Control"] = "no-store"
    for name, value in error.headers.items():
        response[name] = value
    return response


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """DRF's hook. None lets a crash through to Django, which logs it and calls `server_error`."""
    error = as_api_error(exc)
    if error is None:
        return None
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.warning("%s: %s", error.code, exc)
    return error_response(context["request"], error)


def outside_views(request: HttpRequest, error: errors.ApiError) -> HttpResponse:
    """JSON under /api; elsewhere a page that a person can read."""
    if (
        request.path_info.startswith(("/api/", "/livez", "/readyz", "/metrics"))
        or request.path_info == "/api"
    ):
        return error_response(request, error)
    context = {
        "error": error,
        "phrase": HTTPStatus(error.status).phrase,
        "request_id": request_id.get(),
        "wait": error.headers.get("Retry-After"),
    }
    response = render(request, "errors/error.html", context, status=error.status)
    response["Cache-Control"] = "no-store"
    for name, value in error.headers.items():
        response[name] = value
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return outside_views(request, as_api_error(exception) or errors.BadRequest())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return outside_views(request, errors.PermissionRefused())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return outside_views(request, errors.PermissionRefused(NO_COOKIE))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return outside_views(request, errors.NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls this while the exception is being handled: a lost database is a 503 here too."""
    return outside_views(request, as_api_error(sys.exc_info()[1]) or errors.InternalError())
