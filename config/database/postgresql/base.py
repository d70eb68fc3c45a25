"""Django's backend for PostgreSQL, except that it looks at a connection instead of asking it, and can prepare."""

import select

from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Tell whether the connection works. Ask the server only if it has sent something unasked.

        Django calls this at the first use of a connection in each request, and sends `SELECT 1`: a second round trip.
        A server that ends a connection (a restart, a terminated backend) makes its socket readable, and so does a
        broken network once the keepalives of settings.py have found it. A notice does too, hence the question.

        A connection whose statement failed is never used again: prepared plans could be out of date after a migration.
        """
        if self.connection is None or self.connection.closed or self.errors_occurred:
            return False
        return is_silent(self.connection.fileno()) or super().is_usable()

    def prepared_cursor(self) -> CursorWrapper:
        """Return a cursor whose statements the server keeps prepared. Call config.database.prepared_cursor instead.

        Only OPTIONS["prepare_threshold"] decides whether they are prepared. The ORM's own cursors write the values into
        the text, as Django does by default: PostgreSQL cannot tell the types of some values that the ORM sends apart.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            cursor = base.ServerBindingCursor(self.connection)  # type: ignore[call-arg]  # the stubs know psycopg2
            return self._prepare_cursor(cursor)  # type: ignore[attr-defined]  # the stubs leave it out


def is_silent(descriptor: int) -> bool:
    """Tell whether a socket is open and has nothing to read. It takes about a microsecond."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return not poll.poll(0)
