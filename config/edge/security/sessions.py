"""Django's middleware for sessions, logins and messages, passed over by the API, which knows no session.

With Django's own, the API would spend a fifth of the edge's time on them. Each is a class of its own, so that
settings.MIDDLEWARE shows the order and Django's checks find them.
"""

from contextlib import suppress
from typing import Any

from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from config import paths
from config.site.reader import has_session


class OutsideApi(MiddlewareMixin):
    """Do nothing for paths of the API."""

    def __call__(self, request: HttpRequest) -> Any:  # as MiddlewareMixin has it: a coroutine under ASGI
        if paths.is_under(request.path_info, paths.API):
            return self.get_response(request)
        return super().__call__(request)


class SessionMiddleware(OutsideApi, sessions.SessionMiddleware):
    """Django's, which also lets the store write that a session was used (accounts.signing_in.sessions)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session: Any = request.session
        if has_session(request) and session.accessed and not session.modified:
            with suppress(
                Error
            ):  # The answer is made. A session that looks idle for some minutes more does no harm.
                session.touch()
        return super().process_response(request, response)


class AuthenticationMiddleware(OutsideApi, auth.AuthenticationMiddleware):
    pass


class MessageMiddleware(OutsideApi, messages.MessageMiddleware):
    pass
