"""Connections to PostgreSQL that the server has ended are replaced, and frequent statements are prepared once."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import DatabaseError, connection

from config.database import prepared_cursor

on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="It is about PostgreSQL's protocol."
)


@pytest.fixture(autouse=True)
def _fresh_connection(transactional_db: None) -> Iterator[None]:
    """Close the thread's connection, which a test may have broken, before the tables are emptied through it."""
    yield
    connection.close()


@pytest.fixture
def administrator() -> Iterator[Any]:
    """Yield another connection to the test's database."""
    other = connection.copy()
    yield other
    other.close()


def fetch_one(database: Any, sql: str, *values: Any) -> Any:
    """Return the first column of the first row."""
    with database.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone()[0]


def begin_request() -> None:
    """Do what Django does with the thread's connection when a request begins."""
    connection.close_if_unusable_or_obsolete()


def backend_pid() -> int:
    return fetch_one(connection, "SELECT pg_backend_pid()")


def get_status(client: HTTPConnection, path: str) -> int:
    client.request("GET", path)
    response = client.getresponse()
    response.read()
    return response.status


@on_postgresql
def test_the_request_after_the_server_ended_every_connection_is_answered(
    live_server: Any, administrator: Any
) -> None:
    # One connection of HTTP stays with one thread, and so with that thread's connection to the database.
    client = HTTPConnection(urlsplit(live_server.url).netloc)
    assert get_status(client, "/api/auction-systems") == 200
    ended = fetch_one(
        administrator,
        "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    assert ended >= 1
    assert get_status(client, "/api/auction-systems") == 200
    client.close()


@on_postgresql
def test_a_connection_that_the_server_ended_is_replaced_in_the_next_request(administrator: Any) -> None:
    before = backend_pid()
    fetch_one(administrator, "SELECT pg_terminate_backend(%s, 5000)", before)
    begin_request()
    assert backend_pid() != before


@on_postgresql
def test_a_good_connection_is_kept_without_a_query(administrator: Any) -> None:
    before = backend_pid()
    begin_request()
    assert connection.is_usable()
    last = fetch_one(administrator, "SELECT query FROM pg_stat_activity WHERE pid = %s", before)
    assert last == "SELECT pg_backend_pid()"
    assert backend_pid() == before


@on_postgresql
def test_a_connection_with_an_unread_notice_is_kept(administrator: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("LISTEN news")
    before = backend_pid()
    with administrator.cursor() as cursor:
        cursor.execute("NOTIFY news")
    begin_request()
    assert backend_pid() == before


@on_postgresql
def test_a_connection_whose_statement_failed_is_replaced_in_the_next_request() -> None:
    before = backend_pid()
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
    begin_request()
    assert backend_pid() != before


def test_a_prepared_cursor_reads_values_by_parameters() -> None:
    for value in ("a'b", "%s", "é"):
        with prepared_cursor() as cursor:
            cursor.execute("SELECT CAST(%s AS varchar(10)), 2", [value])
            assert cursor.fetchall() == [(value, 2)]


@on_postgresql
def test_a_prepared_cursor_prepares_a_statement_once_a_connection() -> None:
    for value in range(3):
        with prepared_cursor() as cursor:
            cursor.execute("SELECT %s::int + 1", [value])
            assert cursor.fetchone() == (value + 1,)
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s", ["an ordinary cursor prepares nothing"])
        cursor.execute("SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements")
        assert cursor.fetchall() == [("SELECT $1::int + 1", 3)]


@pytest.mark.parametrize(("value", "threshold"), [("true", 0), ("false", None)])
def test_a_deployment_behind_a_pooling_proxy_can_turn_prepared_statements_off(
    value: str, threshold: int | None
) -> None:
    program = "import json; from config.settings import DATABASES; print(json.dumps(DATABASES['default']))"
    url = "postgres://user@database.example/name?tcp_user_timeout=5000&sslmode=require"
    output = subprocess.run(
        [sys.executable, "-c", program],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url, "PREPARED_STATEMENTS": value},
        capture_output=True,
        check=True,
    ).stdout
    options = json.loads(output)["OPTIONS"]
    assert options["prepare_threshold"] is threshold
    assert (options["tcp_user_timeout"], options["sslmode"]) == (5000, "require")
