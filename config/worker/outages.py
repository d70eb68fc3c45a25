"""Retry, later each time, while the database (or the solver) is down. Go on after what the database refuses."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

from config.worker.shutdown import ShutdownRequest

logger = logging.getLogger(__name__)

OUTAGE_ERRORS = (OperationalError, InterfaceError)
"""The errors of a database that is down, starting, locked or too slow.

SQLite raises OperationalError for a missing table too.
"""
MAX_BACKOFF_SECONDS = 30
REFUSAL_PAUSE_SECONDS = 5

T = TypeVar("T")


def retry_through_outage(shutdown: ShutdownRequest, action: Callable[[], T]) -> T:
    """Call the action, again and again while the database is down, and return its result.

    The action must be safe to repeat: it may have taken effect although it raised. Raise ShutdownRequested when
    a shutdown is requested between two attempts.
    """
    failures = 0
    while True:
        try:
            return action()
        except OUTAGE_ERRORS as error:
            close_connection(error)
            failures += 1
            back_off(shutdown, error, failures, "The database failed; the worker will try again.")


def close_connection(error: Exception) -> None:
    """Close the connection that raised the error: it would stay broken. The next query opens another one."""
    logger.debug("Connection closed.", exc_info=error)
    connection.close()


def back_off(shutdown: ShutdownRequest, error: Exception, failures: int, message: str) -> None:
    """Log the failure and wait: one second after the first, twice as long after each further one, up to a limit."""
    seconds = min(2 ** min(failures - 1, 10), MAX_BACKOFF_SECONDS)
    fields = {"reason": str(error).strip(), "retryInSeconds": seconds}
    logger.warning(message, extra={"fields": fields})
    shutdown.wait(seconds)


def pause_after_refusal(shutdown: ShutdownRequest, error: DatabaseError) -> None:
    """Log an error of the database that is no outage, a violated constraint say, and wait.

    The line has the traceback, but not the row that PostgreSQL quotes: the formatter takes it out.
    """
    close_connection(error)
    fields = {"pauseSeconds": REFUSAL_PAUSE_SECONDS}
    message = "The database refused a statement; the worker goes on with the next piece of work."
    logger.error(message, exc_info=error, extra={"fields": fields})
    shutdown.wait(REFUSAL_PAUSE_SECONDS)
