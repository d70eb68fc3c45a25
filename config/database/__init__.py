"""The connection to the database: when it is still good, and how a frequent statement is prepared."""

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from config.database.replicas import reading, reading_connection
from config.database.replicas import replicas as known_replicas  # "replicas" is the module here
from config.database.waits import THREADS_OF_READERS, start_monitor, writers

__all__ = ["bound_waits", "fetch_rows", "reading", "reading_connection"]


def fetch_rows(sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run a hand-written statement that runs often, and return all its rows.

    PostgreSQL parses a statement's text once in each connection and keeps its plan (PREPARED_STATEMENTS). It gets the
    values apart from the text. So the text must be the same each time, with %s for the values only; an unknown type
    needs a cast, as in `%s::text`; and a list is one parameter, `= ANY(%s)` instead of `IN %s`. The plan knows no
    values either: write a LIMIT as a literal.
    """
    connection = reading_connection()
    if (fetch := getattr(connection, "fetch_rows", None)) is not None:
        return fetch(sql, parameters)
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def bound_waits(*, threads: int) -> None:
    """Bound how many of a web process's threads wait for the database, and for how long."""
    writers.permits = max(1, threads - THREADS_OF_READERS)
    if connections[DEFAULT_DB_ALIAS].vendor == "postgresql":
        start_monitor(known_replicas().watch)
