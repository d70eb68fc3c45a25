"""Every error the service answers with, as data: a status, a stable code and a sentence.

Raise one from anywhere: `raise Conflict("…", meta={…})`. config.api.handlers turns it into the answer
`{"code", "message", "meta"}`. The README lists the same codes; a test holds the two together.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar


class ApiError(Exception):
    """An answer other than success.

    `meta` goes to the client as it is, beside the request id; `headers` are added to the answer.
    """

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"
    message: str = "The service failed. The request id finds the details in its log."
    headers: Mapping[str, str] = {}

    def __init__(
        self,
        message: str | None = None,
        *,
        meta: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.message = message or self.message
        self.meta = dict(meta or {})
        self.headers = {**self.headers, **(headers or {})}
        super().__init__(self.message)


class ValidationFailed(ApiError):
    status = 400
    code = "validation_error"
    message = "Some fields are not valid; meta.fields names each of them."


class BadRequest(ApiError):
    status = 400
    code = "bad_request"
    message = "The request cannot be read."


class NotAuthenticated(ApiError):
    status = 401
    code = "not_authenticated"
    message = "This needs a bearer token: send Authorization: Bearer <ACCESS_TOKEN>."
    headers = {"WWW-Authenticate": 'Bearer realm="api"'}


class InvalidToken(ApiError):
    status = 401
    code = "invalid_token"
    message = "The bearer token is not valid."
    headers = {"WWW-Authenticate": 'Bearer realm="api", error="invalid_token"'}


class InvalidApiKey(ApiError):
    status = 401
    code = "invalid_api_key"
    message = "This needs the service's API key: send X-API-Key: <API_KEY>."
    headers = {"WWW-Authenticate": 'ApiKey realm="deals"'}


class ImpersonationEnded(ApiError):
    status = 401
    code = "impersonation_ended"
    message = "This impersonation is over, or is not yours: leave out X-Impersonation-Id, or start another."
    headers = {"WWW-Authenticate": 'Bearer realm="api"'}


class PermissionRefused(ApiError):
    status = 403
    code = "permission_denied"
    message = "This account may not do that."


class ImpersonationReadOnly(ApiError):
    status = 403
    code = "impersonation_read_only"
    message = "Somebody else's account can be looked at, not acted for: stop impersonating first."


class NotFound(ApiError):
    status = 404
    code = "not_found"
    message = "There is nothing here."


class MethodNotAllowed(ApiError):
    status = 405
    code = "method_not_allowed"
    message = "This method is not allowed here; the Allow header names those that are."


class NotAcceptable(ApiError):
    status = 406
    code = "not_acceptable"
    message = "Nothing in the Accept header can be produced here."


class Conflict(ApiError):
    status = 409
    code = "conflict"
    message = "This contradicts what is stored."


class AlreadyImpersonating(Conflict):
    code = "already_impersonating"
    message = "You are impersonating somebody already: stop that first."


class DealInUse(Conflict):
    code = "deal_in_use"
    message = "A board shows this deal: delete its boards first."


class LengthRequired(ApiError):
    status = 411
    code = "length_required"
    message = "Send the body with a Content-Length, not chunked."


class PreconditionFailed(ApiError):
    status = 412
    code = "precondition_failed"
    message = "This has changed since you read it: read it again, then repeat your change."


class PayloadTooLarge(ApiError):
    status = 413
    code = "payload_too_large"
    message = "The body is too large."


class UriTooLong(ApiError):
    status = 414
    code = "uri_too_long"
    message = "The address is too long."


class UnsupportedMediaType(ApiError):
    status = 415
    code = "unsupported_media_type"
    message = "This kind of body is not read here."


class RateLimited(ApiError):
    """Raise with headers={"Retry-After": …}: seconds, at least 1."""

    status = 429
    code = "rate_limited"
    message = "Too many requests: wait as long as Retry-After says, then repeat."


class InternalError(ApiError):
    """What a crash looks like from outside. Never raised on purpose."""


class ServiceUnavailable(ApiError):
    status = 503
    code = "service_unavailable"
    message = "Something this service depends on does not answer. Repeat the request a little later."
    headers = {"Retry-After": "2"}


def every_error(base: type[ApiError] = ApiError) -> Iterator[type[ApiError]]:
    """All the classes above, for the schema and for the test of the README's table."""
    for error in base.__subclasses__():
        yield error
        yield from every_error(error)
