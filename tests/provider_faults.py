"""The ways in which an identity provider can fail, as answers for tests.identity_provider.Provider."""

import itertools
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.identity_provider import Handler, key_set, public_jwk


def endless(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
    try:
        while True:
            handler.wfile.write(b" " * 65536)
    except OSError:
        return


def garbage(handler: Handler) -> None:
    handler.wfile.write(b"\x00\xff not HTTP at all\r\n\r\n")


def cut_off(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 9999\r\n\r\n{")


def silence(handler: Handler) -> None:
    """Close the connection without a word."""


BODIES: dict[str, bytes] = {
    "empty": b"", "an array": b"[]", "null": b"null", "no keys": b"{}", "nested too deep": b"[" * 200_000,
    "bad UTF-8": b'{"keys": "\xff"}', "10 MB": b'{"keys": [' + b" " * 10_000_000 + b"]}",
    "a number too long": b'{"keys": ' + b"9" * 5000 + b"}", "keys empty": b'{"keys": []}',
    "keys an object": b'{"keys": {"a": 1}}',
    "keys of odd things": b'{"keys": [null, 1, "a", [], {}, {"kty": []}, {"kty": "RSA"}]}',
    "only a shared secret": b'{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "rsa"}]}',
    "only a key for encryption": json.dumps({"keys": [public_jwk("ec", use="enc")]}).encode(),
}  # fmt: skip
UNUSABLE: dict[str, Any] = {
    **{name: (200, {}, body) for name, body in BODIES.items()},
    "HTML": (200, {"Content-Type": "text/html"}, b"<!DOCTYPE html><h1>Maintenance</h1>"),
    "a redirect to itself": (302, {"Location": "/jwks"}, b""),
    "a permanent redirect": (308, {"Location": "/other"}, b""), "404": (404, {}, key_set("ec")), "500": (500, {}, b""),
    "endless": endless, "no HTTP": garbage, "cut off": cut_off, "nothing": silence,
}  # fmt: skip


def slowly(data: bytes) -> Callable[[Handler], None]:
    """Write `data`, then spaces until the reader has gone, a byte each 10 ms, so that no single wait is long."""

    def write(handler: Handler) -> None:
        with suppress(OSError):
            for byte in itertools.chain(data, itertools.repeat(0x20)):
                handler.wfile.write(bytes([byte]))
                time.sleep(0.01)

    return write


DRIPPING: dict[str, bytes] = {
    "a status line": b"HTTP/1.0 200 " + b"O" * 9000,
    "a header": b"HTTP/1.0 200 OK\r\nX-Padding: " + b"x" * 9000,
    "headers": b"HTTP/1.0 200 OK\r\n" + b"X: y\r\n" * 9000,
    "informational answers": b"HTTP/1.0 100 Continue\r\n\r\n" * 9000,
    "a body": b"HTTP/1.0 200 OK\r\n\r\n",
    "a body of known length": b"HTTP/1.0 200 OK\r\nContent-Length: 9000\r\n\r\n",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 9000,
}
