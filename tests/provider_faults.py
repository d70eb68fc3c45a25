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


UNUSABLE: dict[str, Any] = {
    "HTML": (200, {"Content-Type": "text/html"}, b"<!DOCTYPE html><h1>Maintenance</h1>"),
    "empty": (200, {}, b""),
    "bad UTF-8": (200, {}, b'{"keys": "\xff"}'),
    "10 MB": (200, {}, b'{"keys": [' + b" " * 10_000_000 + b"]}"),
    "a redirect to itself": (302, {"Location": "/jwks"}, b""),
    "a permanent redirect": (308, {"Location": "/other"}, b""),
    "404": (404, {}, key_set("ec")),
    "500": (500, {}, b""),
    "an array": (200, {}, b"[]"),
    "null": (200, {}, b"null"),
    "a number too long": (200, {}, b'{"keys": ' + b"9" * 5000 + b"}"),
    "nested too deep": (200, {}, b"[" * 200_000),
    "no keys": (200, {}, b"{}"),
    "keys empty": (200, {}, b'{"keys": []}'),
    "keys an object": (200, {}, b'{"keys": {"a": 1}}'),
    "keys of odd things": (200, {}, b'{"keys": [null, 1, "a", [], {}, {"kty": []}, {"kty": "RSA"}]}'),
    "only a shared secret": (200, {}, b'{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "rsa"}]}'),
    "only a key for encryption": (200, {}, json.dumps({"keys": [public_jwk("ec", use="enc")]}).encode()),
    "endless": endless,
    "no HTTP": garbage,
    "cut off": cut_off,
    "nothing": silence,
}


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
