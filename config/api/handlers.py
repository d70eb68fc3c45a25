"""From an exception to the JSON answer that a client sees: one shape for every layer of the application.

REST framework calls `exception_handler`. Guards and Django's own error views (config.edge.error_views) use the rest.
"""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions as drf

from config.api import errors
from config.values.request_id import request_id
from config.values.strict_json import dump_json

logger = logging.getLogger(__name__)

# The first match wins, so a subclass stands before its base. REST framework's own errors need no line where their
# code is one of ours.
TRANSLATIONS: tuple[tuple[type[Exception], type[errors.ApiError]], ...] = (
    (drf.AuthenticationFailed, errors.InvalidToken),
    (drf.ParseError, errors.BadRequest),
    (PermissionDenied, errors.PermissionRefused),
    (Http404, errors.NotFound),
    (RequestDataTooBig, errors.PayloadTooLarge),
    (MultiPartParserError, errors.BadRequest),
    (UnreadablePostError, errors.BadRequest),
    (SuspiciousOperation, errors.BadRequest),
    (DataError, errors.BadRequest),
    (IntegrityError, errors.Conflict),
    (OperationalError, errors.ServiceUnavailable),
    (InterfaceError, errors.ServiceUnavailable),
)
OWN_SENTENCE = (drf.PermissionDenied, drf.UnsupportedMediaType, drf.ParseError)
"""Errors whose sentence was written for the client. Those of others may quote internals."""


def to_api_error(exc: BaseException | None) -> errors.ApiError | None:
    """Return the error that a client is told, or None for a crash that nobody foresaw."""
    if isinstance(exc, errors.ApiError):
        return exc
    if isinstance(exc, drf.ValidationError):
        return errors.ValidationFailed(meta={"fields": field_errors(exc.detail)})
    for known, translation in (*TRANSLATIONS, *_same_code(exc)):
        if isinstance(exc, known):
            return translation(str(exc) if isinstance(exc, OWN_SENTENCE) else None)
    return None


def _same_code(exc: BaseException | None) -> list[tuple[type[Exception], type[errors.ApiError]]]:
    """Return the translation of an error of REST framework whose code is one of ours."""
    if not isinstance(exc, drf.APIException):
        return []
    return [(type(exc), error) for error in errors.every_error() if error.default_code == exc.default_code]


def field_errors(detail: Any, path: str = "") -> dict[str, list[dict[str, str]]]:
    """Flatten REST framework's nested detail: {"source.url": [{"code", "message"}], "calls.0.call": […]}."""
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


def error_response(error: errors.ApiError) -> HttpResponse:
    """Return the JSON answer for an error. It is never stored by a cache."""
    meta = {**error.meta, "requestId": request_id.get()}
    body = {"code": error.default_code, "message": str(error.detail), "meta": meta}
    headers = {"Cache-Control": "no-store", **error.headers}
    return HttpResponse(
        dump_json(body), status=error.status_code, content_type="application/json", headers=headers
    )


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Answer REST framework's hook. Return None for a crash, which Django then logs and answers with a 500."""
    error = to_api_error(exc)
    if error is None:
        return None
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.warning("%s: %s", error.default_code, exc)
    return error_response(error)
