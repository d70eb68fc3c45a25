"""One request to an endpoint: to an address that was checked, without redirects, and over soon in any case."""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTP_PORT, HTTPS_PORT, HTTPConnection, HTTPException
from threading import Event, Timer

from deals.webhooks.addresses import AddressRefused, resolve_allowed, split_url

CONNECT_SECONDS = 5
MAX_SECONDS = 15
"""For the whole request once it is connected. The time limit of a socket begins anew with each byte that comes."""

MAX_ANSWER_BYTES = 4096


class SendFailed(Exception):
    """The endpoint did not answer, or nothing may be sent to it."""


class CheckedConnection(HTTPConnection):
    """A connection to the address that `resolve_allowed` has found. http.client follows no redirects and no proxies."""

    def connect(self) -> None:
        address = resolve_allowed(self.host, self.port)
        self.sock = socket.create_connection((address, self.port), CONNECT_SECONDS)


class SecureConnection(CheckedConnection):
    """The same with TLS. The certificate must be that of the URL's host."""

    def connect(self) -> None:
        super().connect()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body and return the status of the answer, of which little is read. Raise SendFailed without one."""
    try:
        parts = split_url(url)
        is_secure = parts.scheme == "https"
        port = parts.port or (HTTPS_PORT if is_secure else HTTP_PORT)
        connection = (SecureConnection if is_secure else CheckedConnection)(parts.hostname or "", port)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        with closing(connection):
            connection.connect()
            with deadline(connection.sock):
                if isinstance(connection.sock, ssl.SSLSocket):
                    connection.sock.do_handshake()
                connection.request("POST", target, body, {**headers, "Connection": "close"})
                answer = connection.getresponse()
                answer.read(MAX_ANSWER_BYTES)
                return answer.status
    except (OSError, HTTPException, ValueError, AddressRefused) as error:
        raise SendFailed(str(error) or type(error).__name__) from error


@contextmanager
def deadline(sock: socket.socket) -> Iterator[None]:
    """Cut the connection when the block takes longer than MAX_SECONDS, so that a slow answer holds up nobody.

    Raise TimeoutError then: to http.client, half an answer whose end was cut off may look like a whole one.
    """
    over = Event()

    def cut() -> None:
        over.set()
        with suppress(OSError):  # it may be closed already
            sock.shutdown(socket.SHUT_RDWR)

    sock.settimeout(MAX_SECONDS)
    timer = Timer(MAX_SECONDS, cut)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if over.is_set():
        raise TimeoutError("The endpoint took too long to answer.")
