"""Answers to errors outside views: JSON for programs, a page for people."""

import sys

from django.http import HttpRequest, HttpResponse

from config import paths
from config.api import errors
from config.api.handlers import error_response, to_api_error
from config.site.error_page import error_page

NO_COOKIE = (
    "This form was not sent from a page of this site, or your browser sent no cookie with it: allow cookies, go back,"
    " reload the page and send it again."
)


def answer_error(request: HttpRequest, error: errors.ApiError) -> HttpResponse:
    """Answer under /api and to monitors with JSON, elsewhere with a page."""
    if paths.is_under(request.path_info, paths.API, *paths.OPERATOR):
        return error_response(error)
    return error_page(request, error)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer_error(request, to_api_error(exception) or errors.BadRequest())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer_error(request, errors.PermissionRefused())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return answer_error(request, errors.PermissionRefused(NO_COOKIE))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer_error(request, errors.NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a crash. Look at the exception that Django handles just now: a lost database is a 503 here too."""
    return answer_error(request, to_api_error(sys.exc_info()[1]) or errors.InternalError())
