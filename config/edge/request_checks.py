"""Request checks: rules that hold for every request, whichever view would answer it. settings.py lists them.

Apps register their own there: the API key of the deals, the limits of the forms.
"""

import codecs
import re

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config import paths
from config.api import errors
from config.api.negotiation import is_text
from config.database.waits import writers

# gunicorn reads request lines up to 8,190 bytes and answers longer ones with a 414 of its own.
MAX_URI_LENGTH = 8000

SESSION_KEY = re.compile(r"[a-z0-9]*")


class RequestCheck:
    """One rule. `check` runs before routing, `finish` on every answer, refusals and crashes included."""

    def check(self, request: HttpRequest) -> None:
        """Raise ApiError to refuse the request."""

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Add headers to the answer, or store a record of it."""


class ReadableRequest(RequestCheck):
    """Refuse a request that no view should have to think of: with NUL, chunked, too long, compressed, not in UTF-8.

    Take away the cookie of a session under /api, where nobody has one, and under /club, whose files are the same for
    all. Take away a cookie that Django cannot have made, too: PostgreSQL would be asked for a key with NUL.
    """

    def check(self, request: HttpRequest) -> None:
        session_key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if paths.is_under(request.path_info, paths.API, paths.CLUB) or not SESSION_KEY.fullmatch(session_key):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        has_nul = "\x00" in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
        if has_nul and paths.is_under(request.path_info, paths.ADMIN):  # our own views name the field that has one
            raise errors.BadRequest("The address has a NUL character: remove it.")
        if len(request.get_full_path()) > MAX_URI_LENGTH:
            raise errors.UriTooLong(meta={"maxLength": MAX_URI_LENGTH})
        check_length(request)
        if request.META.get("HTTP_CONTENT_ENCODING", "identity").strip().lower() not in ("", "identity"):
            raise errors.UnsupportedMediaType("Send the body uncompressed, without Content-Encoding.")
        check_charset(request)


class Writers(RequestCheck):
    """Limit the requests that write at a time, so that readers keep threads (config.database.waits)."""

    def check(self, request: HttpRequest) -> None:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        request.has_permit = writers.enter()  # type: ignore[attr-defined]  # ours
        if not request.has_permit:  # type: ignore[attr-defined]  # the same
            raise errors.ServiceUnavailable(
                "Too many requests are waiting for the database, so nothing was stored. Repeat the request a little"
                " later."
            )

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        if getattr(request, "has_permit", False):
            writers.leave()


def check_length(request: HttpRequest) -> None:
    """Refuse a chunked body, which WSGI would read as an empty one, and a body over the route's limit."""
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise errors.LengthRequired
    limit = settings.MAX_BODY_BYTES_OF.get(request.path_info, settings.MAX_BODY_BYTES)
    length = body_length(request)
    if length is None:
        raise errors.BadRequest("Content-Length is not a whole number: send the length of the body in bytes.")
    if length > limit:
        raise errors.PayloadTooLarge(
            f"The body is larger than {limit // 1024} KiB, the limit of this address.", meta={"maxBytes": limit}
        )


def body_length(request: HttpRequest) -> int | None:
    """Return the bytes that Content-Length announces, at most 10^18, or None where it is not a whole number."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdecimal()):
        return None
    return int(length) if len(length) <= 18 else 10**18


def check_charset(request: HttpRequest) -> None:
    """Refuse every charset but UTF-8: Python decodes `punycode` in quadratic time (640 KB: 22 s).

    Django takes the last of several charsets, and charset*= too, so what it parsed is what counts. Where files are
    sent, that of a file counts for nothing: config.edge.serving.wsgi sees to it that nothing decodes by any.
    """
    is_file = request.path_info in settings.MAX_BODY_BYTES_OF and not is_text(request.content_type or "")
    charset = (request.content_params or {}).get("charset")
    if is_file or not charset:
        return
    try:
        readable = codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        readable = False
    if not readable:
        raise errors.UnsupportedMediaType("Send the body in UTF-8.")
