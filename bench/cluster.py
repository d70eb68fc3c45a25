"""A PostgreSQL server of one's own, to be hurt."""

import os
import signal
import subprocess
from pathlib import Path

PORT = os.environ.get("CLUSTER_PORT", "5533")
FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
"""Where Debian has the programs of each version."""


class Cluster:
    """A PostgreSQL of its own in a folder, which must exist. It refuses to run as root: then `postgres` runs it."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        folder.chmod(0o755)
        self.data.mkdir()
        if self.prefix:
            subprocess.run(["chown", "-R", "postgres", folder], check=True)
        self.call("initdb", "-D", self.data, "-U", "boards", "-A", "trust", "--no-sync")
        self.start()
        self.call("createdb", "-h", "127.0.0.1", "-p", PORT, "-U", "boards", "boards")

    def call(self, program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [*self.prefix, FOLDERS[-1] / program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/"
        )

    def start(self) -> None:
        options = f"-p {PORT} -k {self.data} -c listen_addresses=127.0.0.1"
        self.call("pg_ctl", "-D", self.data, "-w", "-l", self.data / "log", "-o", options, "start")

    def stop(self, mode: str) -> None:
        self.call("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def pids(self) -> list[int]:
        """Return the postmaster and its children."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return [postmaster, *map(int, children)]

    def signal(self, number: signal.Signals) -> None:
        for pid in self.pids():
            os.kill(pid, number)
