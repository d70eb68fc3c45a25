"""Changes that meet: on PostgreSQL one that waits for another to be committed, and on either database many at once."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
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
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            running = pool.submit(run)
            while not running.done() and not is_anybody_waiting():
                time.sleep(0.01)
            assert not running.done(), "The second change did not wait."
        return running.result()


def at_once(calls: Iterable[Callable[[], Result]]) -> list[Result]:
    """Make the calls on eight threads, each on a database connection of its own. Return what they return."""

    def run(call: Callable[[], Result]) -> Result:
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(run, calls))


def is_anybody_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return cursor.fetchone()[0] > 0
