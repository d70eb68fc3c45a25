"""How migrations change a schema of PostgreSQL."""

from typing import Any

from django.db import NotSupportedError
from django.db.backends.postgresql.schema import DatabaseSchemaEditor


class SchemaEditor(DatabaseSchemaEditor):
    """Let the statements of a migration take as long as they need: the time limit is for requests.

    lock_timeout stays. All requests queue behind a migration that waits for its lock, so it had better fail and be run
    again.
    """

    is_lifted = False

    def __enter__(self) -> "SchemaEditor":
        super().__enter__()
        if self.collect_sql:  # nothing is run: the statements are only shown
            return self
        if self.connection.in_atomic_block:
            self.execute("SET LOCAL statement_timeout = 0")
        elif self.connection.settings_dict.get("POOLED"):
            raise NotSupportedError(
                "A migration that is not atomic cannot lift the time limit of a pooled connection alone: run `migrate`"
                " with DATABASE_POOLED=false and the DATABASE_URL of PostgreSQL itself."
            )
        else:
            self.execute("SET statement_timeout = 0")
            self.is_lifted = True
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        super().__exit__(exc_type, exc_value, traceback)
        if self.is_lifted and not exc_type:
            self.execute("RESET statement_timeout")
