"""Tasks for tests. Folders and files stand for the world outside the database."""

import os
import signal
import time
from pathlib import Path

from django_tasks import TaskContext, task


@task
def add(one: int, other: int) -> int:
    return one + other


@task(takes_context=True)
def count_tries(context: TaskContext) -> int:
    return context.attempt


@task
def note(path: str, line: str) -> None:
    with Path(path).open("a") as file:
        file.write(f"{line}\n")


@task
def refuse() -> None:
    raise ValueError("No.")


@task
def hang_once(folder: str) -> str:
    """The first call tells its process and hangs; the next is done."""
    begun = Path(folder) / "begun"
    if begun.exists():
        return "done"
    partial = begun.with_suffix(".partial")
    partial.write_text(str(os.getpid()))
    partial.rename(begun)
    time.sleep(600)
    return "too late"


@task
def terminate_when(path: str) -> None:
    """Asks its own process to end as soon as there is such a file."""
    while not Path(path).exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGTERM)


@task
def give_nothing_json_can_say() -> object:
    return object()


def no_task() -> None: ...
