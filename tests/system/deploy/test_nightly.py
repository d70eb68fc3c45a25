"""What containers do each night: prune and back up, as systemd's timers do, without cron."""

import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from tests.system.deployment import ROOT
from tests.system.postgresql_servers import Server, binaries, primary

DEPLOY = ROOT / "deploy"
SLEEP = """#!/bin/sh
echo "$1" >> "$SLEPT"
exit 9
"""
"""Keeps how long it was to wait, and ends the loop of nightly.sh."""


def command_of(name: str) -> list[str]:
    """Return the command of a container, for the files of this repository."""
    service: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"][name]
    command = [word.replace("$$", "$") for word in service["command"]]
    for volume in service["volumes"]:
        source, place, *_ = volume.split(":")
        command = [word.replace(place, str(DEPLOY / source)) for word in command]
    return command


class Container:
    """Runs a command until it waits for the next night. `slept` has the seconds of each wait."""

    def __init__(self, folder: Path, server: Server | None = None) -> None:
        self.backups = folder / "backups"
        self.backups.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        (programs / "sleep").write_text(SLEEP)
        (programs / "sleep").chmod(0o755)
        path = [programs, *([binaries()] if server else ()), os.environ["PATH"]]
        self.slept = folder / "slept"
        self.environment = {"PATH": os.pathsep.join(map(str, path)), "SLEPT": str(self.slept), "TZ": "UTC"}
        if server:
            self.environment["DATABASE_URL"] = server.url("boards")

    def start(self, *command: str) -> int:
        return subprocess.run(
            command, cwd=self.backups, env=self.environment, check=False, capture_output=True
        ).returncode

    @property
    def files(self) -> list[str]:
        return sorted(path.name for path in self.backups.iterdir())


@pytest.fixture
def server() -> Iterator[Server]:
    with primary() as server:
        server.execute("CREATE ROLE boards_service LOGIN")
        server.execute("CREATE DATABASE boards")
        server.execute("CREATE TABLE kept AS SELECT 52 AS cards", "boards")
        server.execute("GRANT SELECT ON kept TO boards_service", "boards")
        yield server


def test_containers_prune_and_back_up_when_systemd_s_timers_do() -> None:
    for name in ("prune", "backup"):
        timer = (DEPLOY / "systemd" / f"bridge-boards-{name}.timer").read_text(encoding="utf-8")
        (at,) = re.findall(r"^OnCalendar=\*-\*-\* (\d\d:\d\d):00$", timer, re.MULTILINE)
        assert command_of(name)[:3] == ["sh", str(DEPLOY / "nightly.sh"), at], name
    assert command_of("prune")[3:] == ["python", "manage.py", "prune"]


def test_a_command_runs_at_the_start_and_waits_until_its_time_and_its_failure_ends_the_container(
    tmp_path: Path,
) -> None:
    container = Container(tmp_path)
    for at, seconds in (("00:00", 0), ("02:20", 8400), ("23:59", 86340)):
        before = int(time.time())
        assert container.start("sh", str(DEPLOY / "nightly.sh"), at, "touch", at) == 9
        wait = int(container.slept.read_text())
        assert 1 <= wait <= 86400
        assert any((now + wait) % 86400 == seconds for now in range(before, int(time.time()) + 1)), at
        container.slept.unlink()
    assert container.files == ["00:00", "02:20", "23:59"]
    assert container.start("sh", str(DEPLOY / "nightly.sh"), "02:20", "sh", "-c", "exit 3") == 3
    assert not container.slept.exists()


def test_the_backup_is_a_file_a_day_that_pg_restore_reads_and_fourteen_are_kept(server: Server, tmp_path: Path) -> None:
    container = Container(tmp_path, server)
    for day in range(10, 25):
        (container.backups / f"2026-01-{day}.dump").touch()
    (container.backups / "notes").touch()
    today = time.strftime("%F.dump", time.gmtime())
    command = command_of("backup")
    assert container.start(*command) == 9
    assert container.files == [*(f"2026-01-{day}.dump" for day in range(12, 25)), today, "notes"]
    file = container.backups / today
    assert file.stat().st_mode & 0o077 == 0
    whole = file.read_bytes()
    server.execute("DROP TABLE kept", "boards")
    assert container.start(*command) == 9
    assert file.read_bytes() == whole, "a start by day would replace the night's"
    file.unlink()
    container.environment["DATABASE_URL"] = server.url("no_such_database")
    assert container.start(*command) not in (0, 9)
    assert today not in container.files

    copy = server.folder / "copy.dump"
    copy.write_bytes(whole)
    copy.chmod(0o644)
    server.run("dropdb", "--maintenance-db", server.url(), "boards")
    server.execute("CREATE DATABASE boards")
    server.run("pg_restore", "--exit-on-error", "-d", server.url("boards"), copy)
    with psycopg.connect(server.url("boards").replace("//boards@", "//boards_service@")) as connection:
        assert connection.execute("SELECT cards FROM kept").fetchall() == [(52,)]
