"""Three machines with etcd, Patroni and PostgreSQL, from the files of deploy/fail-over, and haproxy in front of them.

Each machine is an address of the loopback network. The service sees machine 2 at …12, and Patroni of machine 2 sees
etcd of machine 3 at …123: these are links, which can be cut.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import yaml

from bench.cluster.parts import PATIENCE_SECONDS, Part, ask, haproxy, link, listens, wait_for
from bench.soak.sampling import family_of
from tests.system.database_machines import PASSWORD, Network, variables
from tests.system.deployment import free_port
from tests.system.postgresql_servers import USER, frozen, owner

POSTGRESQL, PATRONI, ETCD = 5432, 8008, 2379
NUMBERS = (1, 2, 3)
CREATE = (
    f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}' IN ROLE pg_read_all_stats",
    f"CREATE DATABASE boards OWNER {USER}",
)
STREAMING = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming' ORDER BY sync_state"
SCANS = "SELECT sum(seq_scan + coalesce(idx_scan, 0)) FROM pg_stat_user_tables"


class Patroni(Part):
    """Patroni and the PostgreSQL that it runs, which is not a child of it."""

    def __init__(self, name: str, number: int, network: Network, folder: Path) -> None:
        self.data, self.file = folder / "data", folder / "patroni.yml"
        settings = yaml.safe_load(network.of_machine("patroni.yml", number, folder))
        # Patroni would ask etcd where its members are, and go there without the links.
        hosts = [f"{network.machine(100 + 10 * number + other)}:{ETCD}" for other in NUMBERS]
        settings["etcd"] = {"hosts": hosts, "use_proxies": True}
        self.file.write_text(yaml.safe_dump(settings))
        command, env = ["patroni", self.file], os.environ | {"HOME": str(folder)}
        super().__init__(name, command, folder / "patroni.log", env, owner(), folder=folder)

    @property
    def postgresql(self) -> list[int]:
        """Return the ids of PostgreSQL's processes."""
        with suppress(OSError, IndexError):
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
            if str(self.data) in Path(f"/proc/{pid}/cmdline").read_text():  # it is no other's since a crash
                return family_of(pid)
        return []

    @property
    def pids(self) -> list[int]:
        return [*super().pids, *self.postgresql]

    def end(self) -> None:
        self.kill()  # its data is thrown away


class Machine:
    """An address with etcd and Patroni."""

    def __init__(self, number: int, network: Network, folder: Path) -> None:
        self.name, self.address = f"db{number}", network.machine(number)
        here = folder / self.name
        here.mkdir()
        if user := owner():
            shutil.chown(here, user)
        env = os.environ | variables(network.of_machine("etcd.env", number, here))
        self.etcd = Part(f"etcd of {self.name}", ["etcd"], here / "etcd.log", env, owner(), folder=here)
        self.patroni = Patroni(f"Patroni of {self.name}", number, network, here)
        self.front = network.machine(10 + number)
        front = {(self.front, port): (self.address, port) for port in (POSTGRESQL, PATRONI)}
        self.to_service = link(f"{self.name} to the service", front, folder)
        etcds = {network.machine(100 + 10 * number + other): network.machine(other) for other in NUMBERS}
        lines = {(seen, ETCD): (address, ETCD) for seen, address in etcds.items()}
        self.to_etcd = link(f"{self.name} to etcd", lines, folder)

    @contextmanager
    def dead(self) -> Iterator[None]:
        """Kill all of the machine, and start it again afterwards."""
        with self.patroni.dead(), self.etcd.dead():
            yield

    def frozen(self) -> AbstractContextManager[None]:
        return frozen([*self.patroni.pids, *self.etcd.pids])

    def is_primary(self) -> bool:
        """Tell whether Patroni says so. haproxy asks it the same."""
        return bool(ask(f"http://{self.address}:{PATRONI}/primary"))

    def leads_etcd(self) -> bool:
        answer = ask(f"http://{self.address}:{ETCD}/v3/maintenance/status", "POST")
        return bool(answer) and answer.json()["leader"] == answer.json()["header"]["member_id"]


class Machines:
    """The three machines, and haproxy, which leads to the primary."""

    def __init__(self, folder: Path) -> None:
        network, self.port = Network(), free_port()
        self.all = [Machine(number, network, folder) for number in NUMBERS]
        text = network.haproxy(self.port)
        for machine in self.all:
            text = text.replace(f" {machine.address}:", f" {machine.front}:")
        self.haproxy = haproxy("haproxy", text, folder, lambda: listens("127.0.0.1", self.port))

    def start(self) -> None:
        """Start all, and create the database as docs/fail-over.md says."""
        for part in self.parts:
            part.start()
        primary = wait_for(self.find_primary, "a primary")
        for sql in CREATE:
            execute(sql, primary.address, role="postgres", database="postgres")
        wait_for(self.is_whole, "the standbys")

    def wait_until_whole(self) -> None:
        """Wait until no machine is missing, and the standbys answer public reads."""
        wait_for(self.is_whole, "the standbys")
        wait_for(self.standbys_are_read, "reads from the standbys")

    @property
    def parts(self) -> list[Part]:
        links = [part for machine in self.all for part in (machine.to_service, machine.to_etcd)]
        programs = [machine.etcd for machine in self.all] + [machine.patroni for machine in self.all]
        return [*links, *programs, self.haproxy]

    def members(self) -> list[dict[str, Any]]:
        """Return what Patroni says of all machines, by the first of them that answers."""
        answers = (ask(f"http://{machine.address}:{PATRONI}/cluster") for machine in self.all)
        return next((answer.json()["members"] for answer in answers if answer), [])

    def find_primary(self) -> Machine | None:
        return next(filter(Machine.is_primary, self.all), None)

    def find_synchronous(self) -> Machine | None:
        """Return the standby that commits wait for."""
        names = [member["name"] for member in self.members() if member["role"] == "sync_standby"]
        return next((machine for machine in self.all if machine.name in names), None)

    def find_etcd_leader(self) -> Machine | None:
        return next(filter(Machine.leads_etcd, self.all), None)

    def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask the primary, by way of haproxy."""
        return execute(sql, "127.0.0.1", self.port)

    def is_whole(self) -> bool:
        """Tell whether there are a primary and two standbys on its timeline, and commits wait for one of them."""
        members = self.members()
        roles = sorted(member["role"] for member in members)
        timelines = {member.get("timeline") for member in members}
        with suppress(psycopg.Error):
            if roles == ["leader", "replica", "sync_standby"] and len(timelines) == 1:
                return self.fetch(STREAMING) == [("async",), ("sync",)]
        return False

    def standbys_are_read(self) -> bool:
        """Tell whether the service reads tables from the standbys at this moment."""
        standbys = [machine for machine in self.all if not machine.is_primary()]
        with suppress(psycopg.Error):
            before = [execute(SCANS, machine.address) for machine in standbys]
            time.sleep(2)
            return before != [execute(SCANS, machine.address) for machine in standbys]
        return False

    def rebuild(self) -> None:
        """Copy the synchronous standby from the primary anew, as an operator does."""
        name = wait_for(self.find_synchronous, "a synchronous standby").name
        command = ["patronictl", "-c", self.all[0].patroni.file, "reinit", "boards", name, "--force"]
        subprocess.run(command, check=True, capture_output=True)
        wait_for(self.is_whole, name)


def execute(
    sql: str, host: str, port: int = POSTGRESQL, role: str = USER, database: str = "boards"
) -> list[tuple[Any, ...]]:
    """Run one statement and return its rows."""
    url = f"postgres://{role}:{PASSWORD}@{host}:{port}/{database}"
    with psycopg.connect(url, autocommit=True, connect_timeout=PATIENCE_SECONDS) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else []
