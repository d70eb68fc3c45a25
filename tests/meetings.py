"""Changes that meet: on PostgreSQL one that waits for another to be committed, and on either database many at once."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

from django.db import connection, connections, transaction

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"

Action = Callable[[], Any]
Result = TypeVar("Result")


def during(first: Action, second: Action) -> Any:
    """Return what `second` returns, or its error, if it begins before `first` is committed."""

    def run() -> Any:
        try:
            return second()
        except Exception as error:  # the test expects or refuses it
            return error

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            running = pool.submit(in_own_connection, run)
            while not running.done() and not is_anybody_waiting():
                time.sleep(0.01)
            assert not running.done(), "The second change did not wait."
        return running.result()


def at_once(calls: Iterable[Callable[[], Result]], threads: int = 8) -> list[Result]:
    """Make the calls on so many threads, the first ones together. Return what they return, in order."""
    calls = list(calls)
    threads = min(len(calls), threads)
    with ThreadPoolExecutor(threads, initializer=Barrier(threads).wait) as pool:
        return list(pool.map(in_own_connection, calls))


def in_own_connection(call: Callable[[], Result]) -> Result:
    """Make the call and close the connections that the thread has opened for it."""
    try:
        return call()
    finally:
        connections.close_all()


def is_anybody_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return cursor.fetchone()[0] > 0
