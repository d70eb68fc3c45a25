"""Django's backend for PostgreSQL. It looks at a connection instead of asking it, and prepares frequent statements.

A thread that waits for the server says so, for the monitor (config/database/waits.py).
"""

import os
import select
import socket
import time
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any

import django.db
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from psycopg import Connection, Error, IsolationLevel, OperationalError
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import IdleInTransactionSessionTimeout, ReadOnlySqlTransaction, error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from config.database.configuring import describe_missing_timeouts
from config.database.postgresql.schema import SchemaEditor
from config.database.waits import Server, primary, server_of

NO_SUCH_STATEMENT = b"26000"
MAX_PREPARED = 100
"""The statements that a connection keeps prepared. Those that were not used for the longest time go."""

CANCEL_SECONDS = 1
UNREPLICATED = "SyncRepWaitForLSN"
"""PostgreSQL's function that warns when a commit no longer waits for its standby."""


class WatchedConnection(Connection[Any]):
    """A connection that says since when its thread waits for the server, and can be broken off by another thread."""

    server: Server = primary
    waiting_since = 0.0
    is_pooled = False
    warned_by: set[str | None] = set()
    """PostgreSQL's functions that have sent a notice."""
    handle: int
    release_handle: "weakref.finalize[Any, Any] | None" = None

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> Any:
        """Connect as psycopg does, step by step. Give up once the monitor finds that the server does not answer.

        psycopg has no public way to end an attempt to connect, nor a wait that its own time-outs do not see
        (psycopg/psycopg, issue 1371).
        """
        steps, ready = super()._connect_gen(conninfo), None
        while True:
            cls.require_answers()
            try:
                step = steps.send(ready)  # type: ignore[arg-type]  # the first is None, as for each generator
            except StopIteration as end:
                return end.value
            ready = yield step

    @classmethod
    def require_answers(cls) -> None:
        if cls.server.is_down:
            raise OperationalError("The database does not answer.")

    def be_watched(self, server: Server) -> None:
        """Keep a handle of the socket for `cut`: another file may get the number of libpq's own at any moment."""
        self.server = server
        self.handle = os.dup(self.pgconn.socket)
        self.release_handle = weakref.finalize(self, os.close, self.handle)
        self.handle_lock = Lock()
        warned_by: set[str | None] = set()
        self.add_notice_handler(lambda notice: warned_by.add(notice.source_function))
        self.warned_by = warned_by
        server.add(self)

    def begin_wait(self) -> None:
        """Raise OperationalError while the server does not answer anybody, else note that the thread waits from now."""
        self.require_answers()
        self.waiting_since = time.monotonic()

    def wait(self, *args: Any, **kwargs: Any) -> Any:
        self.begin_wait()
        try:
            result = super().wait(*args, **kwargs)
        except BaseException:
            self.waiting_since = 0.0
            raise
        self.end_wait()
        return result

    def end_wait(self) -> None:
        """Note that the server has answered. Raise OperationalError when no synchronous standby has what was committed.

        PostgreSQL answers a commit whose wait for one was cancelled with success and a warning, and a fail-over would
        lose it (SyncRepWaitForLSN).
        """
        self.waiting_since, self.server.answered_at = 0.0, time.monotonic()
        if UNREPLICATED in self.warned_by:
            self.warned_by.clear()
            raise OperationalError("The change is stored, but no standby has it yet.")

    def is_one_of(self, backends: frozenset[int]) -> bool:
        """Tell whether the server's process of this connection is among these. A pooler hides which one that is."""
        return bool(backends) and (self.is_pooled or self.pgconn.backend_pid in backends)

    def cancel_statement(self) -> None:
        """Ask the server to end the statement that the thread waits for. Do without where that fails."""
        with suppress(Error):
            self.cancel_safe(timeout=CANCEL_SECONDS)

    def cut(self) -> None:
        """Shut the socket down, so that the thread which waits for it has an OperationalError at once."""
        with self.handle_lock:
            if not (self.release_handle and self.release_handle.alive):
                return
            handle = socket.socket(fileno=self.handle)
            with suppress(OSError):  # it is closed on the other side already
                handle.shutdown(socket.SHUT_RDWR)
            handle.detach()

    def close(self) -> None:
        if self.release_handle:
            with self.handle_lock:
                self.release_handle()
        super().close()


class ReplicaConnection(WatchedConnection):
    """A connection to a replica: config.database.replicas says which one answers."""

    server = Server()


class ErrorWrapper(DatabaseErrorWrapper):
    """Django's translation of psycopg's errors, but for those of a server that is of no use at this moment.

    psycopg has them as InternalError: a server that only reads, such as a standby just after a fail-over, and a
    transaction that the server ended because its client was silent. As OperationalError they are answered with 503,
    and the worker tries again, on a new connection.
    """

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is not None and issubclass(kind, ReadOnlySqlTransaction | IdleInTransactionSessionTimeout):
            # The next request has another connection, to the server that writes now: a rollback would forget the error.
            self.wrapper.close_at = 0.0  # type: ignore[attr-defined]  # the stubs leave it out
            raise django.db.OperationalError(*error.args).with_traceback(traceback) from error
        super().__exit__(kind, error, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = SchemaEditor
    prepared: "PreparedStatements | None" = None

    @cached_property
    def wrap_database_errors(self) -> ErrorWrapper:
        return ErrorWrapper(self)

    def get_new_connection(self, conn_params: dict[str, Any]) -> WatchedConnection:
        """Connect with our own class. Django's method would take psycopg's; settings.py has no isolation_level."""
        self.isolation_level = IsolationLevel.READ_COMMITTED
        kind = WatchedConnection if self.alias == DEFAULT_DB_ALIAS else ReplicaConnection
        connection = kind.connect(**conn_params)
        connection.is_pooled = bool(self.settings_dict.get("POOLED"))
        connection.be_watched(server_of(self.alias))
        return connection

    def init_connection_state(self) -> None:
        super().init_connection_state()
        if self.settings_dict.get("POOLED") and (problem := describe_missing_timeouts(self.connection)):
            self.close()
            raise OperationalError(problem)

    def is_usable(self) -> bool:
        """Tell whether the connection works. Ask the server only if it has sent something unasked.

        Django calls this at the first use of a connection in each request, and sends `SELECT 1`: a second round trip. A
        look at the socket takes a microsecond. A server that ends a connection makes it readable, and so does a broken
        network once the keepalives have found it. A notice does too, hence the question.

        A connection whose statement failed is never used again: prepared plans could be out of date after a migration.
        """
        if self.connection is None or self.connection.closed or self.errors_occurred:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        is_silent = not poll.poll(0)
        return is_silent or super().is_usable()

    def fetch_rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run a statement that stays prepared, and return its rows. Call config.database.fetch_rows instead.

        Inside a transaction, and where statements are counted or logged, a cursor of Django's runs it.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            connection = self.connection
            if self.execute_wrappers or self.queries_logged or not connection.autocommit:
                with self.cursor() as cursor:
                    cursor.execute(sql, parameters)
                    return cursor.fetchall()
            if self.prepared is None or self.prepared.connection is not connection:
                self.prepared = PreparedStatements(connection)
            return self.prepared.fetch_rows(sql, parameters)


class PreparedStatements:
    """Frequent statements of a connection outside a transaction, each run by one call of libpq (decision 0017).

    A thread lets the others in once, until the whole answer is there; with a cursor of psycopg, for each piece of it.
    """

    def __init__(self, connection: WatchedConnection) -> None:
        self.connection = connection
        self.transformer = Transformer(connection)
        self.names: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self.made = 0

    def fetch_rows(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        adapt = self.transformer
        values = adapt.dump_sequence(parameters, [PyFormat.AUTO] * len(parameters))
        types, formats = adapt.types or (), adapt.formats
        pgconn: PGconn = self.connection.pgconn
        self.connection.begin_wait()
        try:
            if self.connection.prepare_threshold is None:  # PREPARED_STATEMENTS=false
                result = pgconn.exec_params(number_parameters(sql), values, types, formats)
            else:
                name = self.name_of(sql, types)
                result = pgconn.exec_prepared(name, values, formats)  # type: ignore[arg-type]  # a value may be None
                if result.error_field(DiagnosticField.SQLSTATE) == NO_SUCH_STATEMENT:
                    self.names.clear()  # psycopg deallocates all statements when a transaction is rolled back
                    name = self.name_of(sql, types)
                    result = pgconn.exec_prepared(name, values, formats)  # type: ignore[arg-type]  # the same
            self.check(result, ExecStatus.TUPLES_OK)
        finally:
            self.connection.waiting_since = 0.0
        self.connection.end_wait()
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
            self.connection.pgconn.exec_(b"DEALLOCATE " + oldest)  # fails when it is gone already
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
