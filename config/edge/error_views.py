"""What Django calls for errors outside views."""

import sys

from django.http import HttpRequest, HttpResponse

from config import paths
from config.api import errors
from config.api.handlers import to_api_error
from config.edge.error_page import answer_error

NO_PAGE = "No page has this address. Check the address."
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
