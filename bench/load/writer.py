"""Writers in the background, which commit all the time and change nothing that anybody reads.

An answer that is kept until something is committed is kept for hardly anybody meanwhile. The commits are made inside
PostgreSQL: a client could not make as many as a server answers requests.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg

from bench.load.database import APPLICATION_NAME

SESSIONS = 4
CREATE_TABLE = "CREATE TABLE IF NOT EXISTS bench_commit (session int PRIMARY KEY, number bigint NOT NULL)"
FILL_TABLE = "INSERT INTO bench_commit SELECT generate_series(1, %s), 0 ON CONFLICT DO NOTHING"
COUNT_COMMITS = "SELECT sum(number) FROM bench_commit"
COMMIT_FOR_A_SECOND = """
DO $$
DECLARE until timestamptz := clock_timestamp() + interval '1 second';
BEGIN
    WHILE clock_timestamp() < until LOOP
        UPDATE bench_commit SET number = number + 1 WHERE session = {};
        COMMIT;
        PERFORM pg_sleep(0.0005);
    END LOOP;
END $$
"""


@contextmanager
def committing(beside: psycopg.Connection[Any], say: Callable[[str], None]) -> Iterator[None]:
    """Commit on that connection's database while the block runs, then say how many times a second.

    The processor time of the sessions that do it is not counted.
    """
    beside.execute(CREATE_TABLE)
    beside.execute(FILL_TABLE, (SESSIONS,))
    before, started = count_commits(beside), time.monotonic()
    stopped = threading.Event()
    with ThreadPoolExecutor(SESSIONS) as pool:
        sessions = [pool.submit(commit_until, stopped, number, beside.info) for number in range(1, SESSIONS + 1)]
        try:
            yield
        finally:
            stopped.set()
    for session in sessions:
        session.result()
    rate = (count_commits(beside) - before) / (time.monotonic() - started)
    say(f"Meanwhile {rate:,.0f} transactions a second were committed.")


def count_commits(connection: psycopg.Connection[Any]) -> int:
    (count,) = connection.execute(COUNT_COMMITS).fetchone() or (0,)
    return int(count)


def commit_until(stopped: threading.Event, number: int, info: psycopg.ConnectionInfo) -> None:
    options: dict[str, Any] = {"autocommit": True, "application_name": APPLICATION_NAME}
    with psycopg.connect(info.dsn, password=info.password, **options) as connection:
        connection.execute("SET synchronous_commit = off")  # the disk is not what is measured
        while not stopped.is_set():
            connection.execute(COMMIT_FOR_A_SECOND.format(number).encode())
