"""What operators see of the index: gauges for /metrics, and a sentence for /readyz."""

from collections.abc import Iterator

from django.db import connection
from django.db.models import Max, Min
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from boards.models import IndexRow, Slice
from boards.search.facts import NOTATION
from boards.search.index.finding import count, lacking
from boards.search.index.folding import FOLD_FROM
from config.database.rows import count_up_to

MAX_COUNT = 100_000
MANY_ROWS = 16 * FOLD_FROM
"""So many rows make each search some milliseconds slower."""


def gauges() -> Iterator[Metric]:
    """Yield the gauges of the index. SQLite keeps all boards in rows, so that nothing waits there."""
    if connection.vendor != "postgresql":
        return
    rows = count_up_to(MAX_COUNT, IndexRow.objects.all())
    yield Gauge("bridge_boards_index_rows", f"Rows that wait to be folded into slices, {MAX_COUNT} at most", rows)
    oldest = IndexRow.objects.aggregate(oldest=Min("updated_at"))["oldest"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0
    yield Gauge("bridge_boards_index_age_seconds", "Since when the oldest of these boards was changed", age)
    newest = Slice.objects.aggregate(newest=Max("segment"))["newest"]
    yield Gauge("bridge_boards_index_segments", "Segments of the index", 0 if newest is None else newest + 1)
    yield Gauge(
        "bridge_boards_index_old_boards", "Boards that an earlier version has indexed", count(lacking(NOTATION))
    )


def trouble_of_index() -> str:
    """Return what is wrong with the index for its readers, "" where nothing is."""
    if connection.vendor != "postgresql":
        return ""
    if count(lacking(NOTATION)):
        return "Boards are not indexed by this version yet: a worker does it, and index_boards --missing faster."
    if count_up_to(MANY_ROWS, IndexRow.objects.all()) >= MANY_ROWS:
        return "Many boards wait to be folded into the index: searches are slow until a worker has done it."
    return ""
