"""The service works as a database role that owns nothing, and that role cannot take the audit log's triggers away."""

import os
import subprocess
from collections.abc import Iterator

import psycopg
import pytest

from tests.system.deployment import ROOT, python
from tests.system.guides.service import deploy
from tests.system.postgresql_servers import Server, binaries, create_filled, primary

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


@pytest.fixture
def as_service(server: Server) -> str:
    return server.url("boards").replace("//boards@", "//boards_service@")


def manage(url: str, *command: str) -> str:
    return python(deploy(url), "manage.py", *command)


def test_the_service_s_role_drops_no_trigger_and_no_table(server: Server, as_service: str) -> None:
    triggers = f"SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = '{TABLE}'::regclass ORDER BY 1"
    before = server.execute(triggers, "boards")
    with psycopg.connect(as_service, autocommit=True) as connection:
        for statement in (
            f"DROP TRIGGER {TRIGGER} ON {TABLE}",
            f"ALTER TABLE {TABLE} DISABLE TRIGGER {TRIGGER}",
            f"CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            f"DROP FUNCTION {TRIGGER}() CASCADE",
            f"DROP TABLE {TABLE}",
            f"TRUNCATE {TABLE}",
            "SET session_replication_role = replica",
            "SET ROLE boards",
            "CREATE TABLE another (id int)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
    assert server.execute(triggers, "boards") == before != []


def test_the_check_for_a_deployment_warns_of_the_owner_alone(server: Server, as_service: str) -> None:
    check = ("check", "--deploy", "--database", "default")
    assert WARNING in manage(server.url("boards"), *check)
    for url in (as_service, server.url("postgres")):  # postgres has no tables yet
        assert WARNING not in manage(url, *check)
    assert WARNING not in manage(server.url("boards"), "check", "--deploy")


COMMANDS = """
import django
from django.core.management import call_command
django.setup()
for name in ("load_reference_data", "load_demonstration", "prune", "refresh_boards", "index_boards"):
    call_command(name)
call_command("migrate", "--check")
"""


def test_each_command_of_the_service_works_as_its_role(as_service: str) -> None:
    python(deploy(as_service), "-c", COMMANDS)
    manage(as_service, "run_worker", "--once")
    assert "0 differ" in manage(as_service, "index_boards", "--check")
