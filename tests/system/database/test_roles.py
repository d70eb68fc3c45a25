"""The service works as a database role that owns nothing, and that role cannot take the audit log's triggers away."""

import os
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest

from tests.system.deployment import ROOT
from tests.system.postgresql_servers import Server, binaries, create_filled, deploy, primary

ROLES = ROOT / "deploy" / "postgresql" / "roles.sql"
TABLE, TRIGGER = "impersonation_impersonationevent", "impersonation_event_is_final"
WARNING = "impersonation.W001"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with primary() as server:
        create_filled(server, "boards")
        for _ in range(2):  # it is safe to repeat
            subprocess.run(
                [binaries() / "psql", "-qX", "-d", server.url("boards"), "-f", ROLES],
                env={**os.environ, "SERVICE_PASSWORD": "a password"},
                check=True,
                capture_output=True,
            )
        yield server


def as_service(server: Server) -> str:
    return server.url("boards").replace("//boards@", "//boards_service@")


def manage(url: str, *command: str) -> str:
    environment = {**deploy(url), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def is_refused(url: str, statement: str) -> bool:
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            connection.execute(statement)
        except psycopg.errors.InsufficientPrivilege:
            return True
    return False


def test_the_service_s_role_drops_no_trigger_and_no_table(server: Server) -> None:
    statements = [
        f"DROP TRIGGER {TRIGGER} ON {TABLE}",
        f"ALTER TABLE {TABLE} DISABLE TRIGGER {TRIGGER}",
        f"CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        f"DROP FUNCTION {TRIGGER}() CASCADE",
        f"DROP TABLE {TABLE}",
        f"TRUNCATE {TABLE}",
        "SET session_replication_role = replica",
        "SET ROLE boards",
        "CREATE TABLE another (id int)",
    ]
    triggers = f"SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = '{TABLE}'::regclass ORDER BY 1"
    before = server.execute(triggers, "boards")
    for statement in statements:
        assert is_refused(as_service(server), statement), statement
    assert server.execute(triggers, "boards") == before != []


def test_the_check_for_a_deployment_warns_of_the_owner_alone(server: Server) -> None:
    check = ("check", "--deploy", "--database", "default")
    assert WARNING in manage(server.url("boards"), *check)
    assert WARNING not in manage(as_service(server), *check)
    assert WARNING not in manage(server.url("postgres"), *check)  # it has no tables yet
    assert WARNING not in manage(server.url("boards"), "check", "--deploy")


def test_each_command_of_the_service_works_as_its_role(server: Server) -> None:
    url = as_service(server)
    for command in (
        ("load_reference_data",),
        ("load_demonstration",),
        ("prune",),
        ("refresh_boards",),
        ("index_boards",),
        ("run_worker", "--once"),
        ("migrate", "--check"),
    ):
        manage(url, *command)
    assert "0 differ" in manage(url, "index_boards", "--check")
