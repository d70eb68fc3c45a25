"""Who a request comes from, and how often it may."""

import ipaddress
import threading
import time
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.errors import RateLimited
from config.api.handlers import outside_views
from config.api.middleware import GetResponse
from config.api.paths import DEALS, is_under

Address = IPv4Address | IPv6Address
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def split_rate(rate: str) -> tuple[int, int]:
    """ "10/m" → (10, 60): requests, seconds. Raises ValueError for what is no rate ("5/x" must not mean a second)."""
    count, _, unit = rate.partition("/")
    if unit not in UNITS or not (count.isascii() and count.isdecimal()) or int(count) < 1:
        raise ValueError(f"{rate!r} is no rate: write 10/s, 10/m, 10/h or 10/d.")
    return int(count), UNITS[unit]


@cache
def trusted_proxies() -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in settings.TRUSTED_PROXIES)


def parse_address(text: str) -> Address | None:
    """An address as proxies write it: with a port, in brackets, with a zone, or IPv4 mapped into IPv6."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_trusted(address: Address) -> bool:
    return any(address in network for network in trusted_proxies())


def client_address(request: HttpRequest) -> Address | None:
    """The nearest address that is no proxy of ours; None where the server gives none (a unix socket).

    X-Forwarded-For is walked from the right, and only while each hop is trusted: what stands to the left of the
    first stranger is that stranger's own claim.
    """
    client = parse_address(request.META.get("REMOTE_ADDR", ""))
    if client is None and not trusted_proxies():
        return None
    for hop in reversed(request.headers.get("X-Forwarded-For", "").split(",")):
        if client is not None and not is_trusted(client):
            break
        nearer = parse_address(hop)
        if nearer is None:
            break
        client = nearer
    return client


def client_network(request: HttpRequest, prefix: int = 64) -> str:
    """What one client is for a limit: an IPv4 address, or an IPv6 network, since a household has 2^64 of them."""
    client = client_address(request)
    if isinstance(client, IPv6Address):
        return str(ipaddress.ip_network((client, prefix), strict=False))
    return str(client)


class ReadLimiter:
    """Requests of each client in the current window, in this process only: about a microsecond a request.

    With N processes up to N times the rate gets through, and twice across a window's edge: generous by design.
    Never more than `MAX_CLIENTS` entries; when there are more, everybody starts anew.
    """

    MAX_CLIENTS = 50_000

    def __init__(self, rate: str) -> None:
        self.limit, self.seconds = split_rate(rate)
        self.window = 0
        self.counts: dict[str, int] = {}
        self.lock = threading.Lock()

    def wait(self, client: str) -> int:
        """0 to let the request pass, else the seconds until the next window (at least 1)."""
        now = time.time()
        window = int(now // self.seconds)
        with self.lock:
            if window != self.window or len(self.counts) > self.MAX_CLIENTS:
                self.window, self.counts = window, {}
            count = self.counts[client] = self.counts.get(client, 0) + 1
        return 0 if count <= self.limit else max(1, round((window + 1) * self.seconds - now))


class ReadLimitMiddleware:
    """Limits reads per client address; forms count for themselves, deals have their key."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.limiter = ReadLimiter(settings.READ_RATE) if settings.READ_RATE else None

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if (
            self.limiter
            and request.method in ("GET", "HEAD", "OPTIONS")
            and self.is_counted(request.path_info)
        ):
            wait = self.limiter.wait(client_network(request))
            if wait:
                return outside_views(request, RateLimited(headers={"Retry-After": str(wait)}))
        return self.get_response(request)

    @staticmethod
    def is_counted(path: str) -> bool:
        free = path.startswith(("/livez", "/readyz", "/metrics", "/static/"))
        return not free and not is_under(path, DEALS)
