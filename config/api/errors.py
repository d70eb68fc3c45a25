"""Every error the service answers with, as data: a status, a stable code and a sentence; and how exceptions become one.

Raise one from anywhere: `raise Conflict("…", meta={…})`. REST framework calls `exception_handler`, which makes the
answer `{"code", "message", "meta"}`; request checks and the error views of config.edge use the rest. docs/api/errors.md
lists the same codes; a test holds the two together.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.log import log_response
from rest_framework import exceptions as drf
from rest_framework.exceptions import APIException

from config.database.migrated import lacks_migrations, names_what_is_not_there
from config.values.request_id import request_id
from config.values.strict_json import dump_json


class ApiError(APIException):
    """The base of all errors that a client is answered with.

    `detail` is the sentence. `meta` goes into the body beside the request id. `headers` are added to the answer.
    """

    title = ""
    """The heading of its page, where that of its status would not be true."""

    status_code = 500
    default_code = "internal_error"
    default_detail = "The service failed. Tell its operator the request id: the log has the details."
    default_headers: Mapping[str, str] = {}

    def __init__(
        self,
        detail: str | None = None,
        *,
        meta: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.meta = dict(meta or {})
        self.headers = {**self.default_headers, **(headers or {})}


class ValidationFailed(ApiError):
    status_code = 400
    default_code = "validation_error"
    default_detail = "Some fields are not valid. Correct those in meta.fields."


class BadRequest(ApiError):
    status_code = 400
    default_code = "bad_request"
    default_detail = "The request cannot be read. Check its address, headers and body."


class UnknownParameter(ApiError):
    """Raise it with meta={"fields": …, "parameters": …}: what each unknown one may mean, and those that there are."""

    status_code = 400
    default_code = "unknown_parameter"
    default_detail = "Some query parameters are unknown here. meta.parameters lists the known ones."


class NotAuthenticated(ApiError):
    status_code = 401
    default_code = "not_authenticated"
    default_detail = "This needs a bearer token: send Authorization: Bearer <ACCESS_TOKEN>."
    default_headers = {"WWW-Authenticate": 'Bearer realm="api"'}


class InvalidToken(ApiError):
    status_code = 401
    default_code = "invalid_token"
    default_detail = "The bearer token is not valid. Get a new one from the identity provider."
    default_headers = {"WWW-Authenticate": 'Bearer realm="api", error="invalid_token"'}


class InvalidApiKey(ApiError):
    status_code = 401
    default_code = "invalid_api_key"
    default_detail = "This needs the service's API key: send X-API-Key: <API_KEY>."
    default_headers = {"WWW-Authenticate": 'ApiKey realm="deals"'}


class ImpersonationEnded(ApiError):
    status_code = 401
    default_code = "impersonation_ended"
    default_detail = "This impersonation has ended or is not yours. Leave out X-Impersonation-Id, or start another."
    default_headers = {"WWW-Authenticate": 'Bearer realm="api"'}


class PermissionRefused(ApiError):
    status_code = 403
    default_code = "permission_denied"
    default_detail = "Your account has no permission to do this."


class ImpersonationReadOnly(ApiError):
    status_code = 403
    default_code = "impersonation_read_only"
    default_detail = (
        "You can only read while you impersonate somebody. Stop the impersonation first, then repeat the request."
    )


class NotFound(ApiError):
    status_code = 404
    default_code = "not_found"
    default_detail = "Nothing exists at this address, or you have no permission to see it. Check the address."


class MethodNotAllowed(ApiError):
    status_code = 405
    default_code = "method_not_allowed"
    default_detail = "This address does not support this method. Use one from the Allow header."


class NotAcceptable(ApiError):
    status_code = 406
    default_code = "not_acceptable"
    default_detail = "This address has none of the types in the Accept header. Send another Accept header, or none."


class Conflict(ApiError):
    status_code = 409
    default_code = "conflict"
    default_detail = "The request conflicts with the stored data. Read it again, then change the request."


class AlreadyImpersonating(Conflict):
    default_code = "already_impersonating"
    default_detail = "You are impersonating somebody already. Stop that impersonation first."


class DealInUse(Conflict):
    default_code = "deal_in_use"
    default_detail = "A board shows this deal. Delete the deal's boards first."


class LimitReached(Conflict):
    """Raise it with meta={"limit": …}, and a sentence that names what is limited."""

    title = "You have reached the limit"
    default_code = "limit_reached"
    default_detail = "You have reached the limit. Remove one first."


class CursorExpired(ApiError):
    status_code = 410
    default_code = "cursor_expired"
    default_detail = (
        "Events after this cursor are no longer kept. Get a cursor with after=latest, read all boards again, then"
        " follow the feed from that cursor."
    )


class LastAdmin(Conflict):
    default_code = "last_admin"
    default_detail = "This account is the last active admin. Give another account the role admin first."


class LengthRequired(ApiError):
    status_code = 411
    default_code = "length_required"
    default_detail = "Send the body with a Content-Length, not chunked."


class PreconditionFailed(ApiError):
    status_code = 412
    default_code = "precondition_failed"
    default_detail = "This has changed since you read it. Read it again, then repeat your change."


class PayloadTooLarge(ApiError):
    status_code = 413
    default_code = "payload_too_large"
    default_detail = "The body is too large. Send a smaller one."


class UriTooLong(ApiError):
    status_code = 414
    default_code = "uri_too_long"
    default_detail = "The address is too long. Shorten it, for example by leaving out parameters."


class UnsupportedMediaType(ApiError):
    status_code = 415
    default_code = "unsupported_media_type"
    default_detail = "This address does not take a body of this Content-Type."


class RateLimited(ApiError):
    """Raise it with headers={"Retry-After": …}, in seconds, at least 1."""

    status_code = 429
    default_code = "rate_limited"
    default_detail = "Too many requests. Wait for the seconds that Retry-After names, then repeat the request."


class InternalError(ApiError):
    """The answer to a crash that nobody foresaw. It is never raised on purpose."""


class NotImplementedHere(ApiError):
    """What a standard names and this service does not have. Nothing has failed."""

    status_code = 501
    default_code = "not_implemented"
    default_detail = "This service does not support this request."


class ServiceUnavailable(ApiError):
    status_code = 503
    default_code = "service_unavailable"
    default_detail = "The database or another service does not answer. Repeat the request a little later."
    default_headers = {"Retry-After": "2"}


class TooManyRunning(ServiceUnavailable):
    """Too many exports, summaries, dear searches or imports run. Nothing has failed: the log has it as information."""

    title = "Too much is running at once"
    default_detail = "Many exports are running. Try again in a few seconds."
    default_headers = {"Retry-After": "5"}


def every_error(base: type[ApiError] = ApiError) -> Iterator[type[ApiError]]:
    """Yield all the classes above, for the schema and for the test of the documented codes."""
    for error in base.__subclasses__():
        yield error
        yield from every_error(error)


logger = logging.getLogger(__name__)
R = TypeVar("R", bound=HttpResponse)

# The first match wins, so a subclass comes before its base. REST framework's errors whose code is one of ours need no
# line: ERRORS_BY_CODE finds them.
TRANSLATIONS: tuple[tuple[type[Exception], type[ApiError]], ...] = (
    (drf.AuthenticationFailed, InvalidToken),
    (drf.ParseError, BadRequest),
    (PermissionDenied, PermissionRefused),
    (Http404, NotFound),
    (RequestDataTooBig, PayloadTooLarge),
    (MultiPartParserError, BadRequest),
    (UnreadablePostError, BadRequest),
    (SuspiciousOperation, BadRequest),
    (DataError, BadRequest),
    (IntegrityError, Conflict),
    (OperationalError, ServiceUnavailable),
    (InterfaceError, ServiceUnavailable),
)
ERRORS_BY_CODE = {error.default_code: error for error in every_error() if "default_code" in vars(error)}

MAX_FIELDS = 50
"""The maximum number of fields in the meta of a validation_error."""

UNMIGRATED = "The service is being set up or updated. Repeat the request a little later."

WRITTEN_FOR_CLIENTS = (drf.PermissionDenied, drf.ParseError, MultiPartParserError)
"""Errors whose own sentence the client gets. The sentences of others may quote internals."""


def to_api_error(exc: BaseException | None) -> ApiError | None:
    """Return the error that a client is answered with, or None for a crash that nobody foresaw."""
    if isinstance(exc, ApiError):
        return exc
    if isinstance(exc, drf.ValidationError):
        return ValidationFailed(meta=describe_fields(exc.detail))
    if names_what_is_not_there(exc):
        return ServiceUnavailable(UNMIGRATED) if lacks_migrations() else None
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


MAX_NAME = 100
"""The characters that an error repeats of a name which the client has sent."""


def show_name(name: str) -> str:
    """Return a name that a client has sent as an error may repeat it: not whole where long, without odd characters.

    NUL, line breaks and what turns the direction of a text would mislead a reader of the error, or its log.
    """
    shown = "".join(each if each.isprintable() else "\ufffd" for each in name[:MAX_NAME])
    return f"{shown}…" if len(name) > MAX_NAME else shown


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
        shown = show_name(str(name))
        flat |= field_errors(value, f"{path}.{shown}" if path else shown)
    return flat


def describe_reasons(detail: Any) -> list[dict[str, str]]:
    """Return what is wrong with one field, which is one text of REST framework or several."""
    reasons: Sequence[Any] = [detail] if isinstance(detail, str) else detail
    return [{"code": reason.code, "message": str(reason)} for reason in reasons]


def error_response(error: ApiError) -> HttpResponse:
    """Return the JSON answer for an error. No cache stores it."""
    meta = {**error.meta, "requestId": request_id.get()}
    body = {"code": error.default_code, "message": str(error.detail), "meta": meta}
    headers = {"Cache-Control": "no-store", **error.headers}
    response = HttpResponse(dump_json(body), status=error.status_code, content_type="application/json", headers=headers)
    return log_refusal(error, response)


def log_refusal(error: ApiError, response: R) -> R:
    """Log what is not a failure as information: for each 5xx Django would log an error. Return the response."""
    if isinstance(error, TooManyRunning | NotImplementedHere):
        log_response("%s", error.detail, response=response, logger=logger, level="info")
    return response


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Answer an exception of a view. Return None for a crash, which Django then logs and answers with a 500."""
    error = to_api_error(exc)
    if error is None:
        return None
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, TooManyRunning):
        logger.warning("%s: %s", error.default_code, exc)
    return error_response(error)
