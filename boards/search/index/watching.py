"""What operators see of the index: gauges for /metrics, and a sentence for /readyz."""

from collections.abc import Iterator
from datetime import timedelta

from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from boards.models import DeadPosition, IndexRow, Segment
from boards.search.facts import FORMAT
from boards.search.index.folding import FOLD_FROM
from config.database.rows import count_up_to

MAX_COUNT = 100_000
MANY_ROWS = 16 * FOLD_FROM
"""So many rows make each search some milliseconds slower."""

LONG = timedelta(minutes=10)


def gauges() -> Iterator[Metric]:
    """Yield the gauges of the index. SQLite keeps all boards in rows, so that nothing waits there."""
    if connection.vendor != "postgresql":
        return
    rows = count_up_to(MAX_COUNT, IndexRow.objects.all())
    yield Gauge("bridge_boards_index_rows", f"Boards that wait to be folded into segments, {MAX_COUNT} at most", rows)
    dead = count_up_to(MAX_COUNT, DeadPosition.objects.all())
    yield Gauge("bridge_boards_index_dead", f"Dead positions of segments, {MAX_COUNT} at most", dead)
    oldest = IndexRow.objects.aggregate(oldest=Min("updated_at"))["oldest"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0
    yield Gauge("bridge_boards_index_age_seconds", "Since when the oldest of these boards was changed", age)
    segments = Gauge("bridge_boards_index_segments", "Segments of the index", labels=["format"])
    counts = dict(Segment.objects.order_by().values_list("format").annotate(count=Count("pk")))
    current = counts.pop(FORMAT, 0)
    segments.add_metric(["current"], current)
    segments.add_metric(["old"], sum(counts.values()))
    yield segments


def trouble_of_index() -> str:
    """Return what is wrong with the index for its readers, "" where nothing is."""
    if connection.vendor != "postgresql":
        return ""
    if Segment.objects.exclude(format=FORMAT).exists():
        return "Boards are not indexed by this version yet: a worker does it, and index_boards --missing faster."
    if count_up_to(MANY_ROWS, IndexRow.objects.all()) >= MANY_ROWS:
        return "Many boards wait to be folded into the index: searches are slow until a worker has done it."
    return ""
