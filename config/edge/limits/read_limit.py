"""The limits on what a client asks and on what an account changes: approximate, at a cost of a microsecond a request.

They count what requests cost: one that takes long counts as several.
"""

import threading
import time
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from config import paths
from config.api.errors import RateLimited
from config.api.negotiation import django_request_of
from config.edge.limits.counters import parse_rate
from config.edge.request_checks import RequestCheck
from config.edge.security.client_address import client_network

SECONDS_OF_A_READ = 0.01
"""The processor time that one request pays for. One that takes more counts as one more for each of them."""


class ReadLimiter:
    """Count the requests of each client in the current window, in this process only.

    N processes let up to N times the rate through, and twice that where two windows meet: generous by design.
    Beyond MAX_CLIENTS entries all counts start again from zero, so that the memory has a bound.
    """

    MAX_CLIENTS = 50_000

    def __init__(self, rate: str) -> None:
        self.limit, self.seconds = parse_rate(rate)
        self.window = 0
        self.counts: dict[str, int] = {}
        self.lock = threading.Lock()

    def is_spent(self, client: str) -> bool:
        """Tell whether the next request of a client is refused."""
        now = int(time.time() // self.seconds)
        return now == self.window and self.counts.get(client, 0) >= self.limit

    def count(self, client: str) -> int:
        """Count a request. Return 0 to let it pass, else the seconds until the next window (at least 1)."""
        now = time.time()
        window = int(now // self.seconds)
        with self.lock:
            if window != self.window or len(self.counts) > self.MAX_CLIENTS:
                self.window, self.counts = window, {}
            count = self.counts[client] = self.counts.get(client, 0) + 1
        return 0 if count <= self.limit else max(1, round((window + 1) * self.seconds - now))

    def charge(self, client: str, seconds: float) -> None:
        """Count a request that has used so much processor time as more than the one it is counted as already."""
        self.add(client, int(seconds / SECONDS_OF_A_READ))

    def add(self, client: str, more: int) -> None:
        if more:
            with self.lock:
                self.counts[client] = self.counts.get(client, 0) + more


@cache
def read_limiter(rate: str) -> ReadLimiter | None:
    """Return the one limiter of a rate in this process, or None for a blank rate: no limit."""
    return ReadLimiter(rate) if rate else None


def charge(client: str, seconds: float) -> None:
    """Count processor time that a client's read has used."""
    if limiter := read_limiter(settings.READ_RATE):
        limiter.charge(client, seconds)


def key_of(account_id: str) -> str:
    """Return the name of an account among the clients, none of whose addresses begins so."""
    return f"account:{account_id}"


def count_change(request: HttpRequest, account_id: str) -> None:
    """Count a change that an account is about to make. Raise RateLimited over WRITE_RATE."""
    limiter = read_limiter(settings.WRITE_RATE)
    if limiter is None:
        return
    request.changed_by = account_id  # type: ignore[attr-defined]  # ours
    if wait := limiter.count(key_of(account_id)):
        raise RateLimited(headers={"Retry-After": str(wait)})


def charge_changes(account_id: str, more: int) -> None:
    """Count a change of an account as so many more."""
    if limiter := read_limiter(settings.WRITE_RATE):
        limiter.add(key_of(account_id), more)


class ChangeThrottle(BaseThrottle):
    """Count the changes of the API's callers. pages.site.base counts those of who is signed in."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True. Raise RateLimited for an account that changes too much."""
        if request.method not in SAFE_METHODS and request.user.is_authenticated:
            counted = django_request_of(request)
            count_change(counted, counted.actor_id)
        return True


class ReadLimit(RequestCheck):
    """Limit what a client address asks, and charge the account that changes something for what it costs."""

    def __init__(self) -> None:
        self.limiter = read_limiter(settings.READ_RATE)

    def check(self, request: HttpRequest) -> None:
        is_of_staff = request.method == "POST" and paths.is_under(request.path_info, paths.ADMIN)
        if is_of_staff or paths.is_under(request.path_info, *settings.READ_RATE_EXEMPT):
            return
        request.counted_since = time.thread_time()  # type: ignore[attr-defined]  # ours
        if self.limiter and (wait := self.limiter.count(client_network(request.META))):
            raise RateLimited(headers={"Retry-After": str(wait)})

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Count what the request has cost. The chunks of a stream are counted as they are made (see exports)."""
        started = getattr(request, "counted_since", None)
        if started is None:
            return
        seconds = time.thread_time() - started
        if self.limiter:
            self.limiter.charge(client_network(request.META), seconds)
        account_id = getattr(request, "changed_by", None)
        if account_id and (limiter := read_limiter(settings.WRITE_RATE)):
            limiter.charge(key_of(account_id), seconds)
