"""What happens to a request before any view, and to an answer after all of them."""

import codecs
import re
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.api import errors, logs
from config.api.handlers import outside_views

GetResponse = Callable[[HttpRequest], HttpResponseBase]

WELL_FORMED_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")

SESSION_KEY = re.compile(r"[a-z0-9]*")
WITH_SLASH = ("/admin/", "/static/")

MAX_URI = 8000  # gunicorn reads request lines up to 8,190 bytes; what is longer gets the server's own 414.
MAX_BODY = 256 * 1024
MAX_BODY_OF = {"/api/deals/import": settings.DATA_UPLOAD_MAX_MEMORY_SIZE}


class RequestIdMiddleware:
    """Names the request: its own X-Request-Id where that is well-formed, else a new one. Every answer bears it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        offered = request.headers.get("X-Request-Id", "")
        request_id = offered if WELL_FORMED_REQUEST_ID.fullmatch(offered) else str(uuid.uuid4())
        token = logs.request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            logs.request_id.reset(token)
        response["X-Request-Id"] = request_id
        return response


class HeadMiddleware:
    """HEAD is GET without the body, its length included (RFC 9110 §9.3.2)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method == "HEAD":
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = ()
            elif isinstance(response, HttpResponse):
                response.content = b""
        return response


class EdgeMiddleware:
    """Refuses what no view should have to think of, before a byte of the body is read.

    Takes one trailing slash off the path, so that /api/boards/ is /api/boards (no redirect, no twin routes). A
    session cookie that Django cannot have made is left out, since the database would be asked for it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if len(path) > 1 and path.endswith("/") and not path.startswith(WITH_SLASH):
            request.path_info = request.path_info[:-1]
            request.path = request.path[:-1]
        if not SESSION_KEY.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        try:
            check_nul(request)
            check_uri(request)
            check_length(request)
            check_encoding(request)
            check_charset(request)
        except errors.ApiError as error:
            return outside_views(request, error)
        return self.get_response(request)


class ContentSecurityPolicyMiddleware:
    """Sends SECURE_CSP on every answer; Django 6 brings this itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.policy = "; ".join(
            f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items()
        )

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", self.policy)
        return response


def check_uri(request: HttpRequest) -> None:
    if len(request.get_full_path()) > MAX_URI:
        raise errors.UriTooLong(meta={"maxLength": MAX_URI})


def check_nul(request: HttpRequest) -> None:
    """PostgreSQL holds no NUL in a text. Our own views name the field that has one; the admin's would crash."""
    nul = "\x00" in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
    if nul and request.path_info.startswith("/admin/"):
        raise errors.BadRequest("The address has a NUL character.")


def check_length(request: HttpRequest) -> None:
    """WSGI reads a chunked body as an empty one, so a PATCH would quietly do something else than was asked."""
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise errors.LengthRequired
    limit = MAX_BODY_OF.get(request.path_info, MAX_BODY)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdecimal()):
        raise errors.BadRequest("Content-Length is not a number.")
    if len(length) > 18 or int(length) > limit:
        raise errors.PayloadTooLarge(
            f"The body is larger than {limit // 1024} KiB.", meta={"maxBytes": limit}
        )


def check_encoding(request: HttpRequest) -> None:
    """Nothing here unpacks a body."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise errors.UnsupportedMediaType("Send the body as it is, without Content-Encoding.")


def check_charset(request: HttpRequest) -> None:
    """Python decodes `punycode` in quadratic time (640 KB: 22 s), so no charset but UTF-8 is ever tried.

    Django takes the last of several charsets, and charset*= too: what counts is what it parsed.
    """
    named = (request.content_params or {}).get("charset") or request.encoding
    if named is None:
        return
    try:
        readable = codecs.lookup(named).name == "utf-8"
    except (LookupError, ValueError):
        readable = False
    if not readable:
        raise errors.UnsupportedMediaType("Send the body in UTF-8.")
