"""Django's DATABASES, made of the addresses that the environment names. settings.py calls it."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.database.pooling import through_pooler
from config.database.postgresql.options import connection_options
from config.database.replicas import replica_settings

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
