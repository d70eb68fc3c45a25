"""Django's middleware for sessions, logins and messages, passed over by the API, which knows no session.

With Django's own, the API would spend a fifth of the edge's time on them. Each is a class of its own, so that
settings.MIDDLEWARE shows the order and Django's checks find them.
"""

from contextlib import suppress
from functools import partial
from typing import Any

from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from config import paths
from config.api.errors import RateLimited
from config.edge.error_page import answer_error
from config.edge.limits.read_limit import count_change
from config.edge.reader import has_session


class OutsideApi(MiddlewareMixin):
    """Do nothing for paths of the API."""

    def __call__(self, request: HttpRequest) -> Any:  # as MiddlewareMixin has it: a coroutine under ASGI
        if paths.is_under(request.path_info, paths.API):
            return self.get_response(request)
        return super().__call__(request)


class SessionMiddleware(OutsideApi, sessions.SessionMiddleware):
    """Django's, which also lets the store write that a session was used (accounts.models.sessions)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session: Any = request.session
        if has_session(request) and session.accessed and not session.modified:
            with suppress(Error):  # The answer is made. A session that looks idle for some minutes more does no harm.
                session.touch()
        return super().process_response(request, response)


class AuthenticationMiddleware(OutsideApi, auth.AuthenticationMiddleware):
    """Django's, which also counts what a reader changes by a form. The API's throttle counts its callers' changes."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        super().process_request(request)
        request.user = SimpleLazyObject(partial(look_up_account, request))  # type: ignore[assignment]  # as Django does
        uncounted = (paths.ADMIN, paths.SIGN_OUT, paths.IMPERSONATION)
        if request.method != "POST" or not has_session(request) or paths.is_under(request.path_info, *uncounted):
            return None
        try:
            if request.user.is_authenticated:
                count_change(request, request.user.pk)
        except RateLimited as error:
            return answer_error(request, error)
        return None


def look_up_account(request: Any) -> Any:
    """Return the account of the session, and note on the request whose it is, for its lines in the logs."""
    account = auth.get_user(request)
    request.session_account = account.pk
    return account


class MessageMiddleware(OutsideApi, messages.MessageMiddleware):
    pass
