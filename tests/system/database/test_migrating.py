"""Migrating: machines take turns, and an instance is ready only on a database that has its migrations."""

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from rest_framework.test import APIClient

from config.api.errors import ServiceUnavailable
from config.api.handlers import to_api_error
from config.database.advisory_locks import hold_advisory_lock
from config.database.migrated import required_migrations
from config.edge.observability.readiness import readiness
from tests.answers import assert_error
from tests.system.deployment import ROOT, gunicorn, of

MACHINES = 2


@pytest.fixture
def empty_database(tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a database without a table."""
    if (url := os.environ["DATABASE_URL"]).startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'db.sqlite3'}"
        return
    import psycopg

    name = f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def start(command: str, database: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "manage.py", command, "-v0"],
        cwd=ROOT,
        env=of(database, ""),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def answer(port: int, path: str) -> tuple[int, bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as there:
        there.request("GET", path)
        response = there.getresponse()
        return response.status, response.read()


def test_several_machines_prepare_one_empty_database_at_once(empty_database: str) -> None:
    for command in ("migrate", "load_reference_data"):
        processes = [start(command, empty_database) for _ in range(MACHINES)]
        outputs = [process.communicate()[0].decode() for process in processes]
        assert [process.returncode for process in processes] == [0] * MACHINES, outputs


def test_an_instance_is_not_ready_until_its_database_is_migrated(empty_database: str) -> None:
    with gunicorn(of(empty_database, "")) as port:
        assert answer(port, "/livez")[0] == 200
        status, body = answer(port, "/readyz")
        assert status == 503 and b"run manage.py migrate" in body
        for path in ("/api/boards", "/api/themes", "/api/events", "/", "/boards", "/sitemap.xml"):
            status, body = answer(port, path)
            assert status == 503 and b"is being set up or updated" in body, path
        migrating = start("migrate", empty_database)
        assert (migrating.communicate()[0], migrating.returncode) == (b"", 0)
        assert answer(port, "/readyz")[0] == 200
        assert answer(port, "/api/boards")[0] == 200


def test_a_database_that_lacks_one_migration_is_not_ready_and_one_that_has_more_is(db: None) -> None:
    row = MigrationRecorder.Migration.objects.get(app="voting", name="0001_initial")
    MigrationRecorder(connection).record_applied("deals", "9999_of_a_newer_version")
    assert APIClient().get("/readyz").status_code == 200
    row.delete()
    readiness.forget()
    assert "migrate" in assert_error(APIClient().get("/readyz"), 503, "service_unavailable")["message"]


def test_a_statement_that_names_what_is_not_there_is_a_503_only_where_migrations_are_missing(db: None) -> None:
    for statement in (
        "SELECT 1 FROM unknown",
        "SELECT unknown FROM boards_board",
        "INSERT INTO boards_event (unknown) VALUES (1)",
    ):
        with pytest.raises(DatabaseError) as caught, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
        assert to_api_error(caught.value) is None
        with transaction.atomic():
            MigrationRecorder.Migration.objects.get(app="voting", name="0001_initial").delete()
            assert isinstance(to_api_error(caught.value), ServiceUnavailable)
            transaction.set_rollback(True)


def test_the_migrations_that_are_needed_are_those_that_django_finds() -> None:
    assert required_migrations() == set(MigrationLoader(None).disk_migrations)


HOLD = """
import django, sys, time
django.setup()
from config.database.advisory_locks import hold_advisory_lock
with hold_advisory_lock("a name"):
    print("locked", flush=True)
    time.sleep(600)
"""


def test_a_lock_ends_with_its_process_and_keeps_others_out_until_then(transactional_db: None) -> None:
    from tests.config.worker.test_runner import database_url

    env = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    holders = [
        subprocess.Popen([sys.executable, "-c", HOLD], cwd=ROOT, env=env, stdout=subprocess.PIPE) for _ in range(2)
    ]
    try:
        for each in holders:
            os.set_blocking(each.stdout.fileno(), False)
        first = wait_for_line(holders, set())
        other = next(each for each in holders if each is not first)
        assert other.stdout.read() is None  # it waits
        first.kill()
        assert wait_for_line(holders, {first}) is other
    finally:
        for each in holders:
            each.kill()
            each.communicate()
    with hold_advisory_lock("a name"):
        connections.close_all()


def wait_for_line(
    processes: list[subprocess.Popen[bytes]], others: set[subprocess.Popen[bytes]]
) -> subprocess.Popen[bytes]:
    while True:
        time.sleep(0.05)
        for process in processes:
            if process not in others and process.stdout.read():
                return process
            assert process in others or process.poll() is None
