"""Django's DATABASES, made of the addresses that the environment names. settings.py calls it.

Behind a pooler of transactions, such as PgBouncer in that mode (decision 0032), two transactions of one client may run
on two connections of the server, and others use these in between. So nothing may be left on a connection when a
transaction ends: no setting, prepared statement, cursor, temporary table, LISTEN or session-level advisory lock. SET
LOCAL, pg_advisory_xact_lock and row locks end with their transaction: they are right.
"""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.database.postgresql.options import connection_options
from config.database.replicas import replica_settings

TIMEOUTS = "SELECT name FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout') AND setting = '0'"


def through_pooler(database: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a database as they must be behind a pooler of transactions.

    A pooler refuses the start-up parameter `options`, which has the time-outs. It, or the role, has to set them
    instead: `describe_missing_timeouts` is asked about each new connection.
    """
    options = {name: value for name, value in database["OPTIONS"].items() if name != "options"}
    return {
        **database,
        "OPTIONS": {**options, "prepare_threshold": None},
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "POOLED": True,
    }


def describe_missing_timeouts(connection: Any) -> str:
    """Return what to do when lock_timeout or statement_timeout is not in force on this connection of psycopg, or "".

    Without them a wait for a lock has no end. To ask on each connection, and not once at the start, also finds a pooler
    that was set up anew.
    """
    missing = " and ".join(sorted(name for (name,) in connection.execute(TIMEOUTS)))
    return missing and (
        f"DATABASE_POOLED is on, and {missing} of the pooled connection is 0: a wait could be endless. Set both in"
        " PgBouncer (connect_query) or for the role (ALTER ROLE … SET), as deploy/pgbouncer/pgbouncer.ini does."
    )


SQLITE_OPTIONS = {
    # Without IMMEDIATE a transaction that reads before it writes fails at once instead of waiting its turn.
    "transaction_mode": "IMMEDIATE",
    # FULL: what was acknowledged is on the disk, also when the power fails. NORMAL would lose the latest writes.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
BACKENDS = {
    "django.db.backends.postgresql": "config.database.postgresql",
    "django.db.backends.sqlite3": "config.database.sqlite3",
}
"""Our own kinds of Django's backends. What they add stands in this folder."""


def configure(
    primary: dict[str, Any], replicas: Sequence[dict[str, Any]], *, lock_seconds: int, prepare: bool, pooled: bool
) -> dict[str, dict[str, Any]]:
    """Return the databases by alias: `default`, and `replica1` and so on. Each address is given as parsed from its URL.

    Raise ImproperlyConfigured for a pooler or replicas of anything but PostgreSQL.
    """
    is_postgresql = "postgresql" in primary["ENGINE"]
    if (pooled or replicas) and not is_postgresql:
        raise ImproperlyConfigured("A pooler and replicas are PostgreSQL's: DATABASE_URL must be one of it.")
    options = (
        connection_options(primary.get("OPTIONS", {}), lock_seconds=lock_seconds, prepare=prepare)
        if is_postgresql
        else SQLITE_OPTIONS
    )
    default = {
        **primary,
        "ENGINE": BACKENDS.get(primary["ENGINE"], primary["ENGINE"]),
        "OPTIONS": options,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
    databases = {"default": through_pooler(default) if pooled else default}
    for number, replica in enumerate(replicas, 1):
        databases[f"replica{number}"] = replica_settings(default, replica)
    return databases
