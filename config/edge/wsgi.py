"""The application as a WSGI server calls it, and the one guard against headers that Python cannot parse."""

from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http.multipartparser import MultiPartParserError
from django.utils.http import parse_header_parameters

UNREADABLE_TYPE = "application/octet-stream; charset=unreadable"
UNREADABLE_ACCEPT = "unreadable/unreadable"


class Request(WSGIRequest):
    """Replace a header that cannot be parsed by one that is refused in words: 415 for Content-Type, 406 for Accept.

    Python's e-mail parser raises a TypeError for parameters such as "a*=…; a*0=…", and Django a ValueError for an
    unknown charset. Django parses Content-Type while it makes the request, where nothing answers errors yet.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        if not all(is_parsable(part) for part in environ.get("HTTP_ACCEPT", "").split(",")):
            environ["HTTP_ACCEPT"] = UNREADABLE_ACCEPT
        try:
            super().__init__(environ)
        except (TypeError, ValueError):
            environ["CONTENT_TYPE"] = UNREADABLE_TYPE
            super().__init__(environ)

    def parse_file_upload(self, META: Any, post_data: Any) -> Any:  # noqa: N803  (Django's name)
        """Parse a multipart body. Raise MultiPartParserError also for a part's header that cannot be parsed."""
        try:
            return super().parse_file_upload(META, post_data)
        except TypeError as error:
            raise MultiPartParserError("A part of the form has a header that cannot be read.") from error


class Handler(WSGIHandler):
    request_class = Request


def is_parsable(header: str) -> bool:
    try:
        parse_header_parameters(header)
    except (TypeError, ValueError):
        return False
    return True
