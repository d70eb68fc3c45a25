"""Django's backend for PostgreSQL. It looks at a connection instead of asking it, and prepares frequent statements."""

import select
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from config.database.pooling import describe_missing_timeouts
from config.database.postgresql.schema import SchemaEditor

MAX_PREPARED = 100
"""The statements that a connection keeps prepared. Those that were not used for the longest time go."""


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = SchemaEditor
    prepared: "PreparedStatements | None" = None

    def init_connection_state(self) -> None:
        super().init_connection_state()
        if self.settings_dict.get("POOLED") and (problem := describe_missing_timeouts(self.connection)):
            self.close()
            raise OperationalError(problem)

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

    def fetch_rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run a statement that stays prepared, and return its rows. Call config.database.fetch_rows instead.

        Inside a transaction, and where somebody counts or logs statements, a cursor of Django's runs it.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            connection = self.connection
            if self.execute_wrappers or self.queries_logged or not connection.autocommit:
                cursor = base.ServerBindingCursor(connection)  # type: ignore[call-arg]  # the stubs know psycopg2
                with self._prepare_cursor(cursor) as wrapped:  # type: ignore[attr-defined]  # the stubs leave it out
                    wrapped.execute(sql, parameters)
                    return wrapped.fetchall()
            if self.prepared is None or self.prepared.connection is not connection:
                self.prepared = PreparedStatements(connection)
            return self.prepared.fetch_rows(sql, parameters)


class PreparedStatements:
    """Frequent statements of a connection outside a transaction, each run by one call of libpq.

    A cursor of psycopg asks for each piece of an answer that has come, and lets other threads in each time: for a page
    of boards five times. Threads that wait for the interpreter then cost more than the statement. Here a thread lets
    the others in once, until the whole answer is there. Values are adapted by psycopg as always.
    """

    def __init__(self, connection: Connection[Any]) -> None:
        self.connection = connection
        self.transformer = Transformer(connection)
        self.names: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self.made = 0

    def fetch_rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        adapt = self.transformer
        values = adapt.dump_sequence(parameters, [PyFormat.AUTO] * len(parameters))
        types, formats = adapt.types or (), adapt.formats
        pgconn: PGconn = self.connection.pgconn
        if self.connection.prepare_threshold is None:  # PREPARED_STATEMENTS=false
            result = pgconn.exec_params(number_parameters(sql), values, types, formats)
        else:
            name = self.name_of(sql, types)
            result = pgconn.exec_prepared(name, values, formats)  # type: ignore[arg-type]  # a value may be None
        self.check(result, ExecStatus.TUPLES_OK)
        adapt.set_pgresult(result)
        return adapt.load_rows(0, result.ntuples, tuple)

    def name_of(self, sql: str, types: Sequence[int]) -> bytes:
        """Return the name of a statement, which is prepared if it is not yet."""
        key = (sql, types)
        if (name := self.names.get(key)) is not None:
            self.names.move_to_end(key)
            return name
        if len(self.names) >= MAX_PREPARED:
            _, oldest = self.names.popitem(last=False)
            self.check(self.connection.pgconn.exec_(b"DEALLOCATE " + oldest), ExecStatus.COMMAND_OK)
        self.made += 1
        name = b"bridge_%d" % self.made
        self.check(self.connection.pgconn.prepare(name, number_parameters(sql), types), ExecStatus.COMMAND_OK)
        self.names[key] = name
        return name

    def check(self, result: PGresult, expected: ExecStatus) -> None:
        """Raise the error of a statement that failed, and OperationalError when the connection is lost."""
        if result.status == expected:
            return
        pgconn: PGconn = self.connection.pgconn
        if pgconn.status == ConnStatus.BAD:
            raise OperationalError(pgconn.get_error_message())
        raise error_from_result(result)


@lru_cache(maxsize=1024)
def number_parameters(sql: str) -> bytes:
    """Return a statement with $1, $2 … in place of each %s, as PostgreSQL reads it."""
    first, *others = sql.split("%s")
    return "".join([first, *(f"${number}{part}" for number, part in enumerate(others, 1))]).encode()


def is_silent(descriptor: int) -> bool:
    """Tell whether a socket is open and has nothing to read. It takes about a microsecond."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return not poll.poll(0)
