"""Send one HTTP request that ends in time, follows no redirect, and reads no more of the answer than it may.

It is http.client, which leaves where to connect and when to stop to its caller. The time limits of a socket, and so
those of urllib3 and requests, begin anew with each byte: an answer that drips never meets them. Libraries were tried:
docs/decisions/0052.
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


class Answer(NamedTuple):
    """A status, and a body that ends after `max_bytes` when it is longer."""

    status: int
    body: bytes
    is_truncated: bool


class _Server(NamedTuple):
    """The server of a URL. Without a context nothing that is sent to it is encrypted."""

    host: str
    port: int
    context: ssl.SSLContext | None

    @property
    def authority(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def make_connection(self) -> HTTPConnection:
        """Return a connection that has no socket yet."""
        if self.context:
            return HTTPSConnection(self.host, self.port, context=self.context)
        return HTTPConnection(self.host, self.port)

    def secure(self, sock: socket.socket) -> socket.socket:
        """Return the socket, encrypted where the URL says so. The certificate must be that of the host."""
        return self.context.wrap_socket(sock, server_hostname=self.host) if self.context else sock


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
) -> Answer:
    """Send a request to an http or https URL. Return the answer, whatever its status; raise RequestFailed without one.

    `max_seconds` is for all that follows once it is connected, TLS and a proxy's tunnel included. With `address` it
    connects there and does not look the host up. With `use_proxy`, https goes through the proxy that HTTPS_PROXY
    names, unless NO_PROXY excepts the host. In each case the certificate must be that of the URL's host.
    """
    try:
        parts = urlsplit(url)
        server = _server_of(parts)
        connection = server.make_connection()
        proxy = _find_proxy(server.authority) if use_proxy and server.context else None
        peer = (proxy.hostname or "", proxy.port or HTTPS_PORT) if proxy else (address or server.host, server.port)
        with socket.create_connection(peer, CONNECT_SECONDS) as sock, _deadline(sock, max_seconds):
            if proxy:
                _open_tunnel(sock, proxy, server.authority)
            with closing(connection):
                connection.sock = server.secure(sock)
                connection.request(method, _target_of(parts), body, {**headers, "Connection": "close"})
                with connection.getresponse() as response:
                    content = response.read(max_bytes + 1)
                    return Answer(response.status, content[:max_bytes], len(content) > max_bytes)
    except (OSError, HTTPException, ValueError) as error:
        raise RequestFailed(str(error) or type(error).__name__) from error


def _server_of(url: SplitResult) -> _Server:
    if url.scheme == "https":
        return _Server(url.hostname or "", url.port or HTTPS_PORT, ssl.create_default_context())
    return _Server(url.hostname or "", url.port or HTTP_PORT, None)


def _target_of(url: SplitResult) -> str:
    """Return what the request line names of a URL: its path and its query."""
    return (url.path or "/") + (f"?{url.query}" if url.query else "")


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


def _find_proxy(authority: str) -> SplitResult | None:
    proxy = getproxies().get("https")
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
