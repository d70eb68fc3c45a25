"""How often a client may try to log in to the admin. Attempts are counted before a password is hashed.

So nobody locks an account for everybody from one place, and nobody's guesses keep out a device that has logged in
before. docs/reliability/sign-in.md says what is promised, decision 0027 why no package does this.
"""

import hashlib
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.models import Account
from config.api.errors import RateLimited, ServiceUnavailable
from config.edge.limits import counters
from config.edge.limits.counters import Limit, Usage
from config.edge.security.client_address import client_network
from config.edge.security.security_log import log_security
from config.values.identifiers import MAX_ACCOUNT_ID_LENGTH

PER_CLIENT = 5, 60
PER_NETWORK = 20, 60
PER_NAME_AND_CLIENT = 10, 3600
PER_NAME_AND_NETWORK = 20, 3600
PER_NAME = 200, 3600
PER_DEVICE = 10, 15 * 60
PER_CHANGING_ACCOUNT = 10, 15 * 60
VISITS = {
    # Signing in with the identity provider, where no password is guessed: each begin stores a session.
    "admin.provider": ((20, 60), (60, 60)),
    # The same for members. A club's room is one address: thirty people sign in within a minute, each in two steps.
    "members.sign_in": ((60, 60), (240, 60)),
    # Logout tokens all come from the provider's address, one for each login that ends. A provider asks but once.
    "members.logout_token": ((1200, 60), (1200, 60)),
}
"""How often a client and a network may do each of these."""

DEVICE_MAX_AGE = timedelta(days=90)
# One character more than an account's id can have, so that a longer name is not an account's.
MAX_NAME_LENGTH = MAX_ACCOUNT_ID_LENGTH + 1


def count_login(request: HttpRequest, name: str) -> bool:
    """Count an attempt to log in with a password. Return whether the device is known. Raise RateLimited past a limit.

    An attempt that one limit refuses does not count against the next, so that a client past its own limit uses up
    nothing of the name's.
    """
    if device := known_device(request, name):
        count_all("admin.login", [Limit(f"device:{device}", *PER_DEVICE)])
        return True
    client, network = client_network(request.META, 64), client_network(request.META, 48)
    name = normalise(name)
    narrow = [
        *limits_of_place(request, PER_CLIENT, PER_NETWORK),
        Limit(f"client:{client} name:{name}", *PER_NAME_AND_CLIENT),
        Limit(f"network:{network} name:{name}", *PER_NAME_AND_NETWORK),
    ]
    count_all("admin.login", narrow)
    usage = counters.count("admin.login", Limit(f"name:{name}", *PER_NAME))
    if usage.count == usage.limit.times + 1:
        report_locked_name(request, name, usage)
    refuse_exceeded(usage)
    return False


def count_password_change(request: HttpRequest) -> None:
    """Count an attempt to change one's password, a guess at the old one. Raise RateLimited past a limit.

    Only logged-in users get here, so the count of logins with that name is left alone.
    """
    account = Limit(f"account:{request.user.get_username()}", *PER_CHANGING_ACCOUNT)
    count_all("admin.password_change", [*limits_of_place(request, PER_CLIENT, PER_NETWORK), account])


def count_visit(request: HttpRequest, group: str) -> None:
    """Count one of VISITS. Raise RateLimited past a limit."""
    count_all(group, limits_of_place(request, *VISITS[group]))


@contextmanager
def slot(slots: BoundedSemaphore, busy: str) -> Iterator[None]:
    """Hold one of this process's slots during the block, so that most threads stay free for everybody else.

    Raise ServiceUnavailable with the sentence `busy` while others hold all of them.
    """
    if not slots.acquire(blocking=False):
        raise ServiceUnavailable(busy, headers={"Retry-After": "1"})
    try:
        yield
    finally:
        slots.release()


def limits_of_place(request: HttpRequest, per_client: tuple[int, int], per_network: tuple[int, int]) -> list[Limit]:
    """Return the limits of an IPv4 address or IPv6 /64, and of the /48 that a customer of a provider has."""
    return [
        Limit(f"client:{client_network(request.META, 64)}", *per_client),
        Limit(f"network:{client_network(request.META, 48)}", *per_network),
    ]


def count_all(group: str, limits: list[Limit]) -> None:
    """Count against each limit until one is exceeded. Raise RateLimited then."""
    for limit in limits:
        refuse_exceeded(counters.count(group, limit))


def refuse_exceeded(usage: Usage) -> None:
    if usage.exceeded:
        raise RateLimited(
            "Too many attempts with this name or from this network.",
            headers={"Retry-After": str(usage.wait)},
        )


def normalise(name: str) -> str:
    """Return one spelling of all that a guesser could vary at no cost. No account of that name need exist."""
    return unicodedata.normalize("NFKC", name).strip().casefold()[:MAX_NAME_LENGTH]


# --- The alarm


def report_locked_name(request: HttpRequest, name: str, usage: Usage) -> None:
    """Log an alarm once a window: this many guesses from this many networks are an attack on the account.

    Name the account only if there is one. People type passwords into the field for the name.
    """
    account = find_account(pk__iexact=name)
    log_security(
        "login_locked",
        account=account.pk if account else "",
        network=client_network(request.META, 48),
        attempts=usage.limit.times,
        seconds=usage.wait,
    )


def find_account(**condition: str) -> Account | None:
    """Return the account that a typed name means, if there is one. PostgreSQL takes no NUL, and no id has one."""
    has_nul = any("\x00" in name for name in condition.values())
    return None if has_nul else Account.objects.filter(**condition).first()


# --- Devices that have logged in


def remember_device(request: HttpRequest, response: HttpResponseBase, account: Account) -> None:
    """Give the browser a cookie that tells it from strangers when this account logs in again.

    It proves nothing else: a password is still required. It ends with the account's sessions, when the password changes
    or the account is suspended. Its name does not disclose the account.
    """
    nonce = known_device(request, account.get_username()) or secrets.token_urlsafe(16)
    response.set_cookie(
        cookie_name(account.get_username()),
        signer(account.get_session_auth_hash()).sign(nonce),
        max_age=DEVICE_MAX_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_device(request: HttpRequest, name: str) -> str:
    """Return the nonce of the device's cookie for this account, or "" for a stranger. Ask the database only for one."""
    cookie = request.COOKIES.get(cookie_name(name), "")
    # By the key itself: this comes before any limit, so it must cost nothing to be asked for a thousand times.
    account = find_account(pk=name.strip()) if cookie else None
    hashes = (account.get_session_auth_hash(), *account.get_session_auth_fallback_hash()) if account else ()
    for session_hash in hashes:
        with suppress(BadSignature):  # of another password, or made up
            return signer(session_hash).unsign(cookie, max_age=DEVICE_MAX_AGE)
    return ""


def signer(session_hash: str) -> Any:
    return TimestampSigner(salt=f"admin.device:{session_hash}")


def cookie_name(name: str) -> str:
    # __Host- asks for the path "/", so the browser sends it with every page: a few bytes, of staff alone.
    prefix = "__Host-" if settings.SESSION_COOKIE_SECURE else ""
    return f"{prefix}device_{hashlib.sha256(normalise(name).encode()).hexdigest()[:16]}"
