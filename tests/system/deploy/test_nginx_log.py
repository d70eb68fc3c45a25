"""The real nginx says in its logs that something failed, and nothing of what a client sent."""

import os
import signal
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.system.deployment import wait_until
from tests.system.nginx import Proxy, needs_nginx, nginx
from tests.system.servers import deploying

pytestmark = needs_nginx

SECRET = "canary-of-the-log"
HEAD = f"Host: 127.0.0.1\r\nReferer: https://127.0.0.1/?token={SECRET}\r\nCookie: sessionid={SECRET}\r\n"
OK = "HTTP/1.1 200 OK\r\n"
MIB = 2**20


class Service(BaseHTTPRequestHandler):
    """A service that answers as its path says, and mostly badly."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requested.append(self.path)
        if self.path.startswith("/wait"):
            self.server.released.wait()
        answer = {
            "/cut": b"",
            "/nonsense": f"{OK}\0: x\r\n\r\n".encode(),
            "/half": f"{OK}Content-Length: 9\r\n\r\n1".encode(),
        }
        ok = f"{OK}Connection: close\r\n\r\n".encode() + b"x" * 2 * MIB
        with suppress(BrokenPipeError):  # a client has gone
            self.wfile.write(answer.get(self.path.partition("?")[0], ok))

    do_POST = do_GET

    def log_message(self, *arguments: object) -> None:
        """Write nothing: what nginx writes is tested."""


@contextmanager
def service() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        server.requested, server.released = [], threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def app() -> Iterator[ThreadingHTTPServer]:
    with service() as server:
        yield server


@pytest.fixture
def proxy(app: ThreadingHTTPServer) -> Iterator[Proxy]:
    with nginx(app.server_port) as proxy:
        yield proxy


def send(proxy: Proxy, start: str, head: str = HEAD, body: bytes = b"") -> ssl.SSLSocket:
    """Send a request whose first line, Referer and cookie have a secret, and return its connection."""
    plain = socket.create_connection(("127.0.0.1", proxy.https), timeout=60)
    secure = ssl._create_unverified_context().wrap_socket(plain)
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    secure.sendall(f"{start}\r\n{head}{length}Connection: close\r\n\r\n".encode() + body)
    return secure


def lines(proxy: Proxy) -> list[str]:
    return [line for name in ("error", "access") for line in (proxy.folder / f"{name}.log").read_text().splitlines()]


def status(proxy: Proxy, *request: object) -> int:
    with closing(send(proxy, *request)) as connection:
        start = connection.recv(100)
        while connection.recv(MIB):
            pass
    return int(start.split()[1])


def test_no_line_has_an_address_a_query_a_token_or_a_referer(proxy: Proxy, app: ThreadingHTTPServer) -> None:
    """Provoke what nginx writes lines about: a service that fails, requests that are too much, and clients that go."""
    query = f"?token={SECRET}"
    for path, code in {"/cut": 503, "/nonsense": 503, "/half": 200, "/x": 200}.items():
        assert status(proxy, f"GET {path}{query} HTTP/1.1") == code, path
    # What does not fit into memory goes through a file, both ways.
    assert status(proxy, f"POST /api/deals/import{query} HTTP/1.1", HEAD, b"x" * MIB) == 200
    assert status(proxy, f"POST /x{query} HTTP/1.1", HEAD, b"x" * MIB) == 413
    assert status(proxy, f"GET /x{query} nonsense") == 400
    assert status(proxy, f"GET /{'a' * 20_000}{query} HTTP/1.1") == 414
    assert status(proxy, f"GET /x{query} HTTP/1.1", f"{HEAD}X: {'a' * 20_000}\r\n") == 400
    assert status(proxy, f"GET /x{query} HTTP/1.1", HEAD.replace("Host", "Hos t")) == 400
    with socket.create_connection(("127.0.0.1", proxy.https), timeout=60) as plain:
        plain.sendall(f"GET /x{query} HTTP/1.1\r\n{HEAD}\r\n".encode())
        assert b" 400 " in plain.recv(1000)
    with socket.create_connection(("127.0.0.1", proxy.http), timeout=60) as plain:
        path = f"/.well-known/acme-challenge/{SECRET}"
        plain.sendall(f"GET {path}{query} HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode())
        assert b" 404 " in plain.recv(1000)
    with send(proxy, f"GET /wait{query} HTTP/1.1"):
        wait_until(lambda: f"/wait{query}" in app.requested)
    app.released.set()
    app.server_close()  # nobody listens
    assert status(proxy, f"GET /x{query} HTTP/1.1") == 503
    wait_until(lambda: sum('"status":499' in line for line in lines(proxy)))
    found = lines(proxy)
    assert [line for line in found if SECRET in line and "acme-challenge" not in line] == []
    assert [line for line in found if "client:" in line] == []


def test_what_fails_in_nginx_itself_is_still_written(proxy: Proxy) -> None:
    master = int((proxy.folder / "nginx.pid").read_text())
    wait_until(lambda: deploying.children(master))
    one, *_ = deploying.children(master)
    os.kill(one, signal.SIGKILL)
    wait_until(lambda: any(f"process {one} exited on signal 9" in line for line in lines(proxy)))
