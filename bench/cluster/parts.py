"""The programs of the cluster, each of which can be killed, frozen and started again."""

import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import requests

from bench.soak.sampling import family_of
from tests.system import deployment
from tests.system.database_machines import PASSWORD
from tests.system.deployment import free_port
from tests.system.postgresql_servers import USER, frozen, owner, send, write_pooler
from tests.system.servers.deploying import COMMAND

PATIENCE_SECONDS = 2  # for an answer of a program that may be frozen
START_SECONDS = 180
Address = tuple[str, int]
Found = TypeVar("Found")


def wait_for(find: Callable[[], Found | None], what: str) -> Found:
    """Return what is found, as soon as anything is."""
    deadline = time.monotonic() + START_SECONDS
    while not (found := find()):
        if time.monotonic() > deadline:
            raise SystemExit(f"{what} did not come within {START_SECONDS} s.")
        time.sleep(0.05)
    return found


@dataclass(eq=False)
class Part:
    """A program with its children."""

    name: str
    command: Sequence[str | Path]
    log: Path
    env: dict[str, str] | None = None
    user: str | None = None
    is_ready: Callable[[], object] = lambda: True
    folder: Path = deployment.ROOT
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        with self.log.open("ab") as file:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=self.env, user=self.user, stdout=file, stderr=file
            )
        try:
            wait_for(self.is_ready, self.name)
        except SystemExit as error:
            raise SystemExit(f"{error}\n{self.log.read_text()[-4000:]}") from None

    @property
    def pids(self) -> list[int]:
        return family_of(self.process.pid) if self.process and self.process.poll() is None else []

    def kill(self) -> None:
        """Kill the program and its children at once, as the end of a machine would."""
        send(self.pids, signal.SIGKILL)
        if self.process:
            self.process.wait()

    @contextmanager
    def dead(self) -> Iterator[None]:
        """Kill the program, and start it again afterwards."""
        self.kill()
        try:
            yield
        finally:
            self.start()

    def frozen(self) -> AbstractContextManager[None]:
        return frozen(self.pids)

    def restart(self) -> None:
        """End the program as an operator does, and start it again."""
        if self.process:
            self.process.terminate()
            self.process.wait()
        self.start()

    def end(self) -> None:
        """End the program at the end of the run, whatever state it is in."""
        send(self.pids, signal.SIGCONT)
        if self.process and self.process.poll() is None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(40)
            self.kill()


def app_group(name: str, env: dict[str, str], folder: Path) -> tuple[Part, int]:
    """Return a gunicorn, which is not started, and its port."""
    port = free_port()
    address = {"PORT": str(port), "BIND": "127.0.0.1"}
    is_ready = partial(ask, f"http://127.0.0.1:{port}/readyz")
    return Part(name, COMMAND, folder / f"{name}.log", env | address, is_ready=is_ready), port


def ask(address: str, method: str = "GET") -> requests.Response | None:
    """Return the answer, which is true when its status says so, or None."""
    try:
        return requests.request(method, address, json={}, timeout=PATIENCE_SECONDS)
    except requests.RequestException:
        return None


def redis_server(folder: Path) -> tuple[Part, int]:
    port = free_port()
    command = ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    return Part("Redis", command, folder / "redis.log", is_ready=partial(listens, "127.0.0.1", port)), port


def link(name: str, lines: Mapping[Address, Address], folder: Path) -> Part:
    """Return a haproxy that forwards connections from addresses to others.

    While it is frozen the lines are cut as in a network that loses packets: bytes wait, and new connections are taken,
    since the kernel does that for a listener, and hang. Nobody gets a reset or a refusal.
    """
    text = "defaults\nmode tcp\ntimeout connect 5s\ntimeout client 1h\ntimeout server 1h\n"
    for number, ((host, port), (target, its_port)) in enumerate(lines.items()):
        text += f"listen line{number}\nbind {host}:{port}\nserver there {target}:{its_port}\n"
    return haproxy(name, text, folder, lambda: all(listens(*place) for place in lines))


def haproxy(name: str, text: str, folder: Path, is_ready: Callable[[], object]) -> Part:
    file = folder / f"{name}.cfg"
    file.write_text(text)
    command = ["/usr/sbin/haproxy", "-db", "-f", file]
    return Part(name, command, folder / f"{name}.log", user=owner(), is_ready=is_ready, folder=folder)


def listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), PATIENCE_SECONDS).close()
    except OSError:
        return False
    return True


def pgbouncer(folder: Path, target: int) -> tuple[Part, int]:
    """Return PgBouncer with the settings of deploy/, in front of haproxy, and its port."""
    place = f"host=127.0.0.1 port={target} dbname=boards"
    port = write_pooler(folder, "boards", place, f'"{USER}" "{PASSWORD}"\n')
    command, log = ["/usr/sbin/pgbouncer", "-q", folder / "pgbouncer.ini"], folder / "pgbouncer.log"
    is_ready = partial(listens, "127.0.0.1", port)
    return Part("PgBouncer", command, log, user=owner(), is_ready=is_ready, folder=folder), port


def database_url(host: str, port: int) -> str:
    return f"postgres://{USER}:{PASSWORD}@{host}:{port}/boards"
