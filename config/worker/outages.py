"""Waiting for what is down: the database, or the solver."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

from config.worker.shutdown import Stop

logger = logging.getLogger(__name__)

OUTAGES = (OperationalError, InterfaceError)
LONGEST_PAUSE = 30

T = TypeVar("T")


def insist(stop: Stop, action: Callable[[], T]) -> T:
    """The action on the database, again and again through an outage: work that is done is worth waiting for.

    It may have happened although it failed, so it must bear repeating. Stopping when that is asked for.
    """
    pauses = 0
    while True:
        try:
            return action()
        except OUTAGES as error:
            disconnect(error)
            pauses += 1
            pause_after(stop, error, pauses, "The database does not answer.")


def disconnect(error: Exception) -> None:
    """A broken connection stays broken until it is closed; the next query opens another."""
    logger.debug("Connection closed.", exc_info=error)
    connection.close()


def pause_after(stop: Stop, error: Exception, pauses: int, message: str) -> None:
    """Log it and wait: a second before the first repetition, twice as long before each further one."""
    seconds = min(2 ** min(pauses - 1, 10), LONGEST_PAUSE)
    fields = {"reason": str(error).strip(), "againInSeconds": seconds}
    logger.warning(message, extra={"fields": fields})
    stop.pause(seconds)
