"""The admin's login and change of password, limited before a password is hashed: a hash takes half a second of a core.

The limits hold for these pages alone. While somebody guesses at an account's password, its tokens and the API keep
working.
"""

import unicodedata
from collections.abc import Callable
from threading import BoundedSemaphore

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache

from config.admin.site import refusal_page
from config.api.errors import RateLimited, ServiceUnavailable
from config.edge import counters
from config.edge.client_address import client_network
from config.edge.counters import Limit
from config.values.identifiers import MAX_ACCOUNT_ID_LENGTH

PER_CLIENT = 5, 60
PER_NETWORK = 20, 60
PER_NAME = 10, 15 * 60
# One character more than an account's id can have, so that a longer name is no account's.
MAX_NAME_LENGTH = MAX_ACCOUNT_ID_LENGTH + 1
MAX_CONCURRENT_HASHES = 2
_hashing = BoundedSemaphore(MAX_CONCURRENT_HASHES)
NO_LOGIN = "You cannot log in now"
NO_CHANGE = "You cannot change your password now"


@never_cache
def login(request: HttpRequest) -> HttpResponseBase:
    """Count each attempt before Django's login hashes a password."""
    try:
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            count_attempt(request, request.POST.get("username", ""))
    except (RateLimited, ServiceUnavailable) as error:
        return refusal_page(request, error, title=NO_LOGIN)
    return limit_hashing(request, admin.site.login, title=NO_LOGIN)


@never_cache
def password_change(request: HttpRequest) -> HttpResponseBase:
    """Limit changes of a password like logins: the form asks for the old one, which can be guessed at here too."""
    try:
        if request.method == "POST":
            count_attempt(request, request.user.get_username())
    except (RateLimited, ServiceUnavailable) as error:
        return refusal_page(request, error, title=NO_CHANGE)
    view = admin.site.admin_view(admin.site.password_change, cacheable=True)
    return limit_hashing(request, view, title=NO_CHANGE)


def limit_hashing(
    request: HttpRequest, view: Callable[[HttpRequest], HttpResponseBase], *, title: str
) -> HttpResponseBase:
    """Call the view. Answer 503 to a POST while MAX_CONCURRENT_HASHES others run in this process.

    So most threads stay free for everybody else.
    """
    if request.method != "POST":
        return view(request)
    if not _hashing.acquire(blocking=False):
        error = ServiceUnavailable(
            "The service is checking other passwords just now.", headers={"Retry-After": "1"}
        )
        return refusal_page(request, error, title=title)
    try:
        return view(request)
    finally:
        _hashing.release()


def count_attempt(request: HttpRequest, name: str) -> None:
    """Count an attempt to log in or to change a password. Raise RateLimited past a limit.

    A client past its own limit no longer counts against the name, so that it cannot lock others out.
    """
    limits = (
        Limit(f"client:{client_network(request.META, 64)}", *PER_CLIENT),
        Limit(f"network:{client_network(request.META, 48)}", *PER_NETWORK),
        Limit(f"name:{normalise(name)}", *PER_NAME),
    )
    for limit in limits:
        usage = counters.count("admin.login", limit)
        if usage.exceeded:
            raise RateLimited(
                "Too many attempts with this name or from this network.",
                headers={"Retry-After": str(usage.wait)},
            )


def normalise(name: str) -> str:
    """Return one spelling of all that a guesser could vary at no cost. No account of that name need exist."""
    return unicodedata.normalize("NFKC", name).strip().casefold()[:MAX_NAME_LENGTH]
