"""Turning an exception into the JSON answer that a client gets, in one shape for every layer of the application.

REST framework calls `exception_handler`. Request checks and the error views of config.edge use the rest.
"""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.log import log_response
from rest_framework import exceptions as drf

from config.api import errors
from config.database.migrated import lacks_migrations, names_what_is_not_there
from config.values.request_id import request_id
from config.values.strict_json import dump_json

logger = logging.getLogger(__name__)
R = TypeVar("R", bound=HttpResponse)

# The first match wins, so a subclass stands before its base. REST framework's errors whose code is one of ours need
# no line: ERRORS_BY_CODE finds them.
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
ERRORS_BY_CODE = {error.default_code: error for error in errors.every_error() if "default_code" in vars(error)}

MAX_FIELDS = 50
"""The fields that the meta of a validation_error names."""

UNMIGRATED = "The service is being set up or updated. Repeat the request a little later."

WRITTEN_FOR_CLIENTS = (drf.PermissionDenied, drf.ParseError, MultiPartParserError)
"""Errors whose own sentence the client gets. The sentences of others may quote internals."""


def to_api_error(exc: BaseException | None) -> errors.ApiError | None:
    """Return the error that a client is answered with, or None for a crash that nobody foresaw."""
    if isinstance(exc, errors.ApiError):
        return exc
    if isinstance(exc, drf.ValidationError):
        return errors.ValidationFailed(meta=describe_fields(exc.detail))
    if names_what_is_not_there(exc):
        return errors.ServiceUnavailable(UNMIGRATED) if lacks_migrations() else None
    error = next((error for known, error in TRANSLATIONS if isinstance(exc, known)), None)
    if error is None and isinstance(exc, drf.APIException):
        error = ERRORS_BY_CODE.get(exc.default_code)
    if error is None:
        return None
    return error(str(exc) if isinstance(exc, WRITTEN_FOR_CLIENTS) else None)


def describe_fields(detail: Any) -> dict[str, Any]:
    """Return the first MAX_FIELDS fields that are wrong as `fields`, and as `omitted` how many more there are."""
    fields = field_errors(detail)
    if len(fields) <= MAX_FIELDS:
        return {"fields": fields}
    return {"fields": dict(islice(fields.items(), MAX_FIELDS)), "omitted": len(fields) - MAX_FIELDS}


def field_errors(detail: Any, path: str = "") -> dict[str, list[dict[str, str]]]:
    """Flatten REST framework's nested detail into {"source.url": [{"code", "message"}], "calls.0.call": […]}."""
    if isinstance(detail, Mapping):
        nested = list(detail.items())
    elif isinstance(detail, Sequence) and any(isinstance(item, Mapping | list) for item in detail):
        nested = [(index, item) for index, item in enumerate(detail) if item]
    else:
        return {path or "nonFieldErrors": describe_reasons(detail)}
    flat: dict[str, list[dict[str, str]]] = {}
    for name, value in nested:
        flat |= field_errors(value, f"{path}.{name}" if path else str(name))
    return flat


def describe_reasons(detail: Any) -> list[dict[str, str]]:
    """Return what is wrong with one field, which is one text of REST framework or several."""
    reasons: Sequence[Any] = [detail] if isinstance(detail, str) else detail
    return [{"code": reason.code, "message": str(reason)} for reason in reasons]


def error_response(error: errors.ApiError) -> HttpResponse:
    """Return the JSON answer for an error. No cache stores it."""
    meta = {**error.meta, "requestId": request_id.get()}
    body = {"code": error.default_code, "message": str(error.detail), "meta": meta}
    headers = {"Cache-Control": "no-store", **error.headers}
    response = HttpResponse(dump_json(body), status=error.status_code, content_type="application/json", headers=headers)
    return log_refusal(error, response)


def log_refusal(error: errors.ApiError, response: R) -> R:
    """Log what is no failure as information: for each 5xx Django would log an error. Return the response."""
    if isinstance(error, errors.TooManyRunning | errors.NotImplementedHere):
        log_response("%s", error.detail, response=response, logger=logger, level="info")
    return response


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Answer an exception of a view. Return None for a crash, which Django then logs and answers with a 500."""
    error = to_api_error(exc)
    if error is None:
        return None
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, errors.TooManyRunning):
        logger.warning("%s: %s", error.default_code, exc)
    return error_response(error)
