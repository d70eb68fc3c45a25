"""The port of METRICS_BIND, where monitors are answered and nothing else is."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from config import paths
from config.api.errors import NotFound
from config.edge.guards import Guard


def came_by_metrics_port(meta: Mapping[str, Any]) -> bool:
    """Tell whether the connection itself came to the port for metrics. No header says so, so none can lie."""
    if not settings.METRICS_BIND:
        return False
    accepted = meta.get("gunicorn.socket")
    if accepted is None:
        return False
    address = accepted.getsockname()
    return isinstance(address, tuple) and address[1] == int(settings.METRICS_BIND.rpartition(":")[2])


class MetricsPort(Guard):
    """Refuse what is not for monitors: this port may be open to a network that may not reach the service."""

    def check(self, request: HttpRequest) -> None:
        if came_by_metrics_port(request.META) and not paths.is_under(request.path_info, *paths.OPERATOR):
            raise NotFound("This port answers monitors alone.")
