"""The fresh sign-in that is asked for before a person's data leave, the account ends or other devices are signed out.

Clubs share computers: whoever finds somebody signed in can read and vote as them, and do none of these.
"""

import time
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import BACKEND_SESSION_KEY
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.models.sessions import AUTHENTICATED
from accounts.signing_in.clients import ADMIN, MEMBERS
from accounts.tokens.verifier import LEEWAY_SECONDS, is_numeric_date
from config import paths
from config.site.pages import MemberPage
from config.site.reader import path_of_referer

AGAIN = "again"
"""The parameter of an address of signing in that has the provider ask for the login again."""

MAX_AGE_SECONDS = 300


def authenticated_at(claims: Mapping[str, Any]) -> int:
    """Return when the person proved who they are (`auth_time`), 0 where the provider names no moment that has been."""
    at: Any = claims.get("auth_time")
    return int(at) if is_numeric_date(at) and at <= time.time() + LEEWAY_SECONDS else 0


def is_fresh(authenticated: int) -> bool:
    return time.time() - authenticated <= MAX_AGE_SECONDS


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
