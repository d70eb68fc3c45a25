"""What several measurements use."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import connection


def say(*columns: object) -> None:
    print(*columns, flush=True)  # noqa: T201


@contextmanager
def new_database() -> Iterator[None]:
    """Use a new database on DATABASE_URL's server, with tables and reference data, and delete it after the block."""
    if connection.vendor != "postgresql":
        raise SystemExit("DATABASE_URL must name a PostgreSQL server.")
    name = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = f"bench_{os.getpid()}"
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        call_command("load_reference_data", verbosity=0)
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def spent_ms() -> tuple[float, float]:
    """Return the processor time of this process and of its connection's process of PostgreSQL, both so far."""
    pid = connection.connection.info.backend_pid
    nanoseconds = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
    return time.process_time() * 1000, nanoseconds / 1e6
