"""Migrating: machines take turns, and an instance is ready only on a database that has its migrations."""

import os
import subprocess
import sys

import pytest
import requests
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from rest_framework.test import APIClient

from config.api.errors import ServiceUnavailable, to_api_error
from config.database.advisory_locks import hold_advisory_lock
from config.edge.observability.readiness import readiness
from tests.answers import assert_error
from tests.system.deployment import ROOT, gunicorn, of, python, url_of_tests, wait_until
from tests.system.guides.service import empty_database


def test_several_machines_prepare_one_empty_database_at_once(django_db_setup: None) -> None:
    with empty_database() as url:
        for name in ("migrate", "load_reference_data"):
            command = [sys.executable, "manage.py", name, "-v0"]
            machines = [
                subprocess.Popen(command, cwd=ROOT, env=of(url, ""), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                for _ in range(2)
            ]
            outputs = [process.communicate()[0].decode() for process in machines]
            assert [process.returncode for process in machines] == [0, 0], outputs


def test_an_instance_is_not_ready_until_its_database_is_migrated(django_db_setup: None) -> None:
    with empty_database() as url, gunicorn(of(url, "")) as port:

        def ask(path: str) -> tuple[int, str]:
            answer = requests.get(f"http://127.0.0.1:{port}{path}", timeout=60)
            return answer.status_code, answer.text

        assert ask("/livez")[0] == 200
        for path in ("/readyz", "/api/boards", "/api/themes", "/api/events", "/", "/boards", "/sitemap.xml"):
            status, body = ask(path)
            why = "run manage.py migrate" if path == "/readyz" else "is being set up or updated"
            assert status == 503 and why in body, path
        assert python(of(url, ""), "manage.py", "migrate", "-v0") == ""
        assert [ask(path)[0] for path in ("/readyz", "/api/boards")] == [200, 200]


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


HOLD = """
import django, sys, time
django.setup()
from config.database.advisory_locks import hold_advisory_lock
with hold_advisory_lock("a name"):
    print("locked", flush=True)
    time.sleep(600)
"""


def test_a_lock_ends_with_its_process_and_keeps_others_out_until_then(transactional_db: None) -> None:
    env = {**os.environ, "DATABASE_URL": url_of_tests(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", HOLD]
    holders = [subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE) for _ in range(2)]
    locked: list[subprocess.Popen[bytes]] = []

    def find_locked() -> bool:
        assert all(each.poll() is None for each in holders if each not in locked)
        locked.extend(each for each in holders if each not in locked and each.stdout.read())
        return bool(locked)

    try:
        for each in holders:
            os.set_blocking(each.stdout.fileno(), False)
        wait_until(find_locked)
        (first,) = locked  # the other one waits
        first.kill()
        wait_until(lambda: find_locked() and len(locked) == 2)
    finally:
        for each in holders:
            each.kill()
            each.communicate()
    with hold_advisory_lock("a name"):
        connections.close_all()
