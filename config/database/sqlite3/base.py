"""Django's backend for SQLite. It waits for the lock of a writer in short steps, and so knows of each that waits."""

import sqlite3
import time
from typing import Any

from django.conf import settings
from django.db.backends.sqlite3 import base

from config.database.waits import writers

STEP_SECONDS = 0.5


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        """Let SQLite itself wait for one step only. PatientCursor waits for the rest."""
        return {**super().get_connection_params(), "timeout": STEP_SECONDS}

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=PatientCursor)


class PatientCursor(base.SQLiteCursorWrapper):
    """A cursor that waits up to LOCK_WAIT_SECONDS for the lock, and is counted from the second step on."""

    def execute(self, query: str, params: Any = None) -> Any:
        try:
            return super().execute(query, params)
        except sqlite3.OperationalError as error:
            # Inside a transaction the lock is there already, or what was read is out of date: waiting helps nobody.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or self.connection.in_transaction:
                raise
            with writers.waiting_for_lock():
                return self.execute_patiently(query, params)

    def execute_patiently(self, query: str, params: Any) -> Any:
        deadline = time.monotonic() + settings.LOCK_WAIT_SECONDS - STEP_SECONDS
        while True:
            try:
                return super().execute(query, params)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
