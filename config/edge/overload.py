"""The refusal of requests that have waited too long for a thread (config.edge.gunicorn_worker)."""

from django.http import HttpRequest

from config.api.errors import ServiceUnavailable
from config.edge.guards import Guard

OVERLOADED = "bridge_boards.overloaded"
"""The name in META that marks such a request."""


class Overload(Guard):
    """Refuse before anything that may wait is asked, so that the refusal itself is quick."""

    def check(self, request: HttpRequest) -> None:
        if OVERLOADED in request.META:
            raise ServiceUnavailable("The service has too much to do. Repeat the request a little later.")
