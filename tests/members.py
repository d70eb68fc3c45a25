"""Browsers of members who are signed in."""

from django.test import Client

from accounts.models import Account
from accounts.signing_in.doors import MEMBER_BACKEND


def signed_in(account: Account, **more: bool) -> Client:
    """Return a browser that is signed in through the members' door. With `enforce_csrf_checks` it needs tokens."""
    client = Client(**more)
    client.force_login(account, backend=MEMBER_BACKEND)
    return client
