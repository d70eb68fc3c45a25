"""A replica that stayed with the old primary in a fail-over is told from one that followed the new one (decision 0031).

Two primaries go on writing, as they do when the old one was only cut off. No service runs here: the questions that it
asks are asked of real servers, by a role without privileges and by one that may see what a standby receives.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg import OperationalError

from config.database.postgresql.base import PreparedStatements, WatchedConnection
from config.database.replicas import REPLAYED, WRITTEN, LogPosition
from config.database.waits import Server as Watched
from tests.system.deployment import wait_until
from tests.system.postgresql_servers import Server, primary, replica_of, wait_until_replayed


@dataclass
class FailOver:
    """An old primary and the replica that it has left, and the one that was promoted with the replica that followed."""

    old: Server
    stayed: Server
    promoted: Server
    followed: Server


@pytest.fixture(scope="module")
def after() -> Iterator[FailOver]:
    with primary() as old, replica_of(old) as stayed, replica_of(old) as promoted:
        old.execute("CREATE ROLE reader LOGIN")
        old.execute("CREATE ROLE watcher LOGIN IN ROLE pg_read_all_stats")
        old.execute("CREATE TABLE votes (of text)")
        wait_until_replayed(old, [stayed, promoted])
        with replica_of(promoted) as followed:
            promoted.promote()
            old.execute("INSERT INTO votes VALUES ('lost')")
            promoted.execute("INSERT INTO votes VALUES ('kept')")
            wait_until_replayed(old, [stayed])
            wait_until_replayed(promoted, [followed])
            yield FailOver(old, stayed, promoted, followed)


def ask(server: Server, question: str, role: str) -> LogPosition:
    with psycopg.connect(server.url().replace("boards@", f"{role}@"), autocommit=True) as connection:
        ((timeline, position),) = connection.execute(question).fetchall()
    return LogPosition(int(timeline), position)


def replayed_timelines(after: FailOver, role: str) -> tuple[int, int]:
    """Return the timelines of the replica that stayed and of the one that followed."""
    return ask(after.stayed, REPLAYED, role).timeline, ask(after.followed, REPLAYED, role).timeline


def test_a_primary_says_its_timeline_and_who_sees_what_a_standby_receives_tells_two_replicas_apart(
    after: FailOver,
) -> None:
    for role in ("reader", "watcher"):
        assert [ask(each, WRITTEN, role).timeline for each in (after.old, after.promoted)] == [1, 2]
    assert replayed_timelines(after, "watcher") == (1, 2)


def test_a_role_without_privileges_never_takes_the_one_that_stayed_for_one_that_followed(after: FailOver) -> None:
    """The one that followed is known after its next checkpoint, five minutes later at most by default."""
    assert replayed_timelines(after, "reader") == (1, 1)
    after.promoted.execute("CHECKPOINT")
    wait_until_replayed(after.promoted, [after.followed])
    for replica in (after.stayed, after.followed):
        replica.execute("CHECKPOINT")
    assert replayed_timelines(after, "reader") == (1, 2)


def test_the_one_that_stayed_is_still_told_apart_when_it_asks_the_new_primary_or_nobody(after: FailOver) -> None:
    """PostgreSQL refuses to follow: what it has was never on the new timeline."""
    for place in (f"host=127.0.0.1 port={after.promoted.port} user=boards", ""):
        after.stayed.execute(f"ALTER SYSTEM SET primary_conninfo = '{place}'")
        after.stayed.execute("SELECT pg_reload_conf()")
        wait_until(lambda: after.stayed.execute("SELECT status FROM pg_stat_wal_receiver") != [("streaming",)])
        assert {ask(after.stayed, REPLAYED, role).timeline for role in ("reader", "watcher")} == {1}
    assert after.stayed.execute("SELECT of FROM votes") == [("lost",)]
    assert after.followed.execute("SELECT of FROM votes") == [("kept",)]


# --- A commit that no standby has ------------------------------------------------------------------------------------


WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
INSERT = "INSERT INTO votes VALUES ('up') RETURNING of"


def in_a_transaction(connection: WatchedConnection) -> None:
    connection.execute("BEGIN")
    connection.execute(INSERT)
    connection.execute("COMMIT")


def by_libpq(connection: WatchedConnection) -> list[tuple[Any, ...]]:
    return PreparedStatements(connection).fetch_rows(INSERT, ())


WRITES: tuple[Callable[[WatchedConnection], object], ...] = (
    lambda connection: connection.execute(INSERT),
    in_a_transaction,
    by_libpq,
)


def test_a_commit_that_no_standby_has_is_an_error() -> None:
    with primary(synchronous_standby_names="nobody") as server:
        server.execute("SET synchronous_commit = local; CREATE TABLE votes (of text)")
        for write in WRITES:
            with WatchedConnection.connect(server.url(), autocommit=True) as connection, ThreadPoolExecutor() as pool:
                connection.be_watched(Watched())
                writing = pool.submit(write, connection)
                wait_until(lambda: server.execute(WAITING) == [(1,)])
                connection.cancel_statement()
                with pytest.raises(OperationalError, match="no standby has it"):
                    writing.result()
                assert connection.execute("SELECT 1").fetchone() == (1,)
