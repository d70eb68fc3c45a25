"""What operators see of the queue of tasks: gauges for /metrics."""

from collections.abc import Iterator

from django.db.models import Min
from django.utils import timezone
from django_tasks_db.compat import TaskResultStatus as Status
from django_tasks_db.models import DBTaskResult
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import Metric

from config.database.rows import count_up_to

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
