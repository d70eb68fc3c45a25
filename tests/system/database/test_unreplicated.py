"""A commit whose wait for a synchronous standby was cancelled is not acknowledged: a fail-over would lose it.

The monitor ends what waits too long (config/database/monitor.py), and an operator may cancel a statement.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from psycopg import OperationalError

from config.database.postgresql.base import PreparedStatements, WatchedConnection
from config.database.servers import Server as Watched
from tests.system.postgresql_servers import Server, primary

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
INSERT = "INSERT INTO votes VALUES ('up') RETURNING of"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run a primary whose synchronous standby is not there."""
    with primary() as server:
        server.execute("CREATE TABLE votes (of text)")
        server.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        server.execute("SELECT pg_reload_conf()")
        yield server


def in_a_transaction(connection: WatchedConnection) -> None:
    connection.execute("BEGIN")
    connection.execute(INSERT)
    connection.execute("COMMIT")


def by_libpq(connection: WatchedConnection) -> list[tuple[Any, ...]]:
    return PreparedStatements(connection).fetch_rows(INSERT, ())


@pytest.mark.parametrize("write", [lambda connection: connection.execute(INSERT), in_a_transaction, by_libpq])
def test_a_commit_that_no_standby_has_is_an_error(server: Server, write: Callable[[WatchedConnection], object]) -> None:
    with WatchedConnection.connect(server.url(), autocommit=True) as connection, ThreadPoolExecutor() as threads:
        connection.be_watched(Watched())
        writing = threads.submit(write, connection)
        while server.execute(WAITING) != [(1,)]:
            assert not writing.done()
            time.sleep(0.02)
        connection.cancel_statement()
        with pytest.raises(OperationalError, match="no standby has it"):
            writing.result()
        assert connection.execute("SELECT 1").fetchone() == (1,)
