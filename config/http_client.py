"""Send one HTTP request that ends in time, follows no redirect, and reads no more of the answer than it may.

The time limits of a socket, and so those of urllib3 and requests, begin anew with each byte: an answer that drips never
meets them (decision 0052).
"""

import socket
import ssl
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTP_PORT, HTTPS_PORT, HTTPConnection, HTTPException, HTTPSConnection
from threading import Event, Timer
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

CONNECT_SECONDS = 5
"""How long each address of a host may take to be connected."""


class RequestFailed(Exception):
    """The server did not answer, or not in time."""


class ServerResponse(NamedTuple):
    """A status, and a body that ends after `max_bytes` when it is longer."""

    status: int
    body: bytes
    is_truncated: bool


def send_request(
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None = None,
    *,
    max_seconds: float,
    max_bytes: int,
    address: str | None = None,
    use_proxy: bool = False,
) -> ServerResponse:
    """Send a request to an http or https URL. Return the answer, whatever its status; raise RequestFailed without one.

    `max_seconds` is for all that follows once it is connected, TLS and a proxy's tunnel included. With `address` it
    connects there and does not look the host up. With `use_proxy`, https goes through the proxy that HTTPS_PROXY
    names, unless NO_PROXY excepts the host. In each case the certificate must be that of the URL's host.
    """
    try:
        connection, context, authority, target = _server_of(urlsplit(url))
        proxy = _find_proxy(authority, context) if use_proxy else None
        peer = (address or connection.host, connection.port)
        if proxy:
            peer = (proxy.hostname or "", proxy.port or HTTPS_PORT)
        with socket.create_connection(peer, CONNECT_SECONDS) as sock, _deadline(sock, max_seconds):
            if proxy:
                _open_tunnel(sock, proxy, authority)
            with closing(connection):
                connection.sock = context.wrap_socket(sock, server_hostname=connection.host) if context else sock
                connection.request(method, target, body, {**headers, "Connection": "close"})
                with connection.getresponse() as response:
                    content = response.read(max_bytes + 1)
                    return ServerResponse(response.status, content[:max_bytes], len(content) > max_bytes)
    except (OSError, HTTPException, ValueError) as error:
        raise RequestFailed(str(error) or type(error).__name__) from error


def _server_of(url: SplitResult) -> tuple[HTTPConnection, ssl.SSLContext | None, str, str]:
    """Return the connection, its context (None for plain http), the authority and what is asked of it."""
    context = ssl.create_default_context() if url.scheme == "https" else None
    host, port = url.hostname or "", url.port or (HTTPS_PORT if context else HTTP_PORT)
    connection = HTTPSConnection(host, port, context=context) if context else HTTPConnection(host, port)
    authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return connection, context, authority, (url.path or "/") + (f"?{url.query}" if url.query else "")


@contextmanager
def _deadline(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Cut the connection when the block takes longer, and raise TimeoutError, whatever the block has made of that.

    To http.client, half an answer whose end was cut off may look like a whole one.
    """
    over = Event()
    sock.settimeout(None)
    with sock.dup() as same_connection:  # TLS takes `sock` over, and http.client closes it

        def cut() -> None:
            over.set()
            with suppress(OSError):  # it may have ended
                same_connection.shutdown(socket.SHUT_RDWR)

        timer = Timer(seconds, cut)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            if over.is_set():
                raise TimeoutError("The answer takes too long.")


def _find_proxy(authority: str, context: ssl.SSLContext | None) -> SplitResult | None:
    proxy = getproxies().get("https") if context else None
    if not proxy or proxy_bypass(authority):
        return None
    return urlsplit(proxy if "://" in proxy else f"//{proxy}")


def _open_tunnel(sock: socket.socket, proxy: SplitResult, authority: str) -> None:
    """Make the proxy at the other end pass on all that follows. Raise OSError when it refuses."""
    headers = {}
    if proxy.username and proxy.password:
        credentials = f"{unquote(proxy.username)}:{unquote(proxy.password)}"
        headers["Proxy-Authorization"] = f"Basic {b64encode(credentials.encode()).decode()}"
    with closing(HTTPConnection(authority)) as tunnel:
        tunnel.sock = sock.dup()  # http.client closes it after the answer
        tunnel.request("CONNECT", authority, headers=headers)
        with tunnel.getresponse() as response:
            if response.status != HTTPStatus.OK:
                raise OSError(f"Tunnel connection failed: {response.status} {response.reason}")
