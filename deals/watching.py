"""What operators see of deals and workers: heartbeats of their loops, gauges for /metrics, sentences for /readyz."""

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Self

from django.db import Error
from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from config.database.rows import count_up_to
from config.worker.queue import name_of_process
from config.worker.runner import MAX_BACKOFF_SECONDS, OUTAGE_ERRORS, ShutdownRequest, close_connection
from deals.models import Deal, Heartbeat, SolverFault, SolverStatus

INTERVAL_SECONDS = 15
SILENT_AFTER = timedelta(minutes=3)
"""A loop without a heartbeat for so long does not work: a task may take two minutes, a mail server half of one."""
KEPT = timedelta(days=7)
"""How long the heartbeats of a worker that is gone are kept."""


class Heart(ShutdownRequest):
    """The shutdown request as one loop of a worker sees it. A loop that asks whether it shall end is alive.

    Each loop asks at least every other second, unless its work in hand keeps it. A heartbeat that cannot be written is
    left out: while the database is down nobody could read it either.
    """

    def __init__(self, shutdown: ShutdownRequest, loop: Heartbeat.Loop) -> None:
        super().__init__()
        self._requests, self._wake_ups = shutdown._requests, shutdown._wake_ups
        self.loop = loop
        self.worker = name_of_process()
        self.due = float("-inf")

    def check(self) -> None:
        super().check()
        self.beat()

    def beat(self) -> None:
        """Write that this loop is alive, at most every INTERVAL_SECONDS."""
        if time.monotonic() < self.due:
            return
        self.due = time.monotonic() + INTERVAL_SECONDS
        try:
            Heartbeat.objects.update_or_create({"beat_at": timezone.now()}, worker=self.worker, loop=self.loop)
        except OUTAGE_ERRORS as error:
            close_connection(error)

    @classmethod
    def of_worker(cls, shutdown: ShutdownRequest) -> tuple[Self, ...]:
        """Return a heart for each loop, in the order of Heartbeat.Loop. Forget the workers that are long gone."""
        try:
            Heartbeat.objects.filter(beat_at__lt=timezone.now() - KEPT).delete()
        except Error as error:  # the loops meet what is wrong, log it and go on
            close_connection(error)
        return tuple(cls(shutdown, loop) for loop in Heartbeat.Loop)


MAX_COUNT = 100_000
"""The most that is counted: a million deals of an import would take a second for each look."""


def gauges() -> Iterator[Metric]:
    """Yield the gauges of the deals that wait for the solver, and of the worker's loops."""
    pending = Deal.objects.filter(double_dummy_status=SolverStatus.PENDING)
    count = count_up_to(MAX_COUNT, pending)
    yield Gauge("bridge_boards_pending_deals", f"Deals that wait for the solver, {MAX_COUNT} at most", count)
    oldest = pending.aggregate(oldest=Min("created_at"))["oldest"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0
    yield Gauge("bridge_boards_oldest_pending_deal_seconds", "Age of the oldest of these deals", age)
    seen = Gauge(
        "bridge_boards_worker_seen_timestamp_seconds", "Time of the last heartbeat of a worker's loop", labels=["loop"]
    )
    alive = Gauge("bridge_boards_workers", "Workers whose loop had a recent heartbeat", labels=["loop"])
    loops = {row["loop"]: row for row in loops_of_workers()}
    for loop in Heartbeat.Loop.values:
        if loop in loops:
            seen.add_metric([loop], loops[loop]["last"].timestamp())
        alive.add_metric([loop], loops[loop]["alive"] if loop in loops else 0)
    yield from (seen, alive)


def loops_of_workers() -> list[dict[str, Any]]:
    """Return for each loop when it last gave a sign of life, and how many workers did so lately."""
    since = timezone.now() - SILENT_AFTER
    rows = Heartbeat.objects.values("loop").order_by("loop")
    rows = rows.annotate(last=Max("beat_at"), alive=Count("pk", filter=Q(beat_at__gte=since)))
    return [dict(row) for row in rows]


def trouble_of_worker() -> str:
    """Return what does not work because no worker does, "" where one works."""
    alive = {row["loop"] for row in loops_of_workers() if row["alive"]}
    waiting = [what for loop, what in WORK.items() if loop not in alive]
    return f"No worker is running: {', '.join(waiting)} must wait." if waiting else ""


WORK = {Heartbeat.Loop.SOLVER: "double dummy", Heartbeat.Loop.TASKS: "e-mail", Heartbeat.Loop.WEBHOOKS: "webhooks"}


FRESH = timedelta(seconds=4 * MAX_BACKOFF_SECONDS)
"""How long a fault counts. A worker that was killed leaves its row behind, and one that lives renews it sooner."""
FORGOTTEN = timedelta(days=1)


def record_fault(error: Exception) -> None:
    """Say that the solver of this process does not run. Delete what workers said that are gone."""
    reason = str(error)[: SolverFault._meta.get_field("reason").max_length]
    SolverFault.objects.update_or_create({"reason": reason, "seen_at": timezone.now()}, pk=name_of_process())
    SolverFault.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN).delete()


def clear_fault() -> None:
    SolverFault.objects.filter(pk=name_of_process()).delete()


def trouble_of_solver() -> str:
    """Return why deals wait, "" when no worker says that its solver does not run."""
    fault = SolverFault.objects.filter(seen_at__gte=timezone.now() - FRESH).order_by("-seen_at").first()
    return f"Double dummy must wait: a worker's solver does not run. {fault.reason}" if fault else ""
