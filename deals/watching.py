"""What operators see of the deals and of the worker: gauges for /metrics, and a sentence for /readyz."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from config.database.rows import count_up_to
from deals.heartbeats import SILENT_AFTER
from deals.models import Deal, Heartbeat, SolverStatus

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
        "bridge_boards_worker_seen_timestamp_seconds", "The last sign of life of a worker's loop", labels=["loop"]
    )
    alive = Gauge("bridge_boards_workers", "Workers whose loop gave a sign of life lately", labels=["loop"])
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
    return describe_silence(loops_of_workers())


def describe_silence(loops: list[dict[str, Any]]) -> str:
    alive = {row["loop"] for row in loops if row["alive"]}
    waiting = [what for loop, what in WORK.items() if loop not in alive]
    return f"No worker gives a sign of life: {', '.join(waiting)} must wait." if waiting else ""


WORK = {Heartbeat.Loop.SOLVER: "double dummy", Heartbeat.Loop.TASKS: "e-mail", Heartbeat.Loop.WEBHOOKS: "webhooks"}
