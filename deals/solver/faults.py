"""What keeps workers from solving, for /readyz of every process: a row of each such worker, renewed at each attempt."""

import os
import socket
from datetime import timedelta

from django.utils import timezone

from config.worker.outages import MAX_BACKOFF_SECONDS
from deals.models import SolverFault
from deals.solver.process import SolverError

FRESH = timedelta(seconds=4 * MAX_BACKOFF_SECONDS)
"""How long a row counts. A worker that was killed leaves its row behind, and one that lives renews it sooner."""
FORGOTTEN = timedelta(days=1)


def record(error: SolverError) -> None:
    """Say that the solver of this process does not run. Delete what workers said that are gone."""
    reason = str(error)[: SolverFault._meta.get_field("reason").max_length]
    SolverFault.objects.update_or_create(pk=_name(), defaults={"reason": reason, "seen_at": timezone.now()})
    SolverFault.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN).delete()


def clear() -> None:
    """Say that the solver of this process runs."""
    SolverFault.objects.filter(pk=_name()).delete()


def describe() -> str:
    """Return why deals wait, or "" when no worker says that its solver does not run."""
    fault = SolverFault.objects.filter(seen_at__gte=timezone.now() - FRESH).order_by("-seen_at").first()
    return f"Double dummy waits: a worker's solver does not run. {fault.reason}" if fault else ""


def _name() -> str:
    return f"{socket.gethostname()[:50]}:{os.getpid()}"
