"""Run queued tasks, one at a time, and maintain the queue; end in good order, and go on after an outage."""

import logging
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Protocol, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections
from django.db.models import Min
from django.utils import timezone
from django_tasks_db.compat import TaskContext, normalize_json
from django_tasks_db.compat import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from config.database.rows import count_up_to
from config.values.request_id import request_id
from config.worker import queue
from config.worker.queue import UPKEEP


class ShutdownRequested(Exception):
    """Raised where work can be broken off: the process was asked to end. Release what you hold."""


class ShutdownRequest:
    """A request to end that any thread or signal handler may make at any moment. It wakes all threads that wait."""

    def __init__(self) -> None:
        self._requests: list[None] = []
        # Not an Event: its lock may be held by the very wait that the signal handler interrupts.
        self._wake_ups: SimpleQueue[None] = SimpleQueue()

    @property
    def requested(self) -> bool:
        return bool(self._requests)

    def request(self, *signal_and_frame: object) -> None:
        self._requests.append(None)
        self._wake_ups.put(None)

    def check(self) -> None:
        """Raise ShutdownRequested when the request has been made."""
        if self.requested:
            raise ShutdownRequested

    def wait(self, seconds: float) -> None:
        """Wait that long. Raise ShutdownRequested as soon as the request is made."""
        self.check()
        with suppress(Empty):
            self._wake_ups.get(timeout=seconds)
            self._wake_ups.put(None)  # for the next thread that waits
        self.check()

    @contextmanager
    def handle_signals(self) -> Iterator[None]:
        """Make SIGTERM and SIGINT this request while the block runs. Call it in the main thread."""
        previous = {number: signal.signal(number, self.request) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


logger = logging.getLogger(__name__)

OUTAGE_ERRORS = (OperationalError, InterfaceError)
"""The errors of a database that is down, starting, locked or too slow.

SQLite raises OperationalError for a missing table too.
"""
MAX_BACKOFF_SECONDS = 30
REFUSAL_PAUSE_SECONDS = 5

T = TypeVar("T")


def retry_through_outage(shutdown: ShutdownRequest, action: Callable[[], T]) -> T:
    """Call the action, again and again while the database is down, and return its result.

    The action must be safe to repeat: it may have taken effect although it raised. Raise ShutdownRequested when
    a shutdown is requested between two attempts.
    """
    failures = 0
    while True:
        try:
            return action()
        except OUTAGE_ERRORS as error:
            close_connection(error)
            failures += 1
            back_off(shutdown, error, failures, "The database failed; the worker will try again.")


def close_connection(error: Exception) -> None:
    """Close the connection that raised the error: it would stay broken. The next query opens another one."""
    logger.debug("Connection closed.", exc_info=error)
    connection.close()


def back_off(shutdown: ShutdownRequest, error: Exception, failures: int, message: str) -> None:
    """Log the failure and wait: one second after the first, twice as long after each further one, up to a limit."""
    seconds = min(2 ** min(failures - 1, 10), MAX_BACKOFF_SECONDS)
    fields = {"reason": str(error).strip(), "retryInSeconds": seconds}
    logger.warning(message, extra={"fields": fields})
    shutdown.wait(seconds)


def pause_after_refusal(shutdown: ShutdownRequest, error: DatabaseError) -> None:
    """Log an error of the database that is not an outage, a violated constraint say, and wait.

    The line has the traceback, but not the row that PostgreSQL quotes: the formatter takes it out.
    """
    close_connection(error)
    fields = {"pauseSeconds": REFUSAL_PAUSE_SECONDS}
    message = "The database refused a statement; the worker goes on with the next piece of work."
    logger.error(message, exc_info=error, extra={"fields": fields})
    shutdown.wait(REFUSAL_PAUSE_SECONDS)


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
        """Call the task's function and store its value as JSON, or its error, and then another attempt is due.

        An ImportError says that this release does not have the function: after a deployment another worker may have it.
        """
        try:
            result = task.task_result
            arguments = [TaskContext(task_result=result), *result.args] if result.task.takes_context else result.args
            value = normalize_json(result.task.call(*arguments, **result.kwargs))
        except Exception as error:  # whatever a task raises is recorded, and the task is tried again later
            delay = retry_through_outage(self.shutdown, partial(queue.record_failure, task, error))
            self.failed += 1
            fields = {**_log_fields(task), "retryInSeconds": delay.total_seconds() if delay else None}
            level = logging.WARNING if delay else logging.ERROR
            logger.log(level, "A task failed.", exc_info=error, extra={"fields": fields})
        else:
            retry_through_outage(self.shutdown, lambda: queue.record_success(task, value))
            self.done += 1
            logger.info("Task done.", extra={"fields": _log_fields(task)})


def _log_fields(task: DBTaskResult) -> dict[str, object]:
    return {"task": str(task.pk), "path": task.task_path, "attempt": len(task.worker_ids)}


class Loop(Protocol):
    """What a thread of the worker does. Work in hand is leased: after an error, the next is claimed before it."""

    shutdown: ShutdownRequest

    def run(self, *, once: bool) -> None: ...


def run_through_refusals(loop: Loop, *, once: bool) -> None:
    """Run the loop to its end, and again after a pause when an error of the database ended it that is not an outage."""
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


MAX_COUNT = 10_000


def gauges() -> Iterator[Metric]:
    """Yield the gauges of the tasks. A failed one is kept for two weeks; a queued one may wait for another attempt."""
    tasks = DBTaskResult.objects.all()
    counted = Gauge("bridge_boards_tasks", f"Tasks by status, {MAX_COUNT} at most", labels=["status"])
    queued = tasks.filter(status=Status.READY)
    for status, rows in (("queued", queued), ("running", tasks.running()), ("failed", tasks.failed())):
        counted.add_metric([status], count_up_to(MAX_COUNT, rows))
    oldest = queued.aggregate(oldest=Min("enqueued_at"))["oldest"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0
    yield counted
    yield Gauge("bridge_boards_oldest_task_seconds", "Age of the oldest queued task", age)
