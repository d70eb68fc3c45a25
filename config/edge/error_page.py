"""Errors outside views: a page that a person can read, or JSON for programs, and what Django calls for them."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from config import paths
from config.api import errors
from config.api.errors import ApiError, error_response, log_refusal, to_api_error
from config.edge.reader import frame_of
from config.values.request_id import request_id

TITLES = {
    400: "This request has a mistake",
    401: "You have to log in first",
    403: "You have no permission to do this",
    404: "There is no such page",
    405: "This page does not take this kind of request",
    406: "This page does not come in that format",
    409: "This conflicts with the stored data",
    410: "No longer here",
    411: "The length of the request is missing",
    412: "This page has changed",
    413: "This is too large to send",
    414: "The address is too long",
    415: "This page does not take that format",
    429: "Too many requests",
    500: "The service has failed",
    501: "This is not here",
    503: "The service is not available just now",
}
"""The heading of an error page by the status of the answer. The error's own sentence is below it."""


def error_page(request: HttpRequest, error: ApiError) -> HttpResponse:
    """Render the error as a page. No cache stores it."""
    context = {
        **frame_of(request),
        "error": error,
        "title": error.title or TITLES[error.status_code],
        "request_id": request_id.get(),
        "wait": error.headers.get("Retry-After"),
    }
    headers = {"Cache-Control": "no-store", **error.headers}
    html = render_to_string("errors/error.html", context, request)
    return log_refusal(error, HttpResponse(html, status=error.status_code, headers=headers))


def answer_error(request: HttpRequest, error: ApiError) -> HttpResponse:
    """Answer under /api, to monitors and to programs that embed boards with JSON, elsewhere with a page."""
    if paths.is_under(request.path_info, paths.API, paths.OEMBED, *paths.OPERATOR):
        return error_response(error)
    return error_page(request, error)


NO_PAGE = "There is no page at this address. Check the address."
NO_COOKIE = (
    "This form was not sent from a page of this site, or your browser sent no cookie with it: allow cookies, go back,"
    " reload the page and send it again."
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer_error(request, to_api_error(exception) or errors.BadRequest())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer_error(request, errors.PermissionRefused())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return answer_error(request, errors.PermissionRefused(NO_COOKIE))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404. Speak of permission only where a caller can sign in and may then find something."""
    can_sign_in = paths.is_under(request.path_info, paths.API, paths.ADMIN)
    return answer_error(request, errors.NotFound() if can_sign_in else errors.NotFound(NO_PAGE))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a crash. Look at the exception that Django handles just now: a lost database is a 503 here too."""
    return answer_error(request, to_api_error(sys.exc_info()[1]) or errors.InternalError())
