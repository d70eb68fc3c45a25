"""What a connection through a pooler of transactions, such as PgBouncer in that mode, may do (decision 0032).

Two transactions of one client may run on two connections of the server, and others use these in between. So nothing may
be left on a connection when a transaction ends: no setting, prepared statement, cursor, temporary table, LISTEN or
session-level advisory lock. SET LOCAL, pg_advisory_xact_lock and row locks end with their transaction: they are right.
"""

from typing import Any

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
