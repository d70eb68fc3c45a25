"""Advisory locks: locks of names and numbers, for what only one process or transaction may do at a time."""

import fcntl
import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection, connections

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 0.2


@contextmanager
def hold_advisory_lock(name: str) -> Iterator[None]:
    """Hold the lock during the block. Wait until no other process on this database holds it, on whatever machine.

    The lock ends with the process, also by kill -9. On PostgreSQL it is a lock of a transaction on a connection of its
    own: a lock of a session would stay behind in a pool of transactions. On SQLite the database's folder is locked,
    whatever the name is, so blocks must not be nested.
    """
    with _lock_on_postgresql(name) if connection.vendor == "postgresql" else _lock_on_sqlite() as try_to_lock:
        if not try_to_lock():
            logger.info("Waiting for another process.", extra={"fields": {"lock": name}})
            # A statement that waits would end with lock_timeout or statement_timeout.
            while not try_to_lock():
                time.sleep(PAUSE_SECONDS)
        yield


def lock_until_commit(key: int) -> None:
    """Wait until no other transaction holds this lock, and hold it until the commit.

    On SQLite nothing is locked: it lets one transaction write at a time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


@contextmanager
def _lock_on_postgresql(name: str) -> Iterator[Callable[[], bool]]:
    key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)

    with closing(connections.create_connection(connection.alias)) as own, own.cursor() as cursor:
        # It has no snapshot while it waits, so neither VACUUM nor CREATE INDEX CONCURRENTLY waits for it.
        cursor.execute("BEGIN")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")

        def try_to_lock() -> bool:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key])
            return bool(cursor.fetchone()[0])

        yield try_to_lock


@contextmanager
def _lock_on_sqlite() -> Iterator[Callable[[], bool]]:
    name = Path(connection.settings_dict["NAME"])
    folder = os.open(name.parent, os.O_RDONLY)

    def try_to_lock() -> bool:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    try:
        yield try_to_lock
    finally:
        os.close(folder)
