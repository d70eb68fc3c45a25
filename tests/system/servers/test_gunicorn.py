"""gunicorn as it is set up here: deployments, odd requests, a full disk, no keys of a provider."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
import requests

from config.edge.observability import metrics_files
from config.edge.observability.metrics_files import MAX_DEAD
from deals.events.feed import MAX_WAITING
from tests.identity_provider import Handler, Provider, key_set, running
from tests.provider_faults import UNUSABLE
from tests.system.deployment import answers, database, free_port, gunicorn, of, wait_until
from tests.system.servers import deploying

METRICS_TOKEN = "metrics-0123456789abcdefghijklmnopqrstuvwxyz"


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """Return the environment of a service with a migrated database of its own."""
    with database() as url:
        yield of(url, "", CACHE_URL="")


@pytest.fixture(scope="module")
def port(environment: dict[str, str]) -> Iterator[int]:
    with gunicorn(environment) as port:
        yield port


@pytest.mark.parametrize("way", ["usr2", "socket"])
def test_a_deployment_as_documented_loses_no_request(way: str, environment: dict[str, str]) -> None:
    load, count = deploying.measure(way, environment, seconds=1, clients=4)
    assert count and load.answers[200] > 0
    assert load.failed == 0, load.answers


def test_what_waits_at_the_port_of_systemd_while_a_worker_stops_is_answered(environment: dict[str, str]) -> None:
    """A proxy repeats no POST that may have arrived: each connection that is lost is a form or a vote that fails."""
    others = deploying.children(os.getpid())
    with deploying.activated(environment) as (port, deploy), ExitStack() as stack:
        (master,) = deploying.children(os.getpid()) - others
        (worker,) = deploying.children(master)
        os.kill(worker, signal.SIGSTOP)
        # Of two signals that wait, a process handles SIGTERM before SIGSTOP.
        wait_until(lambda: deploying.state_of(Path(f"/proc/{worker}")) == "T")
        waiting = [stack.enter_context(closing(HTTPConnection("127.0.0.1", port))) for _ in range(20)]
        for connection in waiting:
            connection.request("POST", "/api/forms/contact", body="{}")
        os.kill(master, signal.SIGTERM)
        wait_until(lambda: has_pending(worker, signal.SIGTERM))
        os.kill(worker, signal.SIGCONT)
        deploy()
        assert [connection.getresponse().status for connection in waiting] == [415] * 20


def has_pending(process: int, signal_number: int) -> bool:
    """Tell whether a process has a signal that it has not handled."""
    status = Path(f"/proc/{process}/status").read_text()
    masks = [int(line.split()[1], 16) for line in status.splitlines() if "Pnd:" in line]
    return any(mask >> (signal_number - 1) & 1 for mask in masks)


def test_a_client_that_sends_a_large_file_gets_the_refusal(port: int) -> None:
    """More than the buffers of a connection hold: a service that does not read it makes the client fail, or nginx."""
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", "/admin/boards/board/upload/", body=b"% \n" * (4 * 2**20))
        assert connection.getresponse().status == 302


def test_a_service_that_stops_ends_the_waiting_requests_of_the_feed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Their time is never over here: if they were held, gunicorn would drop them without an answer in the end."""
    service = {**environment, "WAITING_FOLDER": str(tmp_path)}
    key = {"X-API-Key": environment["API_KEY"]}
    waiting = []
    with gunicorn(service, application="tests.system.servers.endless_waits") as port:
        for _ in range(MAX_WAITING):
            waiting.append(HTTPConnection("127.0.0.1", port))
            waiting[-1].request("GET", "/api/deals/events?after=0&wait=25", headers=key)
        wait_until(lambda: len(list(tmp_path.iterdir())) == MAX_WAITING)
    # The master has got its TERM, and has ended.
    for connection in waiting:
        with closing(connection):
            answer = connection.getresponse()
            page = json.load(answer)
            assert (answer.status, page["events"], page["nextCursor"]) == (200, [], "0")


# --- Where a request ends ------------------------------------------------------------------------------------

POST = b"POST /api/forms/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNK = b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n"
MIB = 2**20
ODD_REQUESTS = {
    "chunked": (POST + CHUNK, 411),
    "chunked, with a length": (POST + b"Content-Length: 5\r\n" + CHUNK, 400),
    "two lengths": (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n123456", 400),
    "odd length": (POST + b"Content-Length: x\r\n\r\n", 400),
    "too large": (POST + b"Content-Length: 9999999\r\n\r\n", 413),
    "long address": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    "3 MiB of junk": (b"x" * 3 * MIB, 414),
    "header of 3 MiB": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 3 * MIB + b"\r\n\r\n", 431),
    "many headers": (b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: a\r\n" % n for n in range(101)) + b"\r\n", 431),
    "nonsense": (b"nonsense\r\n\r\n", 400),
    "HTTP/1.0": (b"GET /livez HTTP/1.0\r\n\r\n", 200),
    "empty line": (b"\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
}


def test_an_odd_request_is_refused_and_the_next_one_is_answered(port: int) -> None:
    for name, (data, status) in ODD_REQUESTS.items():
        with socket.create_connection(("127.0.0.1", port), timeout=60) as sock:
            with suppress(ConnectionError):  # it is refused before it has been sent
                sock.sendall(data)
            assert int(sock.recv(12).split()[1]) == status, name
        assert answers(port, "/livez"), name


# --- A full disk under the metrics ---------------------------------------------------------------------------

FILL = """
mount -t tmpfs -o size=12m none "$TMPDIR" && mount -t tmpfs -o size=12m none /dev/shm || exit 99
cat /dev/zero 2>/dev/null > "$TMPDIR/fill"
"$@"
"""
"""In a mount namespace of its own: the folder for temporary files is small, and full. That in memory has room."""


@contextmanager
def gunicorn_on_a_full_disk(environment: dict[str, str], folder: Path) -> Iterator[int]:
    if not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("Only root can mount a small disk, on Linux.")
    port, env = free_port(), {**environment, "TMPDIR": str(folder), "METRICS_TOKEN": METRICS_TOKEN}
    in_a_namespace = ("unshare", "-m", "sh", "-c", FILL, "sh")
    with deploying.start(env, port, *in_a_namespace, start_new_session=True) as process:
        try:
            wait_until(lambda: process.poll() is not None or answers(port, "/livez"))
            yield port
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def test_no_worker_dies_when_the_disk_is_full(environment: dict[str, str], tmp_path: Path) -> None:
    """Each path is a route of its own, so that the counters need room that they have not used before."""
    paths = ["/livez", "/readyz", "/api/boards", "/api/themes", "/api/forms", "/boards", "/", "/themes", "/nothing"]
    with gunicorn_on_a_full_disk(environment, tmp_path) as port:
        for path in paths * 3:
            assert answers(port, path), path
        counted = answers(port, "/metrics", Authorization=f"Bearer {METRICS_TOKEN}").decode()
    assert 'bridge_boards_requests_total{method="GET",route="readyz",status="200"} 3.0' in counted


def test_the_files_of_a_dead_worker_stay_until_a_hundred_others_have_died(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(metrics_files, "metrics_folder", lambda: tmp_path)
    monkeypatch.setattr(metrics_files, "dead", deque())
    for pid in range(1, MAX_DEAD + 2):
        for kind in ("counter", "histogram"):
            (tmp_path / f"{kind}_{pid}.db").touch()
        metrics_files.mark_worker_dead(pid)
        assert len(list(tmp_path.iterdir())) == 2 * min(pid, MAX_DEAD)
    assert not list(tmp_path.glob("*_1.db"))


# --- A worker asks for the provider's keys when it starts ------------------------------------------------------------


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running() as provider:
        yield provider


@pytest.fixture
def keyless(provider: Provider, tmp_path: Path) -> dict[str, str]:
    """Name a database that does not exist, since nothing here asks for it."""
    return of(f"sqlite:///{tmp_path / 'db.sqlite3'}", f"{provider.url}/jwks")


def test_a_worker_fetches_the_keys_before_any_token_comes(provider: Provider, keyless: dict[str, str]) -> None:
    requested = threading.Event()

    def answer(handler: Handler) -> None:
        requested.set()
        handler.send(200, {}, key_set())

    provider.answers["/jwks"] = answer
    with gunicorn(keyless):
        requested.wait()
    assert provider.requested == ["/jwks"]


def test_a_worker_starts_without_keys_and_logs_why(provider: Provider, keyless: dict[str, str], tmp_path: Path) -> None:
    provider.answers["/jwks"] = UNUSABLE["HTML"]
    written = tmp_path / "log"
    with written.open("wb") as log, gunicorn(keyless, log):
        wait_until(lambda: "signing keys: " in written.read_text())


def test_a_worker_starts_while_the_provider_keeps_it_waiting(provider: Provider, keyless: dict[str, str]) -> None:
    over = threading.Event()
    provider.answers["/jwks"] = lambda handler: over.wait()
    with gunicorn(keyless):
        over.set()


def test_a_site_without_an_identity_provider_starts_and_serves() -> None:
    """Browse it and send a form, on a migrated database."""
    none = dict.fromkeys(("JWT_JWKS_URL", "JWT_ISSUER", "JWT_AUDIENCE"), "")
    form = {"name": "Ann", "email": "ann@example.org", "subject": "Hello", "message": "Hello you"}
    expected = {"/boards": 200, "/api/boards": 200, "/api/forms/contact": 201, "/admin/login/": 200}
    expected["/api/accounts/me"] = 503
    with database() as url, gunicorn({**of(url, ""), **none}) as port:
        for path, status in expected.items():
            method, body = ("POST", form) if status == 201 else ("GET", None)
            answer = requests.request(method, f"http://127.0.0.1:{port}{path}", json=body, timeout=60)
            assert answer.status_code == status, path
