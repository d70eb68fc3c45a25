"""An error outside the API's views: a page that a person can read, or JSON for programs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from config import paths
from config.api.errors import ApiError
from config.api.handlers import error_response, log_refusal
from config.edge.reader import frame_of
from config.values.request_id import request_id

TITLES = {
    400: "This request has a mistake",
    401: "You have to log in first",
    403: "You have no permission to do this",
    404: "There is no such page",
    405: "This page does not take this kind of request",
    406: "This page does not come in that format",
    409: "This contradicts what is stored",
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
"""The heading of an error page by the status of the answer. The error's own sentence stands below it."""


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
    response = render(request, "errors/error.html", context, status=error.status_code)
    for name, value in headers.items():
        response[name] = value
    return log_refusal(error, response)


def answer_error(request: HttpRequest, error: ApiError) -> HttpResponse:
    """Answer under /api, to monitors and to programs that embed boards with JSON, elsewhere with a page."""
    if paths.is_under(request.path_info, paths.API, paths.OEMBED, *paths.OPERATOR):
        return error_response(error)
    return error_page(request, error)
