"""Tasks for tests. Files stand for the world outside the database."""

import os
import signal
import time
from pathlib import Path

from django_tasks import TaskContext, task


@task
def add(one: int, other: int) -> int:
    return one + other


@task(takes_context=True)
def count_attempts(context: TaskContext) -> int:
    return context.attempt


@task
def append_line(path: str, line: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{line}\n")


@task
def raise_value_error() -> None:
    raise ValueError("No.")


@task
def terminate_when(path: str) -> None:
    """Send SIGTERM to its own process as soon as the file exists."""
    while not Path(path).exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGTERM)


@task
def return_no_json() -> object:
    return object()


def not_a_task() -> None: ...
