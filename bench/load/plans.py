"""The plans of all statements behind each read: `python3 dev.py bench --plans --sizes 1000000`.

PostgreSQL's auto_explain sends the plan of each statement to the session that asked for it. A sequential scan of a
large table fails the run.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from bench.load.cases import make_cases, read_contents
from bench.load.servers import ROOT, service_environment
from bench.load.table import markdown

MIN_ROWS_OF_LARGE_TABLE = 10_000
EXPLAIN = """
LOAD 'auto_explain';
SET auto_explain.log_level = 'notice';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_nested_statements = on;
"""
LARGE_TABLES = "SELECT relname FROM pg_class WHERE relkind IN ('r', 'm') AND reltuples >= %s"
HEADER = ("case", "statements", "scans of tables", "remark")


def check_plans(url: str) -> None:
    """Print the scans behind each page, in a process with the service's settings. Exit when one is sequential."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.load.plans", url], cwd=ROOT, env=service_environment(url), check=False
    )
    if done.returncode:
        sys.exit(done.returncode)


def main(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        large = {row[0] for row in connection.execute(LARGE_TABLES, (MIN_ROWS_OF_LARGE_TABLE,))}
        cases = make_cases(read_contents(connection))
    rows, failed = [HEADER], False
    with collected_plans() as plans:
        for case in cases:
            if case.is_json and not case.make_votes:
                plans.clear()
                request(case.paths[0])
                sequential = sorted(set().union(*map(sequential_scans, plans)) & large)
                failed = failed or bool(sequential)
                scans = sorted(set().union(*map(all_scans, plans)))
                remark = f"SEQUENTIAL: {', '.join(sequential)}" if sequential else ""
                rows.append((case.name, str(len(plans)), "; ".join(scans), remark))
    print(markdown(rows))  # noqa: T201
    if failed:
        sys.exit("A large table is read from its beginning to its end.")


@contextmanager
def collected_plans() -> Iterator[list[str]]:
    """Yield the list that the plans of this process's statements are added to, by whatever connection they go."""
    plans: list[str] = []
    original = psycopg.Connection.connect

    def connect(*arguments: Any, **options: Any) -> psycopg.Connection[Any]:
        connection = original(*arguments, **options)
        connection.add_notice_handler(lambda notice: add_plan(notice.message_primary or ""))
        autocommit, connection.autocommit = connection.autocommit, True
        connection.execute(EXPLAIN)
        connection.autocommit = autocommit
        return connection

    def add_plan(message: str) -> None:
        if "plan:" in message:
            plans.append(message)

    psycopg.Connection.connect = connect  # type: ignore[method-assign]
    psycopg.connect = connect
    try:
        yield plans
    finally:
        psycopg.Connection.connect = original  # type: ignore[method-assign]
        psycopg.connect = original


def request(path: str) -> None:
    from django.test import Client

    response = Client(SERVER_NAME=os.environ["ALLOWED_HOSTS"]).get(path)
    if response.status_code != 200:
        raise SystemExit(f"The service answers {path} with {response.status_code}.")


def sequential_scans(plan: str) -> set[str]:
    return set(re.findall(r"Seq Scan on (\w+)", plan))


def all_scans(plan: str) -> set[str]:
    """Return each table's scan and its index, such as `Index Scan boards_board_newest`."""
    named = re.findall(r"(\w+(?: \w+)* Scan)(?: Backward)? (?:using (\w+) )?on (\w+)", plan)
    return {f"{kind.removeprefix('Parallel ')} {index or table}" for kind, index, table in named}


if __name__ == "__main__":
    main(sys.argv[1])
