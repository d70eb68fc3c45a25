"""The queue: the rows of django-tasks-db, and what it leaves out: trying again, and outliving a dead worker.

`run_after` says until when nobody (else) takes a task: while it waits for another try, and while it runs. There it is
a lease, and the proof: what has it in its WHERE clause touches only what is still ours.
"""

import os
import socket
from collections.abc import Sequence
from datetime import timedelta
from traceback import format_exception
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks_db.compat import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult, DBTaskResultQuerySet, get_date_max

LEASE = timedelta(minutes=2)
"""A task is done in less, or bears being done twice. What takes longer has a table of its own, as the deals have."""
TRIES = 8
FIRST_PAUSE = timedelta(seconds=15)
"""Each further one is four times as long: the last try is most of a day after the first."""
KEPT = timedelta(days=14)
"""How long what became of a task can be looked up."""


class WorkerDied(Exception):
    """Whoever ran the task neither finished it nor said why."""


def claim() -> DBTaskResult | None:
    """The next task that is due, ours for LEASE; None costs one look at a small index."""
    due = DBTaskResult.objects.ready()
    if not due.exists():
        return None
    with transaction.atomic():
        task = due.get_locked()
        if task:
            task.run_after = timezone.now() + LEASE
            task.status = Status.RUNNING
            task.started_at = timezone.now()
            task.worker_ids = [*task.worker_ids, f"{socket.gethostname()[:50]}:{os.getpid()}"]
            task.save(update_fields=["run_after", "status", "started_at", "worker_ids"])
    return task


def succeed(task: DBTaskResult, value: Any) -> int:
    """1, or 0 when it was not ours any more."""
    return _held(task).update(
        status=Status.SUCCESSFUL,
        run_after=get_date_max(),
        finished_at=timezone.now(),
        return_value=value,
        exception_class_path="",
        traceback="",
    )


def fail(task: DBTaskResult, error: Exception) -> timedelta | None:
    """When it is tried again; None when that was the last try."""
    tries = len(task.worker_ids)
    pause = FIRST_PAUSE * 4 ** (tries - 1) if tries < TRIES else None
    now = timezone.now()
    _held(task).update(
        status=Status.READY if pause else Status.FAILED,
        run_after=now + pause if pause else get_date_max(),
        finished_at=None if pause else now,
        exception_class_path=f"{type(error).__module__}.{type(error).__qualname__}",
        traceback="".join(format_exception(error)),
    )
    return pause


def rescue() -> Sequence[DBTaskResult]:
    """Let go of the tasks whose lease is over: a try that failed like any other."""
    lapsed = list(DBTaskResult.objects.running().filter(run_after__lt=timezone.now()))
    for task in lapsed:
        fail(task, WorkerDied(f"{task.worker_ids[-1]} did not finish it."))
    return lapsed


def prune() -> int:
    """Forget what was finished long ago. How many."""
    old = DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - KEPT)
    return old.delete()[0] if old.exists() else 0


def _held(task: DBTaskResult) -> DBTaskResultQuerySet:
    return DBTaskResult.objects.running().filter(pk=task.pk, run_after=task.run_after)
