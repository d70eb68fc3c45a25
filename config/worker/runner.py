"""Run queued tasks, one at a time, and maintain the queue."""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from django.db import DatabaseError, connections
from django_tasks_db.compat import TaskContext, normalize_json
from django_tasks_db.models import DBTaskResult

from config.values.request_id import request_id
from config.worker import queue
from config.worker.outages import pause_after_refusal, retry_through_outage
from config.worker.shutdown import ShutdownRequest, ShutdownRequested
from config.worker.upkeep import UPKEEP

logger = logging.getLogger(__name__)

POLL_SECONDS = 1
UPKEEP_SECONDS = 1
MAINTENANCE_SECONDS = 60


class Runner:
    """A loop that runs tasks in one thread. `done` and `failed` count attempts since the start."""

    def __init__(self, shutdown: ShutdownRequest) -> None:
        self.shutdown = shutdown
        self.done = self.failed = 0
        self._maintenance_due = self._upkeep_due = 0.0

    def run(self, *, once: bool = False) -> None:
        """Run due tasks until shut down or, with `once`, until none is due. Finish the task in hand either way."""
        with suppress(ShutdownRequested):
            while True:
                self.shutdown.check()
                request_id.set("")  # here, since what the database refuses of a task is logged after the loop
                self._maintain_queue()
                self._keep_up()
                task = retry_through_outage(self.shutdown, queue.claim)
                if task:
                    request_id.set(queue.request_id_of(task))
                    self._run_task(task)
                elif once:
                    return
                else:
                    self.shutdown.wait(POLL_SECONDS)

    def _maintain_queue(self) -> None:
        """Schedule another attempt of tasks whose lease expired and delete old results, once a minute."""
        if time.monotonic() < self._maintenance_due:
            return
        self._maintenance_due = time.monotonic() + MAINTENANCE_SECONDS
        for task in retry_through_outage(self.shutdown, queue.fail_expired):
            fields = {**_log_fields(task), "requestId": queue.request_id_of(task)}
            logger.warning("A task's lease expired.", extra={"fields": fields})
        retry_through_outage(self.shutdown, queue.prune)

    def _keep_up(self) -> None:
        if time.monotonic() < self._upkeep_due:
            return
        for function in UPKEEP:
            retry_through_outage(self.shutdown, function)
        self._upkeep_due = time.monotonic() + UPKEEP_SECONDS

    def _run_task(self, task: DBTaskResult) -> None:
        try:
            value = _call(task)
        except Exception as error:  # Any error of a task is stored with it, logged, and the task retried.
            self._record_failure(task, error)
        else:
            retry_through_outage(self.shutdown, lambda: queue.record_success(task, value))
            self.done += 1
            logger.info("Task done.", extra={"fields": _log_fields(task)})

    def _record_failure(self, task: DBTaskResult, error: Exception) -> None:
        delay = retry_through_outage(self.shutdown, lambda: queue.record_failure(task, error))
        self.failed += 1
        fields = {**_log_fields(task), "retryInSeconds": delay.total_seconds() if delay else None}
        logger.log(
            logging.WARNING if delay else logging.ERROR, "A task failed.", exc_info=error, extra={"fields": fields}
        )


def _call(task: DBTaskResult) -> Any:
    """Call the task's function and return its value as JSON.

    Raise ImportError when this release does not have the function: after a deployment another worker may have it.
    """
    result = task.task_result
    arguments = [*result.args]
    if result.task.takes_context:
        arguments.insert(0, TaskContext(task_result=result))
    return normalize_json(result.task.call(*arguments, **result.kwargs))


def _log_fields(task: DBTaskResult) -> dict[str, object]:
    return {"task": str(task.pk), "path": task.task_path, "attempt": len(task.worker_ids)}


class Loop(Protocol):
    """What a thread of the worker does. Work in hand is leased: after an error, the next is claimed before it."""

    shutdown: ShutdownRequest

    def run(self, *, once: bool) -> None: ...


def run_through_refusals(loop: Loop, *, once: bool) -> None:
    """Run the loop to its end, and again after a pause when it ended by an error of the database that is no outage."""
    with suppress(ShutdownRequested):
        while True:
            try:
                return loop.run(once=once)
            except DatabaseError as error:
                pause_after_refusal(loop.shutdown, error)


@contextmanager
def run_in_thread(loop: Loop, *, once: bool) -> Iterator[None]:
    """Run a loop in a thread while the block runs; with `once`, wait after the block until nothing is due.

    The block should heed `loop.shutdown`: it is requested when the thread ends by an error, which is raised here.
    """

    def run() -> None:
        try:
            run_through_refusals(loop, once=once)
        except BaseException:
            loop.shutdown.request()
            raise
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1, "tasks") as pool:
        thread = pool.submit(run)
        try:
            yield
        finally:
            if not once:
                loop.shutdown.request()
            thread.result()
