"""Fetch a JSON document of the identity provider with the standard library.

Requests that need the document wait with a deadline of their own (accounts.tokens.jwks). The limits here make every
fetch end, so that none keeps its thread and its connection for ever.
"""

import io
import json
import socket
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, getproxies

TIMEOUT = 5.0
"""Seconds for each wait on the network, and for a whole answer however quickly its bytes follow each other."""

MAX_BYTES = 512 * 1024


class FetchError(Exception):
    """The provider did not answer with a JSON object, or not in time."""


def is_safe_url(url: str) -> bool:
    """Allow https, and http to this machine alone: keys that came in plain over a network prove nothing."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    local = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    return usable and (parts.scheme == "https" or local)


def fetch_json(url: str) -> dict[str, Any]:
    """Return the JSON object at this very address, without following a redirect. Raise FetchError otherwise."""
    if not is_safe_url(url):
        raise FetchError(f"{url} is neither https nor on this machine.")
    try:
        document = json.loads(_read(url))
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise FetchError(f"{url}: {error}") from error
    if not isinstance(document, dict):
        raise FetchError(f"{url} does not answer with a JSON object.")
    return document


def _read(url: str) -> bytes:
    """Return the body of a 200 with at most MAX_BYTES. Raise FetchError for any other answer."""
    request = Request(url, headers={"Accept": "application/json", "User-Agent": "bridge-boards"})  # noqa: S310
    with _build_opener().open(request, timeout=TIMEOUT) as response:
        if response.status != 200:
            raise FetchError(f"{url} answers with status {response.status}.")
        body: bytes = response.read(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        raise FetchError(f"{url} answers with more than {MAX_BYTES // 1024} KiB.")
    return body


def _build_opener() -> OpenerDirector:
    """Return an opener without urllib's handlers of redirects, errors and other schemes.

    It goes through the proxy that HTTPS_PROXY names, unless NO_PROXY excepts the host. Plain http goes through none,
    since it must not leave this machine.
    """
    opener = OpenerDirector()
    opener.add_handler(
        ProxyHandler({scheme: proxy for scheme, proxy in getproxies().items() if scheme == "https"})
    )
    opener.add_handler(_Handler())
    return opener


class _DeadlineReader(io.RawIOBase):
    """A socket's bytes, until TIMEOUT seconds have passed since the request was sent.

    The time limit of a socket holds for each read by itself: an answer that comes byte by byte never meets it.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self.raw = raw
        self.deadline = time.monotonic() + TIMEOUT

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if time.monotonic() > self.deadline:
            raise TimeoutError("The answer takes too long.")
        return self.raw.readinto(buffer)

    def close(self) -> None:
        self.raw.close()
        super().close()


class _Response(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_DeadlineReader(self.fp.detach()))


class _Connection(HTTPConnection):
    response_class = _Response


class _SecureConnection(HTTPSConnection):
    response_class = _Response


class _Handler(HTTPHandler, HTTPSHandler):
    """urllib's handler of http and https, whose answers have a deadline."""

    def http_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_Connection, request)

    def https_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, request)
