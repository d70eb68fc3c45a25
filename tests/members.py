"""Browsers of members who are signed in."""

from typing import Any

from django.test import Client

from accounts.models import Account
from accounts.models.sessions import MEMBER_BACKEND


def signed_in(
    account: Account, backend: str = MEMBER_BACKEND, *, enforce_csrf_checks: bool = False, **stored: Any
) -> Client:
    """Return a browser that is signed in, as a member unless another backend is named. Its session has `stored`.

    With `enforce_csrf_checks` it needs tokens.
    """
    client = Client(enforce_csrf_checks=enforce_csrf_checks)
    client.force_login(account, backend=backend)
    if stored:
        session = client.session
        session.update(stored)
        session.save()
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/account/devices").status_code == 200
