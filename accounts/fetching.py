"""One JSON document of the identity provider, within a deadline that nothing stretches: no slow name server, no
header that comes byte by byte."""

import json
import socket
import threading
import time
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

TIMEOUT = 2.0
MAX_BYTES = 512 * 1024


class FetchError(Exception):
    """The provider did not answer with what was asked for, or not in time."""


def is_safe_url(url: str) -> bool:
    """https, or http to this machine: keys that came in plain over a network prove nothing."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    local = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    return usable and (parts.scheme == "https" or local)


def fetch_json(url: str, deadline: float) -> dict[str, Any]:
    """At most `MAX_BYTES`, not later than `deadline` (of time.monotonic), from this address and no other: redirects
    are not followed. FetchError otherwise."""
    if not is_safe_url(url):
        raise FetchError(f"{url} is neither https nor on this machine.")
    exchange = Exchange(url)
    exchange.start()
    exchange.join(max(0.0, deadline - time.monotonic()))
    if exchange.is_alive():
        exchange.break_off()
        raise FetchError(f"{url} does not answer in time.")
    if exchange.problem:
        raise FetchError(f"{url}: {exchange.problem}")
    try:
        document = json.loads(exchange.body)
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{url}: {error}") from error
    if not isinstance(document, dict):
        raise FetchError(f"{url} does not answer with a JSON object.")
    return document


class Exchange(threading.Thread):
    """One GET: afterwards `body`, or the `problem`.

    In a thread of its own, since the time limits of sockets hold for each wait by itself, and for a name server's
    answer not at all: whoever asked leaves at the deadline and breaks the connection off, so that this ends too.
    """

    def __init__(self, url: str) -> None:
        super().__init__(name="fetch", daemon=True)
        self.url = url
        self.body = b""
        self.problem: Exception | None = None
        self.given_up = False
        self.socket: socket.socket | None = None

    def run(self) -> None:
        try:
            with closing(connection_to(self.url)) as connection:
                connection.connect()
                self.socket = connection.sock
                if not self.given_up:
                    self.body = ask(connection, self.url)
        except (OSError, HTTPException, ValueError, FetchError) as error:
            self.problem = error

    def break_off(self) -> None:
        self.given_up = True
        if self.socket is not None:
            with suppress(OSError):
                # Past SSLSocket's own, which would pull the session from under the thread that reads.
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)


def connection_to(url: str) -> HTTPConnection:
    """Through the proxy that HTTPS_PROXY names, unless NO_PROXY excepts the host."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "http":
        return HTTPConnection(host, parts.port, timeout=TIMEOUT)
    proxy = urlsplit(getproxies().get("https", ""))
    if not proxy.hostname or proxy_bypass(host):
        return HTTPSConnection(host, parts.port, timeout=TIMEOUT)
    connection = HTTPSConnection(proxy.hostname, proxy.port or 8080, timeout=TIMEOUT)
    connection.set_tunnel(host, parts.port)
    return connection


def ask(connection: HTTPConnection, url: str) -> bytes:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection.request("GET", path, headers={"Accept": "application/json", "User-Agent": "bridge-boards"})
    with connection.getresponse() as response:
        if response.status != 200:
            raise FetchError(f"status {response.status}")
        body = response.read(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        raise FetchError("the answer is too long")
    return body
