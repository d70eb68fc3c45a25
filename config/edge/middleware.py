"""The service's own middleware. What may refuse a request is a request check of EdgeMiddleware."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response, response_for_exception
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string

from config import paths
from config.api.errors import ApiError
from config.database import reading
from config.database.replicas import replicas
from config.edge.error_page import answer_error
from config.edge.request_checks import RequestCheck

MAX_LOCATION_LENGTH = 1000

ASK_PRIMARY = (HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE)

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class ContentSecurityPolicyMiddleware:
    """Send SECURE_CSP with every answer that has no policy of its own. Django 6 brings this itself.

    A 304 has none: a browser would put it in place of the policy that came with the reader's copy.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.policy = write_policy(settings.SECURE_CSP)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            response.setdefault("Content-Security-Policy", self.policy)
        return response


class CrossOriginMiddleware(CorsMiddleware):
    """Answer each preflight with an empty 204, whatever its path: only browsers send it.

    With CORS off the answer grants nothing. The deals have no preflight: a request without the key is refused there.
    """

    def check_preflight(self, request: HttpRequest) -> HttpResponse | None:
        is_preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        if not is_preflight or paths.is_under(request.path_info, paths.DEALS):
            return None
        request.get_host()  # A bad one is refused here as everywhere.
        response = HttpResponse(status=HTTPStatus.NO_CONTENT)
        del response["Content-Type"]
        return response


class ReplicaMiddleware:
    """Ask the primary where a replica finds nothing or fails: it may lack what was published just now, or be ending.

    The innermost, so that all others see one request and one answer.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if reading.alias == DEFAULT_DB_ALIAS or response.status_code not in ASK_PRIMARY:
            return response
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            replicas().report_failure(reading.alias)
        reading.alias = DEFAULT_DB_ALIAS
        return self.get_response(request)


class EdgeMiddleware:
    """Let settings.REQUEST_CHECKS check a request, in their order, before routing and reading its body.

    Each finishes every answer, in the reverse order: a refusal, an unknown path and a crash too. When one cannot
    finish an answer, the error is the answer, and those that are left finish that.

    Take one trailing slash off the path first, but where the admin and static files need it, so that /api/boards/ is
    /api/boards: no redirect, no twin routes.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.checks: list[RequestCheck] = [import_string(name)() for name in settings.REQUEST_CHECKS]
        # An exception, Django's own error views included, becomes an answer here, which the request checks then finish.
        self.answer: GetResponse = convert_exception_to_response(self.check_and_answer)  # type: ignore[assignment]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if len(path) > 1 and path.endswith("/") and not paths.is_under(path, paths.ADMIN, paths.STATIC):
            request.path_info, request.path = path[:-1], request.path[:-1]
        response = self.finish(request, self.answer(request))
        remove_public_cookies(request, response)
        shorten_redirect(response)
        set_length(response)
        return response

    def check_and_answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            for check in self.checks:
                check.check(request)
        except ApiError as error:
            return answer_error(request, error)
        return self.get_response(request)

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for check in reversed(self.checks):
            try:
                check.finish(request, response)
            except Exception as exc:  # Django logs it, and our error views answer it, as it does for a view.
                response = response_for_exception(request, exc)
        return response


def write_policy(sources_of: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in sources_of.items())


def remove_public_cookies(request: HttpRequest, response: HttpResponseBase) -> None:
    """Give nobody a cookie by what all get, nor by the API. CsrfViewMiddleware has one for a wrong cookie."""
    is_public = response.get("Cache-Control", "").startswith("public")
    if is_public or paths.is_under(request.path_info, paths.API):
        response.cookies.clear()


def shorten_redirect(response: HttpResponseBase) -> None:
    """Shorten the address of a redirect within the service that is too long for proxies: nginx answers 502 for it.

    What leads elsewhere, to a hand viewer or to the identity provider, is worth nothing without its parameters, and has
    a limit of its own. The admin repeats the address that was requested, escaped, which makes it three times as long.
    Such a redirect leads to the same page without its parameters.
    """
    target = response.get("Location", "")
    if len(target) > MAX_LOCATION_LENGTH and target.startswith("/"):
        path = target.partition("?")[0]
        response["Location"] = path if len(path) <= MAX_LOCATION_LENGTH else f"{paths.ADMIN}/"


def set_length(response: HttpResponseBase) -> None:
    """Set Content-Length where it is missing: CommonMiddleware does so only for views.

    A 304 gets none: it would be the length of the omitted body (RFC 9110 §8.6).
    """
    if response.status_code == HTTPStatus.NOT_MODIFIED:
        del response["Content-Length"]
    elif isinstance(response, HttpResponse):
        response.setdefault("Content-Length", str(len(response.content)))
