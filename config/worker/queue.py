"""The queue: the rows of django-tasks-db, with the retries and the recovery from dead workers that it leaves out.

`run_after` says until when no worker may claim a task: while it waits for its next attempt, and while it runs. While it
runs, the value is a lease and also the proof of it: a statement with that value in its WHERE clause changes the task
only as long as it is still leased to us.
"""

import os
import socket
from collections.abc import Callable, Sequence
from datetime import timedelta
from traceback import format_exception
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks_db.compat import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult, DBTaskResultQuerySet, get_date_max

from config.values.request_id import request_id

LEASE = timedelta(minutes=2)
"""The time that a worker has for a task. Each task takes less, or is safe to run twice at once.

Longer work gets a table of its own, as the deals have.
"""
MAX_ATTEMPTS = 8
FIRST_RETRY_DELAY = timedelta(seconds=15)
"""Each further delay is four times as long: the last attempt is most of a day after the first."""
RETENTION = timedelta(days=14)
"""How long a finished task's result can be looked up."""


class LeaseExpired(Exception):
    """The error of an attempt without result or error within its lease: the worker died, or the task was too slow."""


def keep_request_id(sender: type[DBTaskResult], instance: DBTaskResult, **kwargs: object) -> None:
    """Keep the id of the request that enqueues a task beside its arguments. GroundFloorConfig connects this receiver.

    Not among them: the function does not expect it, and an earlier release must be able to run the task.
    """
    if current := request_id.get():
        instance.args_kwargs.setdefault("requestId", current)


def request_id_of(task: DBTaskResult) -> str:
    """Return the id of the request that enqueued the task, or "" for a task of a command."""
    return str(task.args_kwargs.get("requestId", ""))


def name_of_process() -> str:
    return f"{socket.gethostname()[:50]}:{os.getpid()}"


def claim() -> DBTaskResult | None:
    """Claim the next due task for LEASE and return it. Without one, return None after one look at a small index."""
    due = DBTaskResult.objects.ready()
    if not due.exists():
        return None
    with transaction.atomic():
        task = due.get_locked()
        if task:
            task.run_after = timezone.now() + LEASE
            task.status = Status.RUNNING
            task.started_at = timezone.now()
            task.worker_ids = [*task.worker_ids, name_of_process()]
            task.save(update_fields=["run_after", "status", "started_at", "worker_ids"])
    return task


def record_success(task: DBTaskResult, value: Any) -> int:
    """Store the task's return value. Return 1, or 0 when the lease was lost and nothing is stored."""
    return _still_leased(task).update(
        status=Status.SUCCESSFUL,
        run_after=get_date_max(),
        finished_at=timezone.now(),
        return_value=value,
        exception_class_path="",
        traceback="",
    )


def record_failure(task: DBTaskResult, error: Exception) -> timedelta | None:
    """Store the error and schedule the next attempt. Return the delay, or None after the last attempt."""
    attempts = len(task.worker_ids)
    delay = FIRST_RETRY_DELAY * 4 ** (attempts - 1) if attempts < MAX_ATTEMPTS else None
    now = timezone.now()
    _still_leased(task).update(
        status=Status.READY if delay else Status.FAILED,
        run_after=now + delay if delay else get_date_max(),
        finished_at=None if delay else now,
        exception_class_path=f"{type(error).__module__}.{type(error).__qualname__}",
        traceback="".join(format_exception(error)),
    )
    return delay


def fail_expired() -> Sequence[DBTaskResult]:
    """Count an expired lease as a failed attempt, so that the task is retried. Return the tasks concerned."""
    expired = list(DBTaskResult.objects.running().filter(run_after__lt=timezone.now()))
    for task in expired:
        record_failure(task, LeaseExpired(f"{task.worker_ids[-1]} did not finish the task within its lease."))
    return expired


def prune() -> int:
    """Delete the tasks that were finished longer than RETENTION ago. Return how many were deleted."""
    old = DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - RETENTION)
    return old.delete()[0] if old.exists() else 0


def _still_leased(task: DBTaskResult) -> DBTaskResultQuerySet:
    return DBTaskResult.objects.running().filter(pk=task.pk, run_after=task.run_after)


UPKEEP: list[Callable[[], object]] = []


def register(function: Callable[[], object]) -> None:
    """Let the worker call this. It takes some seconds at most, and is safe in several workers at once."""
    UPKEEP.append(function)
