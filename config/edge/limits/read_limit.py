"""The limit on public reads: approximate across processes, at a cost of a microsecond a request.

It counts what reads cost: one that takes long counts as several.
"""

import threading
import time
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config import paths
from config.api.errors import RateLimited
from config.edge.limits.counters import parse_rate
from config.edge.request_checks import RequestCheck
from config.edge.security.client_address import client_network

SECONDS_OF_A_READ = 0.01
"""The processor time that one read pays for. A read that takes more counts as one more for each of them."""


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
        more = int(seconds / SECONDS_OF_A_READ)
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


def is_read(request: HttpRequest) -> bool:
    """Tell whether a request counts as a read: it changes nothing, or is a post to a page, which anybody may send.

    So is the post of a new collection, which may search for its boards.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or request.path_info == paths.COLLECTIONS:
        return True
    return request.method == "POST" and not paths.is_under(request.path_info, paths.API, paths.ADMIN)


class ReadLimit(RequestCheck):
    """Limit reads per client address, except of what settings.READ_RATE_EXEMPT names."""

    def __init__(self) -> None:
        self.limiter = read_limiter(settings.READ_RATE)

    def check(self, request: HttpRequest) -> None:
        if not self.limiter or not is_read(request):
            return
        if paths.is_under(request.path_info, *settings.READ_RATE_EXEMPT):
            return
        request.read_started = time.thread_time()  # type: ignore[attr-defined]  # ours
        if wait := self.limiter.count(client_network(request.META)):
            raise RateLimited(headers={"Retry-After": str(wait)})

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Count what the read has cost. The chunks of a stream are counted as they are made (see exports)."""
        started = getattr(request, "read_started", None)
        if started is not None:
            charge(client_network(request.META), time.thread_time() - started)
