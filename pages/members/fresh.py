"""The page that asks for a fresh sign-in (accounts.signing_in.logins), and leads back to what needs it."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib.auth import BACKEND_SESSION_KEY
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.models.sessions import AUTHENTICATED
from accounts.signing_in.clients import ADMIN, MEMBERS
from accounts.signing_in.logins import AGAIN, MAX_AGE_SECONDS, is_fresh
from config import paths
from pages.site.base import MemberPage, path_of_referer


def needs_fresh_sign_in(handler: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer with 403 and a page that leads to a new sign-in, and then back, where the last one was not just now.

    It is a page with a link, since browsers follow no redirect from a form to the provider (form-action 'self').
    """

    @wraps(handler)
    def answer(page: MemberPage, request: HttpRequest) -> HttpResponseBase:
        if is_fresh(request.session[AUTHENTICATED]):
            return handler(page, request)
        context = {
            "minutes": MAX_AGE_SECONDS // 60,
            "sign_in": sign_in_again_path(request),
            "back": page_of_form(request),
            "noindex": True,
        }
        return page.render_page("accounts/sign_in_again.html", context, status=HTTPStatus.FORBIDDEN)

    return answer


def sign_in_again_path(request: HttpRequest) -> str:
    """Return the address that signs in again by the way of this session, "" for a password."""
    begin = {MEMBERS.backend: paths.SIGN_IN, ADMIN.backend: f"{paths.PROVIDER_LOGIN}/"}
    address = begin.get(request.session[BACKEND_SESSION_KEY])
    return f"{address}?{urlencode({AGAIN: 'yes', 'next': page_of_form(request)})}" if address else ""


def page_of_form(request: HttpRequest) -> str:
    """Return the page to press on once more: the form's own, and for a download the one that had the link."""
    if request.method == "POST":
        return request.get_full_path()
    came_from = path_of_referer(request)
    return came_from if paths.is_under(came_from.partition("?")[0], paths.ACCOUNT) else paths.ACCOUNT
