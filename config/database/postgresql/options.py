"""The time-outs of a connection to PostgreSQL, all of them in one place."""

from typing import Any

STATEMENT_SECONDS = 60
IDLE_IN_TRANSACTION_SECONDS = 60


def connection_options(of_url: dict[str, Any], *, lock_seconds: int, prepare: bool) -> dict[str, Any]:
    """Return Django's OPTIONS for PostgreSQL. The parameters of DATABASE_URL win over those of this client's side.

    Three parties end a wait. This side: an attempt to connect after five seconds, in which a busy server can begin a
    process. The kernel: a connection whose host takes nothing any more, after three. The server: a statement, a wait
    for a lock, a transaction whose client has vanished. A server that is frozen does none of that, and nobody should
    wait five seconds for it: config.database.waits ends both waits.
    """
    return {
        "connect_timeout": 5,  # it counts for each address of the host
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 3_000,
        **of_url,
        "options": server_timeouts(lock_seconds),
        # For config.database.fetch_rows alone: the ORM's statements are never prepared.
        "prepare_threshold": 0 if prepare else None,
    }


def server_timeouts(lock_seconds: int) -> str:
    """Return what the server is told when a connection begins. A proxy that shares connections may not pass it on."""
    seconds = {
        "lock_timeout": lock_seconds,
        "statement_timeout": STATEMENT_SECONDS,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_SECONDS,
    }
    return " ".join(f"-c {name}={value}s" for name, value in seconds.items())
