"""Runs tasks, one at a time, and keeps the queue in order."""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from django.db import connections
from django_tasks_db.compat import TaskContext, normalize_json
from django_tasks_db.models import DBTaskResult

from config.worker import queue
from config.worker.outages import insist
from config.worker.shutdown import Stop, Stopping

logger = logging.getLogger(__name__)

POLL_SECONDS = 1
HOUSEKEEPING_SECONDS = 60


class Runner:
    """For one thread. `done` and `failed` count tries since the start."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.done = self.failed = 0
        self._housekeeping_due = 0.0

    def run(self, *, once: bool = False) -> None:
        """Until asked to stop, or with `once` until nothing is due. What has been begun is finished."""
        with suppress(Stopping):
            while True:
                self.stop.check()
                self._keep_house()
                task = insist(self.stop, queue.claim)
                if task:
                    self._perform(task)
                elif once:
                    return
                else:
                    self.stop.pause(POLL_SECONDS)

    def _keep_house(self) -> None:
        if time.monotonic() < self._housekeeping_due:
            return
        for task in insist(self.stop, queue.rescue):
            logger.warning("A task's worker died.", extra={"fields": _named(task)})
        insist(self.stop, queue.prune)
        self._housekeeping_due = time.monotonic() + HOUSEKEEPING_SECONDS

    def _perform(self, task: DBTaskResult) -> None:
        try:
            value = _call(task)
        except Exception as error:  # Whatever it is: it is kept with the task, logged, and tried again.
            self._fail(task, error)
        else:
            insist(self.stop, lambda: queue.succeed(task, value))
            self.done += 1
            logger.info("Task done.", extra={"fields": _named(task)})

    def _fail(self, task: DBTaskResult, error: Exception) -> None:
        pause = insist(self.stop, lambda: queue.fail(task, error))
        self.failed += 1
        fields = {**_named(task), "againInSeconds": pause.total_seconds() if pause else None}
        logger.log(
            logging.WARNING if pause else logging.ERROR,
            "A task failed.",
            exc_info=error,
            extra={"fields": fields},
        )


def _call(task: DBTaskResult) -> Any:
    """ImportError too where this release has no such task: after a deployment another worker may."""
    result = task.task_result
    arguments = [*result.args]
    if result.task.takes_context:
        arguments.insert(0, TaskContext(task_result=result))
    return normalize_json(result.task.call(*arguments, **result.kwargs))


def _named(task: DBTaskResult) -> dict[str, object]:
    return {"task": str(task.pk), "path": task.task_path, "try": len(task.worker_ids)}


@contextmanager
def beside(runner: Runner, stop: Stop, *, once: bool) -> Iterator[None]:
    """Run tasks in a thread of their own while the block lasts, or with `once` until there are none.

    `stop` is the block's: it is asked to end when the thread does so by an error, which is then raised here.
    """

    def run() -> None:
        try:
            runner.run(once=once)
        except BaseException:
            stop.request()
            raise
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1, "tasks") as pool:
        thread = pool.submit(run)
        try:
            yield
        finally:
            if stop.requested or not once:
                runner.stop.request()
    thread.result()
