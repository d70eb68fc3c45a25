"""A real gunicorn answers monitors by the port of METRICS_BIND, whatever happens to its threads and processes."""

import json
import os
import select
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPResponse
from pathlib import Path

import pytest
import requests

from tests.system import deployment
from tests.system.deployment import ROOT, free_port, wait_until
from tests.system.servers import deploying

THREADS, WORKERS = 8, 2
PATHS = ("/livez", "/readyz", "/metrics")
SECONDS = 60
"""Against hanging alone: what is asserted is that an answer comes at all."""


@pytest.fixture(scope="module")
def database_url() -> Iterator[str]:
    with deployment.database() as url:
        yield url


@pytest.fixture(scope="module")
def own() -> int:
    """Return the number of a port that is free."""
    return free_port()


@pytest.fixture(scope="module")
def environment(database_url: str, own: int, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the settings of a service with several workers and a port for monitors."""
    several = {"GUNICORN_CMD_ARGS": f"--workers={WORKERS}", "CACHE_URL": ""}
    bind = {"METRICS_BIND": f"127.0.0.1:{own}", "HELD_FOLDER": str(tmp_path_factory.mktemp("held"))}
    return deployment.of(database_url, "", **several, **bind)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)


def ask(sock: socket.socket, path: str) -> socket.socket:
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return sock


def read(sock: socket.socket) -> int:
    with closing(HTTPResponse(sock)) as answer:
        answer.begin()
        return answer.status


def get(port: int, path: str, **headers: str) -> requests.Response:
    return requests.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=SECONDS)


def statuses(port: int, *paths: str) -> list[int]:
    return [get(port, path).status_code for path in paths or PATHS]


def has_answer(sock: socket.socket) -> bool:
    """Tell whether anything has come, without waiting for it."""
    return bool(select.select([sock], [], [], 0)[0])


def test_monitors_are_answered_while_all_threads_of_all_workers_are_busy(environment: dict[str, str], own: int) -> None:
    folder = Path(environment["HELD_FOLDER"])
    with (
        deployment.gunicorn(environment, application="tests.system.servers.held_application") as port,
        ExitStack() as stack,
    ):
        held: list[socket.socket] = []
        while len(list(folder.iterdir())) < WORKERS * THREADS:
            held.append(ask(stack.enter_context(connect(port)), "/hold"))
            time.sleep(0.05)
        waiting = ask(stack.enter_context(connect(port)), "/livez")
        for _ in range(5):
            assert statuses(own) == [200] * 3
        assert not has_answer(waiting)
        (folder / "released").touch()
        assert [read(sock) for sock in (*held, waiting)] == [200] * (len(held) + 1)


def test_odd_clients_hold_up_no_monitor_and_leave_only_lines_of_json(
    environment: dict[str, str], own: int, tmp_path: Path
) -> None:
    odd = (
        b"",
        b"GET /livez HT",
        b"\r\n",
        b"nonsense\r\n\r\n",
        b"GET /" + b"a" * 70_000,
        b"POST /livez HTTP/1.1\r\n\r\n",
    )
    with (tmp_path / "log").open("wb") as log, deployment.gunicorn(environment, log), ExitStack() as stack:
        for data in odd * 20:
            sock = stack.enter_context(connect(own))
            sock.sendall(data)
            reset = stack.enter_context(connect(own))
            reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            reset.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
            reset.close()
        assert statuses(own) == [200] * 3
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines and all(isinstance(json.loads(line), dict) for line in lines)


@pytest.fixture(scope="module")
def master(environment: dict[str, str]) -> Iterator[int]:
    """Start a gunicorn and yield the id of its master."""
    port = free_port()
    process = deploying.start(environment, port)
    deploying.wait_until_ready(port)
    yield process.pid
    deploying.end(process)


def test_nothing_but_monitors_is_answered_there(master: int, own: int) -> None:
    pages = ("/", "/api/boards", "/api/openapi.json", "/static/site/style.css", "/admin/login/")
    elsewhere = (*pages, "/livezx", "/livez/x")
    assert statuses(own, *elsewhere) == [404] * len(elsewhere)
    for path in PATHS:
        assert statuses(own, path, f"{path}/", f"{path}?a=b") == [200] * 3
    assert get(own, "/livez").text == '{"status":"ok"}'
    assert get(own, "/readyz").json()["database"] == "ok"
    assert "bridge_boards_database_up 1.0" in get(own, "/metrics").text


def test_one_worker_that_is_stopped_holds_up_no_monitor(master: int, own: int) -> None:
    def has_stopped() -> bool:
        """Tell whether each thread of the process has come to a stop: the signal itself is not at once everywhere."""
        return all(deploying.state_of(each) == "T" for each in Path(f"/proc/{one}/task").iterdir())

    one, *_ = deploying.children(master)
    os.kill(one, signal.SIGSTOP)
    try:
        wait_until(has_stopped)
        assert statuses(own, *["/livez"] * 10) == [200] * 10
    finally:
        os.kill(one, signal.SIGCONT)


def test_new_workers_after_hup_answer(master: int, own: int) -> None:
    first = deploying.children(master)
    os.kill(master, signal.SIGHUP)
    wait_until(lambda: not first & deploying.children(master))
    assert statuses(own) == [200] * 3


def test_it_is_silent_while_no_worker_lives_and_the_next_one_answers(master: int, own: int) -> None:
    assert statuses(own, "/livez") == [200]
    first = deploying.children(master)
    os.kill(master, signal.SIGSTOP)  # so that it starts no other one
    try:
        for worker in first:
            os.kill(worker, signal.SIGKILL)
        wait_until(lambda: all(map(deploying.is_gone, first)))
        sock = ask(connect(own), "/livez")
        time.sleep(0.2)
        assert not has_answer(sock)
    finally:
        os.kill(master, signal.SIGCONT)
    assert read(sock) == 200
    sock.close()


def test_a_second_master_has_the_port_too_and_it_is_free_at_the_end(environment: dict[str, str]) -> None:
    own = free_port()
    with deploying.usr2({**environment, "METRICS_BIND": f"127.0.0.1:{own}"}) as (_, deploy):
        assert statuses(own, "/livez") == [200]
        deploy()
        assert statuses(own) == [200] * 3
    socket.create_server(("127.0.0.1", own)).close()


def test_a_port_that_another_program_has_ends_the_start_with_the_reason(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        env = {**environment, "METRICS_BIND": taken, "PORT": str(free_port())}
        ended = subprocess.run(deploying.COMMAND, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode != 0
    assert f"METRICS_BIND={taken} cannot be used" in ended.stderr


def test_metrics_are_answered_by_their_own_port_and_to_nobody_else_without_a_token(database_url: str) -> None:
    token, own = "a-token-for-metrics-0123456789abcdef", free_port()
    environment = deployment.of(database_url, "", METRICS_BIND=f"127.0.0.1:{own}", METRICS_TOKEN=token)
    with deployment.gunicorn(environment) as port:
        found = {
            "own port": get(own, "/metrics"),
            "a proxy on this machine": get(port, "/metrics"),
            "a proxy that keeps the client's Host": get(port, "/metrics", Host=f"127.0.0.1:{own}"),
            "token": get(port, "/metrics", Authorization=f"Bearer {token}"),
        }
    assert [answer.status_code for answer in found.values()] == [200, 401, 401, 200], found
