"""The application as a WSGI server calls it."""

from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http.multipartparser import MultiPartParserError


class Request(WSGIRequest):
    """Django reads Content-Type while it makes the request, before anything that answers errors: a header it cannot
    parse ("charset*=nosuch''x") would be the server's own 500. Here its charset is one that the edge refuses (415).

    For some headers Python raises a TypeError ("a*=…; a*0=…"), which Django does not expect of a form's parts either.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # not in Django's stubs
        except (TypeError, ValueError):
            self.content_type = meta["CONTENT_TYPE"].partition(";")[0].strip().lower()
            self.content_params = {"charset": "unreadable"}

    def parse_file_upload(self, META: Any, post_data: Any) -> Any:  # noqa: N803  (Django's name)
        try:
            return super().parse_file_upload(META, post_data)
        except TypeError as error:
            raise MultiPartParserError("A part of the form has a header that cannot be read.") from error


class Handler(WSGIHandler):
    request_class = Request
