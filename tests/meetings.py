"""A change that meets another one on PostgreSQL: it begins before the other is committed, and waits for it."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, connections, transaction

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"

Action = Callable[[], Any]


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


def is_anybody_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return cursor.fetchone()[0] > 0
