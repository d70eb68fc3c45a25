"""Transactions that the database broke off, and that are run again, and those that see one moment."""

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

CONFLICTS = frozenset({"40001", "40P01"})
"""SQLSTATE of a serialisation failure and of a deadlock. Nothing of the transaction is stored then."""

MAX_ATTEMPTS = 5
MAX_PAUSE_SECONDS = 0.05
"""The pause before the second attempt is random and at most this long. It doubles with each further attempt."""

logger = logging.getLogger(__name__)


def retry_conflicts(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function that is one transaction, or one statement, run again when it lost to another transaction.

    It must read what it changes itself, since what the first attempt read may have changed. Inside a transaction it
    runs once: PostgreSQL has broken off all of that transaction, so that only the code that began it can run it again.
    SQLite has no such conflicts: it lets one transaction write at a time.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        attempt = 1
        while True:
            try:
                return function(*args, **kwargs)
            except OperationalError as error:
                is_conflict = getattr(error.__cause__, "sqlstate", None) in CONFLICTS
                if attempt == MAX_ATTEMPTS or connection.in_atomic_block or not is_conflict:
                    raise
                logger.info("A transaction is run again.", extra={"fields": {"reason": str(error).strip()}})
            time.sleep(random.uniform(0, MAX_PAUSE_SECONDS * 2 ** (attempt - 1)))  # noqa: S311  (no secret)
            attempt += 1

    return run


def retried_transaction(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function one transaction, which is run again when it lost to another one."""
    return retry_conflicts(transaction.atomic(function))


@contextmanager
def one_snapshot(connection: Any) -> Iterator[None]:
    """Let all statements of the block, which only reads, see one moment. On SQLite nothing is written meanwhile anyway.

    Inside a transaction each statement sees its own moment, as PostgreSQL's default is: a snapshot begins with one.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield
        return
    with transaction.atomic(using=connection.alias):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
