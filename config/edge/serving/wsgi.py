"""The application as a WSGI server calls it. It replaces headers that cannot be parsed, and decodes all as UTF-8."""

import codecs
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.utils.http import parse_header_parameters

from config.edge.request_checks import body_length

# No charset has this name, so the edge's request check answers 415; no renderer makes this type, so the answer is 406.
# The type is that of a form, whose charset counts everywhere.
UNREADABLE_TYPE = "application/x-www-form-urlencoded; charset=unreadable"
UNREADABLE_ACCEPT = "unreadable/unreadable"

MAX_ACCEPTS = 128
"""The Accept headers whose parsing is remembered: a MiB at most, since gunicorn takes headers up to 8,190 bytes."""

READ_BYTES = 64 * 1024


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
                "A part of the form has a header that cannot be read. Rename its file to plain letters."
            ) from error


class Handler(WSGIHandler):
    request_class = Request

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Answer HEAD as GET without the body, its length included (RFC 9110 §9.3.2), and read what is left of a file.

        gunicorn drops the body of a HEAD itself, after all of it was made, and logs a warning.
        """
        response = super().get_response(request)
        if request.method == "HEAD":
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = ()
            elif isinstance(response, HttpResponse):
                response.content = b""
        if response.status_code != HTTPStatus.UNAUTHORIZED:
            read_rest_of_file(request)
        return response


def read_rest_of_file(request: HttpRequest) -> None:
    """Read what the answer has left unread of a body, where files are sent (decision 0012).

    gunicorn closes a connection with more than 64 KiB unread, and a client that still sends then loses the answer.
    """
    limit, length = settings.MAX_BODY_BYTES_OF.get(request.path_info, 0), body_length(request)
    if length and length <= limit:
        with suppress(UnreadablePostError):  # The client is gone.
            while request.read(READ_BYTES):
                pass  # It is thrown away.


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
