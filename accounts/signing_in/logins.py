"""Logins in the security log, through whichever door they come: Django's signals tell of each.

A limited login is told by the edge (config.edge.observability.metrics), since it reaches no backend.
"""

import logging
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, signals
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from accounts.identifiers import is_account_id
from accounts.models import Account
from config.edge.security.security_log import log_security


def connect() -> None:
    signals.user_logged_in.connect(begin_session)
    signals.user_logged_in.connect(log_login)
    signals.user_login_failed.connect(log_failure)
    signals.user_logged_out.connect(log_logout)


def begin_session(sender: object, request: HttpRequest, **kwargs: Any) -> None:
    request.session.begin(request.META.get("HTTP_USER_AGENT", ""))  # type: ignore[attr-defined]  # our SessionStore


def log_login(sender: object, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    log_security("login", logging.INFO, account=user.pk, way=request.session[BACKEND_SESSION_KEY])


def log_failure(sender: object, credentials: Mapping[str, Any], **kwargs: Any) -> None:
    """Name the account only if there is one: a person may have typed a password or an address as the name."""
    name = credentials.get("username") or credentials.get(Account.USERNAME_FIELD)
    exists = is_account_id(name) and Account.objects.filter(pk=name).exists()
    log_security("login_failed", account=name if exists else None)


def log_logout(sender: object, user: AbstractBaseUser | None, **kwargs: Any) -> None:
    if user is not None:
        log_security("logout", logging.INFO, account=user.pk)
