"""An identity provider for tests: real keys, signed tokens, and a key set served over real HTTP."""

import base64
import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import get_default_algorithms

ISSUER = "https://id.example"
AUDIENCE = "boards"
ALGORITHM_OF = {"rsa": "RS256", "ec": "ES256", "ed": "EdDSA"}


@cache
def private_key(kid: str) -> Any:
    """Return a key: "rsa", "ec" and "ed" are the provider's, any other name is a stranger's RSA key."""
    if kid == "ec":
        return ec.generate_private_key(ec.SECP256R1())
    return ed25519.Ed25519PrivateKey.generate() if kid == "ed" else rsa.generate_private_key(65537, 2048)


def public_jwk(kid: str, **members: Any) -> dict[str, Any]:
    algorithm = get_default_algorithms()[ALGORITHM_OF.get(kid, "RS256")]
    return {**algorithm.to_jwk(private_key(kid).public_key(), as_dict=True), "kid": kid, **members}


def public_pem(kid: str) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return private_key(kid).public_key().public_bytes(serialization.Encoding.PEM, form)


def key_set(*kids: str) -> bytes:
    return json.dumps({"keys": [public_jwk(kid) for kid in kids or ALGORITHM_OF]}).encode()


def claims(**changes: Any) -> dict[str, Any]:
    """Return a good token's claims with these changes. A change to None leaves the claim out."""
    now = int(time.time())
    good = {"iss": ISSUER, "aud": AUDIENCE, "sub": "alice", "iat": now, "exp": now + 300}
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def without(*names: str) -> dict[str, Any]:
    return claims(**dict.fromkeys(names))


def segment(data: Any) -> bytes:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def token(payload: Mapping[str, Any] | bytes | None = None, *, key: str | bytes = "rsa", **header: Any) -> str:
    """Sign a token, whatever stands in it. `key` names a key pair or is a shared secret. The header may lie."""
    by = key if isinstance(key, bytes) else private_key(key)
    method = "HS256" if isinstance(key, bytes) else ALGORITHM_OF.get(key, "RS256")
    full = {"typ": "JWT", "alg": method, "kid": key if isinstance(key, str) else None, **header}
    protected = {name: value for name, value in full.items() if value is not None}
    return signed(protected, claims() if payload is None else payload, by, method)


def signed(protected: Any, payload: Any, by: Any = None, method: str = "RS256") -> str:
    """Sign any header and payload: a value is written as JSON, bytes are taken as they are."""
    content = segment(protected) + b"." + segment(payload)
    signature = get_default_algorithms()[method].sign(content, private_key("rsa") if by is None else by)
    return (content + b"." + segment(signature)).decode()


def unsigned(payload: Mapping[str, Any] | None = None, **header: Any) -> str:
    body = segment({"typ": "JWT", "alg": "none", **header}) + b"." + segment(payload or claims())
    return body.decode() + "."


class Provider(ThreadingHTTPServer):
    """A server whose `answers[path]` is (status, headers, body), or a function that writes the answer itself."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Any] = {"/jwks": (200, {}, key_set())}
        self.requested: list[str] = []
        self.proxy_authorization: str | None = None
        self.url = f"http://127.0.0.1:{self.server_port}"

    def says(self, body: bytes, status: int = 200, path: str = "/jwks", **headers: str) -> None:
        self.answers[path] = (status, headers, body)


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def handle(self) -> None:
        with suppress(OSError):  # whoever asked may hang up, or not trust this server
            super().handle()

    def do_GET(self) -> None:
        self.server.requested.append(self.path)
        answer = self.server.answers.get(self.path, (404, {}, b""))
        if callable(answer):
            write: Callable[[Handler], None] = answer
            write(self)
        else:
            self.send(*answer)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def do_CONNECT(self) -> None:
        """Refuse to be a proxy, and remember what was asked."""
        self.server.requested.append(self.path)
        self.server.proxy_authorization = self.headers["Proxy-Authorization"]
        self.send(501, {}, b"")

    def send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Keep silent, where the base class writes to stderr."""


@contextmanager
def running(tls: ssl.SSLContext | None = None) -> Iterator[Provider]:
    with Provider() as provider:
        if tls is not None:
            # The handshake is each connection's own, or one that fails would stop the server.
            provider.socket = tls.wrap_socket(provider.socket, server_side=True, do_handshake_on_connect=False)
            provider.url = provider.url.replace("http:", "https:")
        # The server looks this often whether it is to stop, and each test waits for that.
        thread = Thread(target=provider.serve_forever, args=(0.005,))
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join()


@contextmanager
def listening() -> Iterator[int]:
    """Yield the port of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def settings_of(provider: Provider) -> dict[str, Any]:
    """Return the settings of a deployment with this provider."""
    return {
        "JWT_JWKS_URL": f"{provider.url}/jwks", "JWT_ISSUER": ISSUER, "JWT_AUDIENCE": AUDIENCE,
        "DEVELOPMENT_TOKENS": False,
    }  # fmt: skip


def encode(payload: Mapping[str, Any], kid: str = "rsa") -> str:
    """Sign a token with a library that providers use."""
    return jwt.encode(dict(payload), private_key(kid), algorithm=ALGORITHM_OF.get(kid, "RS256"), headers={"kid": kid})
