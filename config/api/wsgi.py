"""The application as a WSGI server calls it."""

from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest


class Request(WSGIRequest):
    """Django reads Content-Type while it makes the request, before anything that answers errors: a header it cannot
    parse ("charset*=nosuch''x") would be the server's own 500. Here its charset is one that the edge refuses (415)."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # not in Django's stubs
        except ValueError:
            self.content_type = meta["CONTENT_TYPE"].partition(";")[0].strip().lower()
            self.content_params = {"charset": "unreadable"}


class Handler(WSGIHandler):
    request_class = Request
