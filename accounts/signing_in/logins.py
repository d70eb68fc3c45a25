"""How a person whom the provider has named is signed in, and how fresh that is; the browsers where they are, and logins
in the security log.

Django's signals report each login, whatever its way. The edge reports one that is past a limit
(config.edge.observability.metrics), since it reaches no backend.
"""

import logging
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, login, signals
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts.identifiers import is_account_id
from accounts.models import Account, Session
from accounts.services import lock_alone
from accounts.signing_in.clients import OidcClient
from accounts.tokens.verifier import LEEWAY_SECONDS, is_numeric_date
from config.edge.security.security_log import log_change, log_security

AGAIN = "again"
"""The parameter of an address of signing in that has the provider ask for the login again."""

MAX_AGE_SECONDS = 300
"""How old a fresh sign-in may be. Clubs share computers: a stranger must not delete what the last user left signed in.
"""


def authenticated_at(claims: Mapping[str, Any]) -> int:
    """Return when the person proved who they are (`auth_time`), 0 where the provider names no moment that has been."""
    at: Any = claims.get("auth_time")
    return int(at) if is_numeric_date(at) and at <= time.time() + LEEWAY_SECONDS else 0


def is_fresh(authenticated: int) -> bool:
    return time.time() - authenticated <= MAX_AGE_SECONDS


@transaction.atomic
def start_session(request: HttpRequest, account: Account, client: OidcClient, claims: Mapping[str, Any]) -> bool:
    """Sign an account in, and store its session. Return False when it has been switched off since.

    The account is locked first, so that an erasure under way is waited for, and none leaves a session behind.
    """
    if not lock_alone(account.pk):
        return False
    login(request, account, backend=client.backend)
    session: Any = request.session
    session.remember_login(claims.get("sid"), authenticated_at(claims))
    session.save()
    return True


@receiver(signals.user_logged_in)
def begin_session(sender: object, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    request.session.begin(request.META.get("HTTP_USER_AGENT", ""))  # type: ignore[attr-defined]  # our SessionStore
    log_security("login", logging.INFO, account=user.pk, way=request.session[BACKEND_SESSION_KEY])


@receiver(signals.user_login_failed)
def log_failure(sender: object, credentials: Mapping[str, Any], **kwargs: Any) -> None:
    """Name the account only if there is one: a person may have typed a password or an address as the name.

    Say of an account that no password can log in why: it was never enrolled.
    """
    name = credentials.get("username") or credentials.get(Account.USERNAME_FIELD)
    account = None
    if is_account_id(name):
        account = Account.objects.select_related("one_time_code").filter(pk=name).first()
    fields: dict[str, Any] = {"account": account and account.pk}
    needs_code = settings.ADMIN_ONE_TIME_CODES and "password" in credentials
    if account and needs_code and not hasattr(account, "one_time_code"):
        fields["reason"] = "no_one_time_code"
    log_security("login_failed", **fields)


@receiver(signals.user_logged_out)
def log_logout(sender: object, user: AbstractBaseUser | None, **kwargs: Any) -> None:
    if user is not None:
        log_security("logout", logging.INFO, account=user.pk)


def sessions_of(account: Account) -> QuerySet[Session]:
    """Return the sessions of an account that have not ended, the one that was used last first."""
    return Session.objects.filter(account=account, expire_date__gt=timezone.now())


def end_sessions(sessions: QuerySet[Session], *, why: str) -> int:
    """End sessions, at their next request in every process. Return how many there were."""
    ended = 0
    for key, account_id in sessions.values_list("pk", "account_id"):
        deleted, _ = Session.objects.filter(pk=key).delete()
        ended += deleted
        if deleted:
            log_change("session_ended", subject=account_id, why=why)
    return ended
