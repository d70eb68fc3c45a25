"""Connections to PostgreSQL that the server has ended are replaced, and frequent statements are prepared once."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import (
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
    connections,
    transaction,
)
from pytest import MonkeyPatch

from config.database import fetch_rows
from config.database.postgresql.base import MAX_PREPARED

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="It is about PostgreSQL's protocol.")


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


def end_backend(administrator: Any) -> int:
    """Let the server end the thread's connection. Return the pid that it had."""
    pid = backend_pid()
    fetch_one(administrator, "SELECT pg_terminate_backend(%s, 5000)", pid)
    return pid


def test_the_request_after_the_server_ended_every_connection_is_answered(live_server: Any, administrator: Any) -> None:
    # One connection of HTTP stays with one thread, and so with that thread's connection to the database.
    client = HTTPConnection(urlsplit(live_server.url).netloc)
    for _ in range(2):
        client.request("GET", "/api/auction-systems")
        response = client.getresponse()
        assert (response.status, bool(response.read())) == (200, True)
        ended = fetch_one(
            administrator,
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        assert ended >= 1
    client.close()


def test_a_connection_that_the_server_ended_is_an_operational_error_and_replaced_in_the_next_request(
    administrator: Any,
) -> None:
    for attempts in (0, 2):
        before = end_backend(administrator)
        for _ in range(attempts):
            with pytest.raises(OperationalError):
                fetch_rows("SELECT pg_backend_pid()")
        begin_request()
        assert backend_pid() != before


def test_a_good_connection_is_kept_without_a_query_also_with_an_unread_notice(administrator: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("LISTEN news")
    before = backend_pid()
    begin_request()
    assert connection.is_usable()
    last = fetch_one(administrator, "SELECT query FROM pg_stat_activity WHERE pid = %s", before)
    assert last == "SELECT pg_backend_pid()"
    with administrator.cursor() as cursor:
        cursor.execute("NOTIFY news")
    begin_request()
    assert backend_pid() == before


def test_a_statement_is_prepared_once_a_connection_and_not_behind_a_pooling_proxy(monkeypatch: MonkeyPatch) -> None:
    prepared = "SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements"
    for threshold, expected in ((None, []), (0, [("SELECT $1::int + 1", 3)])):
        connection.ensure_connection()
        monkeypatch.setattr(connection.connection, "prepare_threshold", threshold)
        for value in range(3):
            assert fetch_rows("SELECT %s::int + 1", [value]) == [(value + 1,)]
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s", ["an ordinary cursor prepares nothing"])
            cursor.execute(prepared)
            assert cursor.fetchall() == expected


def test_a_statement_belongs_to_the_transaction_around_it() -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL application_name = 'inside'")
        assert fetch_rows("SHOW application_name") == [("inside",)]
    assert fetch_rows("SHOW application_name") != [("inside",)]


def test_a_statement_is_prepared_again_after_a_rollback() -> None:
    """psycopg deallocates all statements of the connection then, ours too."""
    for rows in (1, MAX_PREPARED):
        for number in range(rows):
            assert fetch_rows(f"SELECT {number}, %s::int", [1]) == [(number, 1)]
        with suppress(ZeroDivisionError), transaction.atomic():
            assert fetch_rows("SELECT %s::int + 1", [1]) == [(2,)]
            raise ZeroDivisionError
        assert fetch_rows("SELECT 'another', %s::int", [1]) == [("another", 1)]
        assert fetch_rows("SELECT 0, %s::int", [2]) == [(0, 2)]


def test_a_connection_keeps_a_limited_number_of_statements() -> None:
    for number in range(MAX_PREPARED + 20):
        assert fetch_rows(f"SELECT {number}, %s::text", ["x"]) == [(number, "x")]
        assert fetch_rows("SELECT %s::int", [7]) == [(7,)]
    assert fetch_one(connection, "SELECT count(*) FROM pg_prepared_statements") == MAX_PREPARED
    kept = fetch_one(connection, "SELECT count(*) FROM pg_prepared_statements WHERE statement = %s", "SELECT $1::int")
    assert kept == 1, "the one that is used all the time"


def test_a_statement_that_fails_raises_django_s_error_and_the_next_request_has_a_new_connection() -> None:
    for sql, error in {
        "SELECT nothing FROM nowhere": ProgrammingError,
        "SELECT 1 / %s::int": DataError,
        "INSERT INTO themes_labelrevision SELECT NULL, NULL FROM (SELECT %s::int) AS one": IntegrityError,
    }.items():
        before = fetch_rows("SELECT pg_backend_pid()")
        with pytest.raises(error):
            fetch_rows(sql, [0] if "%s" in sql else [])
        begin_request()
        assert (fetch_rows("SELECT pg_backend_pid()") == before) == (error in (DataError, IntegrityError))


def test_the_time_outs_of_the_server_are_in_force() -> None:
    limits = {"lock_timeout": "20s", "statement_timeout": "1min", "idle_in_transaction_session_timeout": "1min"}
    assert {name: fetch_one(connection, f"SHOW {name}") for name in limits} == limits


def write_where_it_is_forbidden() -> None:
    with transaction.atomic():
        fetch_rows("SELECT set_config('transaction_read_only', 'on', true)")
        fetch_rows("INSERT INTO themes_labelrevision SELECT 2, 'x' WHERE %s RETURNING 1", [False])


def be_silent_for_too_long() -> None:
    with transaction.atomic():
        fetch_rows("SELECT set_config('idle_in_transaction_session_timeout', '50', true)")
        time.sleep(0.5)
        fetch_rows("SELECT 1")


@pytest.mark.parametrize("action", [write_where_it_is_forbidden, be_silent_for_too_long])
def test_what_a_server_cannot_do_now_is_an_operational_error(action: Callable[[], None]) -> None:
    """So it is answered with 503, the worker tries again, and the next request has a new connection."""
    before = backend_pid()
    with pytest.raises(OperationalError):
        action()
    begin_request()
    assert backend_pid() != before


def test_other_threads_run_while_a_statement_does() -> None:
    """Each statement waits for the lock that the other thread holds until it has seen this one wait."""
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    fetch_rows("SELECT pg_advisory_lock(5202)")
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(fetch_rows, "SELECT pg_advisory_lock(5202)")
        while fetch_rows(waiting) == [(0,)]:
            assert not other.done()
        fetch_rows("SELECT pg_advisory_unlock(5202)")
        other.result()
        pool.submit(connections.close_all).result()  # that thread's
