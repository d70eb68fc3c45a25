"""A writer in the background, which commits all the time and changes nothing that anybody reads.

An answer that is kept until something is committed is kept for nobody meanwhile. The commits are made inside
PostgreSQL: a client could not make as many as a server answers requests.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from bench.load.database import APPLICATION_NAME

CREATE_TABLE = "CREATE TABLE IF NOT EXISTS bench_commit AS SELECT 0::bigint AS number"
COMMIT_FOR_A_SECOND = """
DO $$
DECLARE until timestamptz := clock_timestamp() + interval '1 second';
BEGIN
    WHILE clock_timestamp() < until LOOP
        UPDATE bench_commit SET number = number + 1;
        COMMIT;
        PERFORM pg_sleep(0.0002);
    END LOOP;
END $$
"""


@contextmanager
def committing(beside: psycopg.Connection[Any]) -> Iterator[None]:
    """Commit some thousand times a second on that connection's database while the block runs.

    Its session's processor time is not counted.
    """
    stopped = threading.Event()
    info = beside.info
    with psycopg.connect(
        info.dsn, password=info.password, autocommit=True, application_name=APPLICATION_NAME
    ) as connection:
        connection.execute(CREATE_TABLE)
        connection.execute("SET synchronous_commit = off")  # the disk is not what is measured
        writer = threading.Thread(target=commit_until, args=(connection, stopped), daemon=True)
        writer.start()
        try:
            yield
        finally:
            stopped.set()
            writer.join()


def commit_until(connection: psycopg.Connection, stopped: threading.Event) -> None:
    while not stopped.is_set():
        connection.execute(COMMIT_FOR_A_SECOND)
