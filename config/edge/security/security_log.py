"""The log of what matters to security: the logger `security`. docs/reliability/watching.md lists its events.

A line names the event, the client's network, the account of the token or session, the route and the request. It is
called from any depth, so the request is that of this thread.
"""

import logging
import sys
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.functional import LazyObject

from config.edge.security.client_address import client_network
from config.values.redaction import name_in_logs
from config.values.request_id import request_id

logger = logging.getLogger("security")

current_request: ContextVar[HttpRequest | None] = ContextVar("current_request", default=None)

ERASED = "account_erased"
"""The event of an erasure. The log outlives the database: `erase_again` reads it after a backup was restored."""

ACCOUNTS = frozenset({"account", "actor", "subject"})


def log_security(event: str, level: int = logging.WARNING, **fields: Any) -> None:
    """Write a line now. Fields may contain ids of accounts, and texts of our own: nothing that a user wrote."""
    logger.log(level, event, extra={"fields": describe(event, fields), "clean": True})


def log_change(event: str, **fields: Any) -> None:
    """Write a line when the transaction that makes the change is committed, else never."""
    line = {"fields": describe(event, fields), "clean": True}
    transaction.on_commit(lambda: logger.info(event, extra=line))


def describe(event: str, fields: dict[str, Any]) -> dict[str, Any]:
    about: dict[str, Any] = {"event": event, "route": origin()}
    request = current_request.get()
    if request is not None:
        about |= {
            "requestId": request_id.get(),  # here, since a line may be written after the answer
            "client": client_network(request.META),
            "account": account_of(request),
        }
    about |= fields
    return {name: name_in_logs(value) if name in ACCOUNTS else value for name, value in about.items()}


def route_of(request: HttpRequest) -> str:
    """Return the URL pattern, never the path with its ids. Return "unknown" for a path that no route has."""
    if request.resolver_match is None:  # it was answered before routing
        try:
            request.resolver_match = resolve(request.path_info)
        except Resolver404:
            return "unknown"
    return request.resolver_match.route


def origin() -> str:
    """Return the route of this thread's request, or the command that runs here."""
    request = current_request.get()
    if request is not None:
        return route_of(request)
    program, *rest = sys.argv or [""]
    return f"manage.py {rest[0]}" if Path(program).name == "manage.py" and rest else ""


def acting_account() -> str:
    """Return the id of the account that makes this thread's request, "" for an operator's command."""
    request = current_request.get()
    return (account_of(request) or "") if request is not None else ""


def account_of(request: HttpRequest) -> str | None:
    """Return the account of the token or, outside the API, of the session, where it has been looked up already."""
    actor: str | None = getattr(request, "actor_id", None)
    if actor:
        return actor
    user = request.__dict__.get("user")
    if isinstance(user, LazyObject):  # to ask it for its key would look it up
        return getattr(request.session, "account_id", None)
    return getattr(user, "pk", None)
