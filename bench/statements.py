"""Measure frequent statements run by libpq beside cursors: `DATABASE_URL=… python -m bench.statements` (decision 0017).

The database is one that `dev.py bench` has seeded. Eight threads of this process read a page of twenty boards, or one
board, as fast as they can. Printed is the processor time of this process for one statement, without PostgreSQL's.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import django
from django.db import connection, connections
from django.db.backends.postgresql.base import ServerBindingCursor

from bench.scratch import say

THREADS, STATEMENTS, ROUNDS = 8, 300, 7

django.setup()

# Only now: models need the setup.
from boards.catalogue.statements import Statement, board_statement, newest_page  # noqa: E402
from boards.models import Board  # noqa: E402
from config.database import fetch_rows  # noqa: E402


def by_libpq(statement: Statement) -> None:
    fetch_rows(statement.sql, statement.parameters)


def by_cursor(statement: Statement) -> None:
    connection.ensure_connection()
    with connection._prepare_cursor(ServerBindingCursor(connection.connection)) as cursor:  # type: ignore[call-arg]  # the stubs know psycopg2
        cursor.execute(statement.sql, statement.parameters)
        cursor.fetchall()


def microseconds(pool: ThreadPoolExecutor, read: Callable[[Statement], None], statement: Statement) -> float:
    """Return the processor time of one statement, while all threads read."""

    def work() -> None:
        for _ in range(STATEMENTS):
            read(statement)

    started = time.process_time()
    for done in [pool.submit(work) for _ in range(THREADS)]:
        done.result()
    return (time.process_time() - started) / (THREADS * STATEMENTS) * 1e6


def main() -> None:
    board = Board.objects.published().values_list("pk", flat=True)[0]
    with ThreadPoolExecutor(THREADS) as pool:
        for name, statement in {"page": newest_page([], 0, 20), "board": board_statement(board)}.items():
            rounds = [
                [microseconds(pool, read, statement) for read in (by_libpq, by_cursor)] for _ in range(ROUNDS)
            ]
            libpq, cursor = (median(each) for each in zip(*rounds, strict=True))
            ratio = median(one / other for one, other in rounds)
            say(f"{name}: {libpq:.0f} µs by libpq, {cursor:.0f} by a cursor, {ratio:.2f} of it")
        for done in [pool.submit(connections.close_all) for _ in range(THREADS)]:
            done.result()


if __name__ == "__main__":
    main()
