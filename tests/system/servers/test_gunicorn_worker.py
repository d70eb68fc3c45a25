"""A real gunicorn whose threads are all busy, and clients that send half a request, or too many, or never read."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from config.edge.gunicorn_worker import MAX_HEAD_BYTES
from tests.system import deployment

THREADS = 8
RELEASED = "released"
SECONDS = 30
"""Against hanging alone: what is asserted is that an answer comes at all, while everything else is stuck."""

GET = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
Start = Callable[..., int]


@pytest.fixture(scope="module")
def database_url() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DATABASE_URL", raising=False)
        with deployment.database() as url:
            yield url


def serve(database_url: str, folder: Path, **more: str) -> AbstractContextManager[int]:
    """Start a gunicorn with one process, and yield its port."""
    seconds = {"REQUEST_SECONDS": "60", "QUEUE_SECONDS": "60"}
    environment = deployment.of(database_url, "", CACHE_URL="", HELD_FOLDER=str(folder), **seconds | more)
    return deployment.gunicorn(environment, application="tests.system.servers.held_application")


@pytest.fixture(scope="module")
def port(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of the gunicorn that most tests share."""
    with serve(database_url, tmp_path_factory.mktemp("held")) as port:
        yield port


@pytest.fixture
def start(database_url: str, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a gunicorn of the test's own."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(serve(database_url, tmp_path, **more))
        (tmp_path / RELEASED).touch()


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)


def get(port: int, path: str) -> tuple[int, dict[str, str], bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def read_answer(sock: socket.socket) -> tuple[int, bytes]:
    with closing(HTTPResponse(sock)) as answer:
        answer.begin()
        return answer.status, answer.read()


@contextmanager
def held_threads(port: int, folder: Path) -> Iterator[list[socket.socket]]:
    """Hold all threads while the block runs."""
    with ExitStack() as stack:
        held = [stack.enter_context(connect(port)) for _ in range(THREADS)]
        for sock in held:
            sock.sendall(b"GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n")
        deadline = time.monotonic() + SECONDS
        while len(list(folder.iterdir())) < THREADS and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(list(folder.iterdir())) == THREADS
        yield held


# --- Busy threads --------------------------------------------------------------------------------------------


def test_livez_and_static_files_are_answered_while_all_threads_are_busy(start: Start, tmp_path: Path) -> None:
    port = start()
    with held_threads(port, tmp_path) as held:
        for _ in range(5):
            assert get(port, "/livez")[0] == 200
            assert get(port, "/livez/?a=b")[0] == 200
            assert get(port, "/static/site/style.css")[0] == 200
        (tmp_path / RELEASED).touch()
        assert [read_answer(sock)[0] for sock in held] == [200] * THREADS


def test_a_request_that_waits_too_long_for_a_thread_is_refused_and_the_others_are_answered(
    start: Start, tmp_path: Path
) -> None:
    port = start(QUEUE_SECONDS="1")
    with held_threads(port, tmp_path) as held:
        for path, content_type in (
            ("/api/themes", "application/json"),
            ("/boards", "text/html; charset=utf-8"),
        ):
            status, headers, body = get(port, path)
            assert (status, headers["Content-Type"]) == (503, content_type)
            assert int(headers["Retry-After"]) >= 1
            assert headers["X-Request-Id"].encode() in body
        (tmp_path / RELEASED).touch()
        assert [read_answer(sock)[0] for sock in held] == [200] * THREADS
    assert get(port, "/api/themes")[0] == 200


# --- Half of a request ---------------------------------------------------------------------------------------

HALVES = {
    "nothing": b"",
    "half a head": b"GET /api/themes HTTP/1.1\r\nHost: loc",
    "half a body": b"POST /api/forms/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{",
    "a body that waits to be asked for": b"POST /api/forms/contact HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n",
    "empty lines": b"\r\n\r\n",
    "a body that is refused": b"POST /api/forms/contact HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n",
    "a chunk": b"POST /api/forms/contact HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
}


def test_half_sent_requests_hold_no_thread(port: int) -> None:
    with ExitStack() as stack:
        for half in HALVES.values():
            for _ in range(2 * THREADS):
                stack.enter_context(connect(port)).sendall(half)
        for _ in range(5):
            assert [get(port, path)[0] for path in ("/api/themes", "/livez")] == [200, 200]


def test_a_request_that_does_not_arrive_in_time_is_ended(start: Start) -> None:
    port = start(REQUEST_SECONDS="1")
    for half in (HALVES["half a head"], HALVES["half a body"]):
        with connect(port) as sock:
            sock.sendall(half)
            assert read_answer(sock)[0] == 408
            assert sock.recv(1) == b""


def test_more_connections_than_there_may_be_leave_room_for_others(start: Start) -> None:
    port = start(GUNICORN_CMD_ARGS="--worker-connections 20")
    with ExitStack() as stack:
        for half in (HALVES["nothing"], HALVES["half a head"]):
            for _ in range(40):
                stack.enter_context(connect(port)).sendall(half)
        for _ in range(40):
            sock = stack.enter_context(connect(port))
            sock.sendall(GET)
            assert read_answer(sock)[0] == 200
        assert get(port, "/api/themes")[0] == 200


def test_clients_that_do_not_close_hold_nobody_up(port: int) -> None:
    """Show that the main loop does not wait for the end of each connection, two seconds each."""
    with ExitStack() as stack:
        last = [stack.enter_context(connect(port)) for _ in range(60)]
        for sock in last:
            sock.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert get(port, "/api/themes")[0] == 200
        assert [read_answer(sock)[0] for sock in last] == [200] * len(last)


# --- Whole requests, in whichever pieces they arrive ---------------------------------------------------------


def post(body: bytes, *headers: bytes) -> bytes:
    lines = (b"POST /echo HTTP/1.1", b"Host: localhost", b"Content-Length: %d" % len(body), *headers)
    return b"\r\n".join((*lines, b"", body))


def test_a_connection_carries_whole_requests_in_any_pieces(port: int) -> None:
    body = b"a body with \r\n\r\n in it"
    with connect(port) as sock:
        for piece in (1, 7, 40, 10_000):
            request = post(body)
            for place in range(0, len(request), piece):
                sock.sendall(request[place : place + piece])
                time.sleep(0.001)
            assert read_answer(sock) == (200, body)
        sock.sendall(post(b"first") + post(b"") + GET + post(b"last"))
        text = b""
        while b"last" not in text:
            text += sock.recv(10_000)
        assert text.count(b"HTTP/1.1 200 OK") == 4
        assert text.index(b"first") < text.index(b'{"status":"ok"}') < text.index(b"last")


@pytest.mark.parametrize("size", [100_000, 262_144, 262_145, 1_500_000])
def test_bodies_of_any_size_arrive_whole_and_the_connection_stays(size: int, port: int) -> None:
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    with connect(port) as sock:
        for _ in range(2):
            sock.sendall(post(body))
            assert read_answer(sock) == (200, body)
        sock.sendall(post(body, b"Expect: 100-continue")[: -len(body)])
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(body)
        assert read_answer(sock) == (200, body)


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (HALVES["a chunk"].replace(b"5\r\n{", b"1\r\n{\r\n0\r\n\r\n"), 411),
        (HALVES["a body that is refused"], 413),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * (MAX_HEAD_BYTES + 1), 431),
        (b"nonsense\r\n\r\n", 400),
        (b"GET /livez HTTP/1.0\r\n\r\n", 200),
        (b"\r\n" + GET, 200),
    ],
    ids=[
        "chunked",
        "too large",
        "long address",
        "odd length",
        "endless head",
        "nonsense",
        "HTTP/1.0",
        "empty line",
    ],
)
def test_gunicorn_judges_a_request_as_before(request_bytes: bytes, status: int, port: int) -> None:
    with connect(port) as sock:
        sock.sendall(request_bytes)
        assert read_answer(sock)[0] == status
    assert get(port, "/livez")[0] == 200


def test_clients_that_do_not_read_their_answers_do_not_hold_livez(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(2 * THREADS):
            sock: Any = stack.enter_context(socket.socket())
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            sock.connect(("127.0.0.1", port))
            sock.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        assert get(port, "/livez")[0] == 200
        assert get(port, "/static/site/style.css")[0] == 200


def ask_without_reading(port: int, request: bytes) -> None:
    """Send requests until the service ends the connection. Raise TimeoutError if a thread waits for the client."""
    with closing(socket.socket()) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        sock.connect(("127.0.0.1", port))
        sock.settimeout(SECONDS)
        with suppress(ConnectionError):
            while True:
                sock.sendall(request * 100)


def test_a_client_that_reads_none_of_its_many_answers_holds_neither_livez_nor_refusals(
    start: Start, tmp_path: Path
) -> None:
    port = start(SOCKET_SECONDS="600", QUEUE_SECONDS="0")
    ask_without_reading(port, GET)
    assert get(port, "/livez")[0] == 200
    with held_threads(port, tmp_path):
        ask_without_reading(port, GET.replace(b"livez", b"api/themes"))
        assert get(port, "/api/themes")[0] == 503
        (tmp_path / RELEASED).touch()


def test_only_clients_of_http_1_1_are_told_to_continue(port: int) -> None:
    body = HALVES["a body that waits to be asked for"] + b"a" * 100
    for version, answer in ((b"1.0", b"HTTP/1.0 400"), (b"1.1", b"HTTP/1.1 100")):
        with connect(port) as sock:
            sock.sendall(body.replace(b"HTTP/1.1", b"HTTP/" + version))
            assert sock.recv(12) == answer
