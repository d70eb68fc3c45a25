"""Logging in to the admin, limited before a password is hashed: each guess would cost half a second of a core.

The limits hold for this page alone: whoever guesses at an account's password, its tokens and the API keep working.
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

PER_CLIENT = 5, 60
PER_NETWORK = 20, 60
PER_NAME = 10, 15 * 60
MAX_NAME_LENGTH = 256  # one more than an account's id can have
MAX_CONCURRENT_HASHES = 2
_hashing = BoundedSemaphore(MAX_CONCURRENT_HASHES)
NOT_NOW = "You cannot log in now"


@never_cache
def login(request: HttpRequest) -> HttpResponseBase:
    """Count each attempt before Django's login hashes a password."""
    try:
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            count_attempt(request, request.POST.get("username", ""))
    except (RateLimited, ServiceUnavailable) as error:
        return refusal_page(request, error, title=NOT_NOW)
    return limit_hashing(request, admin.site.login)


@never_cache
def password_change(request: HttpRequest) -> HttpResponseBase:
    """Limit changes of a password like logins: the form asks for the old one, which can be guessed at here too."""
    try:
        if request.method == "POST":
            count_attempt(request, request.user.get_username())
    except (RateLimited, ServiceUnavailable) as error:
        return refusal_page(request, error, title=NOT_NOW)
    return limit_hashing(request, admin.site.admin_view(admin.site.password_change, cacheable=True))


def limit_hashing(request: HttpRequest, view: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    """Call the view. Answer 503 to a POST while MAX_CONCURRENT_HASHES others run in this process.

    So most threads stay free for everybody else.
    """
    if request.method != "POST":
        return view(request)
    if not _hashing.acquire(blocking=False):
        busy = "Others are logging in just now. Wait a moment, then try again."
        return refusal_page(request, ServiceUnavailable(busy, headers={"Retry-After": "1"}), title=NOT_NOW)
    try:
        return view(request)
    finally:
        _hashing.release()


def count_attempt(request: HttpRequest, name: str) -> None:
    """Count an attempt to log in. Raise RateLimited past a limit.

    A client past its own limit no longer counts against the name, so that it cannot lock others out.
    """
    limits = (
        Limit(f"client:{client_network(request, 64)}", *PER_CLIENT),
        Limit(f"network:{client_network(request, 48)}", *PER_NETWORK),
        Limit(f"name:{normalise(name)}", *PER_NAME),
    )
    for limit in limits:
        usage = counters.count("admin.login", limit)
        if usage.exceeded:
            raise RateLimited(
                "Too many attempts to log in. Wait a little, then try again.",
                headers={"Retry-After": str(usage.wait)},
            )


def normalise(name: str) -> str:
    """Return one spelling of all that a guesser could vary at no cost. No account of that name need exist."""
    return unicodedata.normalize("NFKC", name).strip().casefold()[:MAX_NAME_LENGTH]
