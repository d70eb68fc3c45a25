"""The programs of the cluster, each of which can be killed, frozen and started again."""

import configparser
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psycopg

from bench.deployments import COMMAND
from tests.system import deployment
from tests.system.postgresql_servers import USER, free_port, frozen, owner, send

PATIENCE_SECONDS = 180


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what} did not come back within {PATIENCE_SECONDS} s.")
        time.sleep(0.05)


def tree_of(pid: int) -> Iterator[int]:
    """Yield a process and all that it and its children have started."""
    yield pid
    with suppress(OSError):
        for task in list(Path(f"/proc/{pid}/task").iterdir()):
            for child in map(int, (task / "children").read_text().split()):
                yield from tree_of(child)


class Part:
    """A program with its children."""

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        log: Path,
        env: dict[str, str] | None = None,
        user: str | None = None,
        is_ready: Callable[[], bool] = lambda: True,
        folder: Path = deployment.ROOT,
    ) -> None:
        self.name, self.command, self.log, self.env, self.user = name, command, log, env, user
        self.is_ready, self.folder = is_ready, folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as file:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=self.env, user=self.user, stdout=file, stderr=file
            )
        try:
            wait_until(self.is_ready, self.name)
        except SystemExit as error:
            raise SystemExit(f"{error}\n{self.log.read_text()[-4000:]}") from None

    @property
    def pids(self) -> list[int]:
        return list(tree_of(self.process.pid)) if self.process else []

    def kill(self) -> None:
        """Kill the program and its children at once, as the end of a machine would."""
        send(self.pids, signal.SIGKILL)
        if self.process:
            self.process.wait()

    def kill_child(self) -> None:
        """Kill one child, which the program has to replace."""
        send(self.pids[1:2], signal.SIGKILL)

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
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.kill()


def app_group(name: str, env: dict[str, str], folder: Path, tree: Path = deployment.ROOT) -> tuple[Part, int]:
    """Return a gunicorn, which is not started, and its port."""
    port = free_port()

    def is_ready() -> bool:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    address = {"PORT": str(port), "BIND": "127.0.0.1"}
    part = Part(name, COMMAND, folder / f"{name}.log", {**env, **address}, is_ready=is_ready, folder=tree)
    return part, port


def worker(name: str, env: dict[str, str], folder: Path) -> Part:
    return Part(name, [sys.executable, "manage.py", "run_worker"], folder / f"{name}.log", env)


def redis_server(folder: Path) -> tuple[Part, int]:
    import redis

    port = free_port()

    def is_ready() -> bool:
        try:
            return bool(redis.Redis(port=port, socket_timeout=2).ping())
        except redis.RedisError:
            return False

    command = ["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    return Part("Redis", command, folder / "redis.log", is_ready=is_ready), port


class Pooler(Part):
    """PgBouncer with the settings of deploy/, which can be pointed to another server."""

    def __init__(self, folder: Path, server: int) -> None:
        self.settings = configparser.ConfigParser(interpolation=None)
        self.settings.read(deployment.ROOT / "deploy" / "pgbouncer" / "pgbouncer.ini")
        self.query = self.settings["databases"]["boards"].partition(" connect_query=")[2]
        self.file, self.port = folder / "pgbouncer.ini", free_port()
        own = {"listen_addr": "127.0.0.1", "listen_port": str(self.port), "unix_socket_dir": ""}
        trust = {
            "auth_type": "any",
            "auth_file": str(folder / "users"),
            "logfile": str(folder / "bouncer.log"),
        }
        self.settings["pgbouncer"].update(own | trust | {"admin_users": USER})
        (folder / "users").write_text("")
        self.write(server)
        command = ["/usr/sbin/pgbouncer", "-q", self.file]
        super().__init__(
            "PgBouncer", command, folder / "pgbouncer.log", user=owner(), is_ready=self.answers, folder=folder
        )

    def write(self, server: int) -> None:
        place = f"host=127.0.0.1 port={server} dbname=boards user={USER}"
        self.settings["databases"] = {"boards": f"{place} connect_query={self.query}"}
        with self.file.open("w") as file:
            self.settings.write(file)

    def url(self, port: int) -> str:
        return f"postgres://{USER}@127.0.0.1:{port}/boards"

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url(self.port), connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def point_to(self, server: int) -> None:
        """Send all further transactions to another server, as a supervisor of fail-overs does."""
        self.write(server)
        console = f"postgres://{USER}@127.0.0.1:{self.port}/pgbouncer"
        with psycopg.connect(console, autocommit=True, prepare_threshold=None) as connection:
            for word in ("RELOAD", "RECONNECT"):
                psycopg.ClientCursor(connection).execute(word)  # the console knows the simple protocol alone
