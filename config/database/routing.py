"""Which database a thread reads from: the primary, but for public reads that a replica answers (decision 0031)."""

import threading
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


class Reading(threading.local):
    """The database that this thread reads from, by its alias."""

    alias = DEFAULT_DB_ALIAS


reading = Reading()


def reading_connection() -> Any:
    """Return the connection to the database that this thread reads from."""
    return connections[reading.alias]


class Router:
    """Let the ORM read from the database of this thread's request. All else is the primary's."""

    def db_for_read(self, model: type, **hints: Any) -> str:
        return reading.alias

    def db_for_write(self, model: type, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS
