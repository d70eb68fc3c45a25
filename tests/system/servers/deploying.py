"""Deploy a real gunicorn again and again under load, and count the requests that a deployment loses.

Clients read all the while, half of them over a new connection for each request, half over one that is kept. A request
that gets no answer, or one of 500 or more, has failed. The ways to deploy:

    usr2      a second master on the same socket, then the first one ends: docs/reliability/deployments.md
    socket    the socket belongs to a parent, as with systemd's socket activation; one gunicorn ends, another starts
"""

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import requests

from tests.system.deployment import ROOT, free_port, wait_until
from tests.traffic import Caller

PATHS = ("/api/boards?pageSize=5", "/api/themes", "/livez", "/boards")
# Not `python -m gunicorn`: the second master of that, after USR2, finds gunicorn's modules first and does not start.
COMMAND = (str(Path(sys.executable).with_name("gunicorn")), "-c", "config/gunicorn.conf.py", "config.wsgi")
PAUSE_SECONDS = 2
"""Between two deployments all clients are served. While a socket waits for its gunicorn, they wait too."""
Deploy = Callable[[], None]


class Load:
    """Clients that read one address until they are stopped. `answers` counts statuses, and errors by their names."""

    def __init__(self, port: int, clients: int) -> None:
        self.port = port
        self.answers: Counter[int | str] = Counter()
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.read, args=(number,)) for number in range(clients)]

    def __enter__(self) -> "Load":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    @property
    def failed(self) -> int:
        return sum(count for outcome, count in self.answers.items() if isinstance(outcome, str) or outcome >= 500)

    def read(self, number: int) -> None:
        headers = {} if number % 2 else {"Connection": "close"}
        caller = Caller(f"http://127.0.0.1:{self.port}")
        for turn in itertools.count(number):
            if self.is_over.is_set():
                break
            outcome, _ = caller.ask("GET", PATHS[turn % len(PATHS)], **headers)
            self.answers[outcome] += 1
        caller.connection.close()


def wait_until_ready(port: int) -> None:
    def is_ready() -> bool:
        with suppress(requests.RequestException):
            return requests.get(f"http://127.0.0.1:{port}/readyz", timeout=5).ok
        return False

    wait_until(is_ready)


def start(
    env: dict[str, str], port: int, *before: str, application: str = "config.wsgi", **options: Any
) -> subprocess.Popen[bytes]:
    """Start gunicorn, behind another command if one is given."""
    own = {**env, "PORT": str(port), "PUBLIC_BASE_URL": f"http://127.0.0.1:{port}"}
    command = (*before, *COMMAND[:-1], application)
    return subprocess.Popen(command, cwd=ROOT, env=own, stderr=subprocess.DEVNULL, **options)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def children(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def child_with_children(pid: int) -> int | None:
    """Return the second master that a master has started: no worker starts processes."""
    return next((child for child in children(pid) if not is_gone(child) and children(child)), None)


def state_of(process: Path) -> str:
    """Return what /proc says of a process or thread: "T" when it is stopped, "Z" when nobody asked how it ended."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def is_gone(pid: int) -> bool:
    return state_of(Path(f"/proc/{pid}")) == "Z"


@contextmanager
def usr2(env: dict[str, str]) -> Iterator[tuple[int, Deploy]]:
    port = free_port()
    first = start(env, port)
    master = [first.pid]

    def deploy() -> None:
        """Send USR2, wait until the second master has workers, send TERM to the first, and wait for its end."""
        old, turn = master[0], 0
        while (new := child_with_children(old)) is None:
            if turn % 40 == 0:
                # A master ignores it for a second after its own deployment, until it has seen that its parent is gone.
                os.kill(old, signal.SIGUSR2)
            turn += 1
            time.sleep(0.05)
        time.sleep(1)  # its workers fetch keys and begin to accept
        master[0] = new
        os.kill(old, signal.SIGTERM)
        wait_until(lambda: is_gone(old))

    try:
        wait_until_ready(port)
        yield port, deploy
    finally:
        os.kill(master[0], signal.SIGTERM)
        first.wait()
        wait_until(lambda: is_gone(master[0]))


@contextmanager
def activated(env: dict[str, str]) -> Iterator[tuple[int, Deploy]]:
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        # systemd passes the first socket as descriptor 3. Here 3 may be taken, so the child gets a copy there.
        port = listener.getsockname()[1]

        def start_there() -> subprocess.Popen[bytes]:
            script = f'exec 3<&{listener.fileno()}; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"'
            return start(env, port, "bash", "-c", script, "bash", pass_fds=[listener.fileno()])

        current = [start_there()]

        def deploy() -> None:
            end(current[0])
            current[0] = start_there()
            wait_until_ready(port)

        try:
            wait_until_ready(port)
            yield port, deploy
        finally:
            end(current[0])


WAYS = {"usr2": usr2, "socket": activated}


def measure(way: str, env: dict[str, str], *, seconds: float, clients: int) -> tuple[Load, int]:
    """Deploy again and again under load for about so long. Return the load, with its answers, and how often it was."""
    deployments, started = 0, time.monotonic()
    with WAYS[way](env) as (port, deploy), Load(port, clients) as load:
        while not deployments or time.monotonic() - started < seconds:
            time.sleep(PAUSE_SECONDS)
            deploy()
            deployments += 1
        time.sleep(PAUSE_SECONDS)
    return load, deployments
