"""A client that enters where gunicorn does. Django's own test clients enter behind config.edge.serving.public_reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection
from django.http import HttpRequest, HttpResponse
from rest_framework.test import APIClient

from config.edge.serving.public_reads import PublicReads
from config.edge.serving.wsgi import Handler


class ServiceClient(APIClient):
    """Each client has an application of its own, as if it were the only client of a process."""

    def __init__(self, **defaults: Any) -> None:
        super().__init__(**defaults)
        self.application = PublicReads(Handler())
        self.handler = self.call_application  # type: ignore[assignment]  # it is only called

    def call_application(self, environ: dict[str, Any]) -> HttpResponse:
        """Return what the application sends, as the response that Django's client expects."""
        if not environ.get("CONTENT_LENGTH"):
            environ.pop("CONTENT_TYPE", None)  # REST framework's client sends one with every GET, and browsers do not
        heads: list[tuple[Any, ...]] = []
        with self.connection_kept():
            body = self.application(environ, lambda *head: heads.append(head))
            content = b"".join(body)
            if hasattr(body, "close"):
                body.close()
        status, headers, *_ = heads[0]
        response = HttpResponse(content, status=int(status.split()[0]))
        response.wsgi_request = HttpRequest()  # Django's client looks for its URLconf
        response.sent_headers = headers  # as they were sent, cookies among them
        del response["Content-Type"]
        for name, value in headers:
            response[name] = value
        return response

    @contextmanager
    def connection_kept(self) -> Iterator[None]:
        """Keep the connection of a test inside a transaction, as Django's own client does."""
        if not connection.in_atomic_block:
            yield
            return
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)
        yield
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
