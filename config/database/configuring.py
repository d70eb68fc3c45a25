"""Django's DATABASES, made of the addresses that the environment names. settings.py calls it.

Behind a pooler of transactions nothing may be left on a connection when a transaction ends: decision 0032.
"""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS

STATEMENT_SECONDS = 60
IDLE_IN_TRANSACTION_SECONDS = 60
TIMEOUTS = "SELECT name FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout') AND setting = '0'"


def through_pooler(database: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a database as they must be behind a pooler of transactions.

    A pooler refuses the start-up parameter `options`, which has the time-outs. The pooler or the role must set them
    instead; `describe_missing_timeouts` checks each new connection.
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

    Without them a wait for a lock has no end. Asking on each connection, and not once at the start, also finds a pooler
    that was replaced.
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
"""Our own kinds of Django's backends. What they add is in this folder."""


def configure(
    primary: dict[str, Any], replicas: Sequence[dict[str, Any]], *, lock_seconds: int, prepare: bool, pooled: bool
) -> dict[str, dict[str, Any]]:
    """Return the databases by alias: `default`, and `replica1` and so on. Each address is given as parsed from its URL.

    Raise ImproperlyConfigured for a pooler or replicas of anything but PostgreSQL.
    """
    options: dict[str, Any] = SQLITE_OPTIONS
    if "postgresql" in primary["ENGINE"]:
        options = connection_options(primary.get("OPTIONS", {}), lock_seconds=lock_seconds, prepare=prepare)
    elif pooled or replicas:
        raise ImproperlyConfigured("A pooler and replicas need PostgreSQL: DATABASE_URL must lead to one.")
    default = {
        **primary,
        "ENGINE": BACKENDS.get(primary["ENGINE"], primary["ENGINE"]),
        "OPTIONS": options,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
    databases = {"default": through_pooler(default) if pooled else default}
    for number, replica in enumerate(replicas, 1):
        # Address and parameters of its URL, and all else as the primary has it.
        address = {name: replica[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
        options = {**default["OPTIONS"], "connect_timeout": 2, **replica.get("OPTIONS", {})}
        databases[f"replica{number}"] = {**default, **address, "OPTIONS": options, "TEST": {"MIRROR": DEFAULT_DB_ALIAS}}
    return databases


def connection_options(of_url: dict[str, Any], *, lock_seconds: int, prepare: bool) -> dict[str, Any]:
    """Return Django's OPTIONS for PostgreSQL. The parameters of DATABASE_URL win over those of this client's side.

    Three parties end a wait. This side: an attempt to connect after five seconds, in which a busy server can begin a
    process. The kernel: a connection whose host takes nothing any more, after three. The server: a statement, a wait
    for a lock, a transaction whose client has vanished. A server that is frozen does none of that, and nobody should
    wait five seconds for it: config.database.waits ends both waits.
    """
    seconds = {
        "lock_timeout": lock_seconds,
        "statement_timeout": STATEMENT_SECONDS,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_SECONDS,
    }
    return {
        "connect_timeout": 5,  # it counts for each address of the host
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 3_000,
        **of_url,
        "options": " ".join(f"-c {name}={value}s" for name, value in seconds.items()),
        # For config.database.fetch_rows alone: the ORM's statements are never prepared.
        "prepare_threshold": 0 if prepare else None,
    }
