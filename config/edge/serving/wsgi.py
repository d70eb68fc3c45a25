"""The application as a WSGI server calls it. It replaces headers that cannot be parsed, and decodes all as UTF-8."""

import codecs
from functools import lru_cache
from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http.multipartparser import MultiPartParserError
from django.utils.http import parse_header_parameters

# No charset has this name, so the edge's request check answers 415; no renderer makes this type, so the answer is 406.
# The type is that of a form, whose charset counts everywhere.
UNREADABLE_TYPE = "application/x-www-form-urlencoded; charset=unreadable"
UNREADABLE_ACCEPT = "unreadable/unreadable"

MAX_ACCEPTS = 128
"""The Accept headers whose parsing is remembered: a MiB at most, since gunicorn takes headers up to 8,190 bytes."""


class Request(WSGIRequest):
    """Replace a header that cannot be parsed by a valid one that is refused: 415 for Content-Type, 406 for Accept.

    Python's e-mail parser, which Django uses, raises a TypeError for parameters such as "a*=…; a*0=…". Django raises a
    ValueError for an unknown charset of a parameter. Neither would be answered: Django parses Content-Type while it
    makes the request, outside all middleware, and REST framework parses Accept where it answers errors.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        if not is_parsable_accept(environ.get("HTTP_ACCEPT", "")):
            environ["HTTP_ACCEPT"] = UNREADABLE_ACCEPT
        if not is_parsable(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = UNREADABLE_TYPE
        super().__init__(environ)

    @property
    def encoding(self) -> None:
        """Return None, which stands for UTF-8: Django would decode the query, and forms, by a charset that is sent."""
        return None

    @encoding.setter
    def encoding(self, value: str) -> None:
        """Ignore the charset of Content-Type."""

    def parse_file_upload(self, META: Any, post_data: Any) -> Any:  # noqa: N803  (Django's name)
        """Parse a multipart body. Raise MultiPartParserError, a 400, also for a part whose header cannot be parsed."""
        try:
            return super().parse_file_upload(META, post_data)
        except TypeError as error:
            raise MultiPartParserError(
                "A part of the form has a header that cannot be read. Send its file under a plain name."
            ) from error


class Handler(WSGIHandler):
    request_class = Request


@lru_cache(MAX_ACCEPTS)
def is_parsable_accept(header: str) -> bool:
    """Tell whether Django can parse each media range of an Accept header. Browsers send long ones, always the same."""
    return all(is_parsable(media_range) for media_range in header.split(","))


def is_parsable(header: str) -> bool:
    """Tell whether Django can parse the parameters of a header, and look up a charset among them."""
    try:
        _, parameters = parse_header_parameters(header)
        codecs.lookup(parameters.get("charset", "utf-8"))
    except (TypeError, ValueError):
        return False
    except LookupError:
        return True  # Django ignores a charset that it does not know
    return True
