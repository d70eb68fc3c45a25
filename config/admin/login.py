"""Logging in to the admin: limited before a password is hashed, since half a second of a core is what a guess costs.

The limits are of this page alone: a token, and so the whole API, works for an account whoever guesses at its password.
"""

import unicodedata
from collections.abc import Callable
from threading import BoundedSemaphore

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache

from config.api.errors import ApiError, RateLimited, ServiceUnavailable
from config.edge import counters
from config.edge.client_address import client_network
from config.edge.counters import Limit
from config.values.request_id import request_id

PER_CLIENT = 5, 60
PER_NETWORK = 20, 60
PER_NAME = 10, 15 * 60
LONGEST_NAME = 256  # one more than an account's id can have
HASHES = 2
_hashing = BoundedSemaphore(HASHES)


@never_cache
def login(request: HttpRequest) -> HttpResponseBase:
    try:
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            count_attempt(request, request.POST.get("username", ""))
    except (RateLimited, ServiceUnavailable) as error:
        return refusal(request, error)
    return hashing(request, admin.site.login)


@never_cache
def password_change(request: HttpRequest) -> HttpResponseBase:
    """Asks for the old password, so it is guessed at as a login is."""
    try:
        if request.method == "POST":
            count_attempt(request, request.user.get_username())
    except (RateLimited, ServiceUnavailable) as error:
        return refusal(request, error)
    return hashing(request, admin.site.admin_view(admin.site.password_change, cacheable=True))


def hashing(request: HttpRequest, view: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    """No more than HASHES at once in a process: the other threads stay for everybody else."""
    if request.method != "POST":
        return view(request)
    if not _hashing.acquire(blocking=False):
        busy = "Others are logging in just now. Try again in a moment."
        return refusal(request, ServiceUnavailable(busy, headers={"Retry-After": "1"}))
    try:
        return view(request)
    finally:
        _hashing.release()


def count_attempt(request: HttpRequest, name: str) -> None:
    """RateLimited past either limit; a client that is past its own no longer counts against the name."""
    limits = (
        Limit(f"client:{client_network(request, 64)}", *PER_CLIENT),
        Limit(f"network:{client_network(request, 48)}", *PER_NETWORK),
        Limit(f"name:{normalised(name)}", *PER_NAME),
    )
    for limit in limits:
        usage = counters.count("admin.login", limit)
        if usage.exceeded:
            raise RateLimited(
                "Too many attempts to log in. Wait a little, then try again.",
                headers={"Retry-After": str(usage.wait)},
            )


def normalised(name: str) -> str:
    """The same for what a guesser could vary for nothing. An account of that name need not exist."""
    return unicodedata.normalize("NFKC", name).strip().casefold()[:LONGEST_NAME]


def refusal(request: HttpRequest, error: ApiError) -> HttpResponseBase:
    context = {
        **admin.site.each_context(request),
        "title": "Not now",
        "error": error,
        "request_id": request_id.get(),
    }
    return TemplateResponse(
        request, "admin/refusal.html", context, status=error.status_code, headers=dict(error.headers)
    )
