"""Django's middleware for sessions, CSRF, logins and messages, passed over by the API, which knows no session.

They take as long as all other middleware together. Each is a class of its own, so that settings.MIDDLEWARE shows the
order and Django's checks find them. CSRF still looks at each view that is not exempt, wherever its route is.
"""

from typing import Any

from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest
from django.middleware import csrf
from django.utils.deprecation import MiddlewareMixin

from config import paths


class OutsideApi(MiddlewareMixin):
    """Do nothing for paths of the API."""

    def __call__(self, request: HttpRequest) -> Any:  # as MiddlewareMixin has it: a coroutine under ASGI
        if paths.is_under(request.path_info, paths.API):
            return self.get_response(request)
        return super().__call__(request)


class SessionMiddleware(OutsideApi, sessions.SessionMiddleware):
    pass


class CsrfViewMiddleware(OutsideApi, csrf.CsrfViewMiddleware):
    pass


class AuthenticationMiddleware(OutsideApi, auth.AuthenticationMiddleware):
    pass


class MessageMiddleware(OutsideApi, messages.MessageMiddleware):
    pass
