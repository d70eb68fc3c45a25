"""Public reads, answered in front of Django: for them its middleware, routing and views cost more than the answer.

Django answers the first request of each kind, and the headers of that answer are sent with all later ones. What is not
plain is Django's, every error included (decision 0016).
"""

import re
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import DEFAULT_DB_ALIAS, Error
from django.http import HttpResponse, QueryDict
from django.utils.module_loading import import_string
from rest_framework.exceptions import APIException

from config import paths
from config.api.conditional import etag_of
from config.api.unknown_parameters import Queries, refuse_unknown
from config.database import reading, reading_connection
from config.database.replicas import replicas
from config.edge.limits.read_limit import read_limiter
from config.edge.observability.metrics import ROUTE, report
from config.edge.security.client_address import client_network
from config.edge.serving.answers import PublicResponse, Template, answer_of, vary_of
from config.edge.serving.cached_responses import CachedResponses
from config.values.request_id import CREDENTIALS, choose_request_id

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
WSGIApplication = Callable[[Environ, StartResponse], Iterable[bytes]]

NOT_PLAIN = CREDENTIALS | {
    "HTTP_IF_MATCH",
    "CONTENT_LENGTH",
    "CONTENT_TYPE",
    "HTTP_CONTENT_ENCODING",
    "HTTP_TRANSFER_ENCODING",
}
"""A request with one of these is Django's: it knows its caller, has a body, or asks for a 412."""

MAX_PLAIN_QUERY = 1000
"""Characters. A request with a longer query is Django's, which refuses an address that is too long once escaped."""

READS_OWN_WRITES = frozenset({"HTTP_COOKIE", "HTTP_X_API_KEY"})
"""Beside those above: a request with one of these may follow a change of the same caller."""

KIND = ("HTTP_HOST", "wsgi.url_scheme", "HTTP_X_FORWARDED_PROTO", "HTTP_ACCEPT", "HTTP_ORIGIN")
"""What, beside the route, decides the headers of an answer to a plain request."""

MAX_TEMPLATES = 256
"""The kinds of requests that a process remembers: at most a MiB or two."""


class Document(NamedTuple):
    """The body of an answer, and the headers that belong to it alone."""

    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class PublicRead:
    """A read that needs nothing of a request but its path and its query. settings.PUBLIC_READS lists them.

    `make` returns the body that the view of that path would send, or None when the view shall answer. `queries` are the
    query parameters of the view.
    """

    path: re.Pattern[str]
    make: Callable[[re.Match[str], QueryDict], Document | None]
    queries: Queries = ()


class PublicReads:
    """The WSGI application: answers plain public reads, and has Django answer everything else."""

    def __init__(self, django: WSGIApplication) -> None:
        self.django = django
        self.reads: list[PublicRead] = [import_string(name) for name in settings.PUBLIC_READS]
        self.templates: dict[Hashable, Template] = {}
        self.kept = CachedResponses()
        self.limiter = read_limiter(settings.READ_RATE)
        self.replicas = replicas()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        started, used = time.perf_counter(), time.thread_time()
        reading.alias = DEFAULT_DB_ALIAS
        if not is_plain(environ):
            return self.django(environ, start_response)
        if self.replicas.all and may_be_old(environ):
            reading.alias = self.replicas.choose()
            # As Django does before its requests. A connection that has ended is not a failure of the replica.
            reading_connection().close_if_unusable_or_obsolete()
        client = client_network(environ) if self.limiter else ""
        if self.limiter and self.limiter.is_spent(client):
            return self.django(environ, start_response)  # which refuses it
        state, answer = self.kept.look(environ)
        if answer is None:
            kind, answer = self.read(environ)
            if answer is None:
                return self.ask_django(environ, start_response, state, kind)
            self.kept.keep(environ, state, answer)
        if self.limiter:
            self.limiter.count(client)
            self.limiter.charge(client, time.thread_time() - used)
        request_id, environ[ROUTE] = choose_request_id(environ), answer.template.route
        status, body = send(answer, environ, start_response, request_id)
        report(environ, status, time.perf_counter() - started, request_id)
        return body

    def read(self, environ: Environ) -> tuple[Hashable, PublicResponse | None]:
        """Return the kind of a request and an answer that was made now.

        The kind is None where no read fits the path. The answer is None where Django shall give it.
        """
        for read in self.reads:
            if match := read.path.fullmatch(environ["PATH_INFO"]):
                break
        else:
            return None, None
        kind = (read, *map(environ.get, KIND))
        template = self.templates.get(kind)
        if template is None:
            return kind, None
        try:
            query = QueryDict(environ.get("QUERY_STRING", "").encode("latin-1"))
            refuse_unknown(query, read.queries)
            document = read.make(match, query)
        except (Error, SuspiciousOperation, APIException) as error:
            if isinstance(error, Error):
                self.replicas.report_failure(reading.alias)
                reading.alias = DEFAULT_DB_ALIAS
            return kind, None  # Django meets the same error, and answers it.
        if document is None:
            return kind, None
        etag, length = etag_of(document.body), str(len(document.body))
        own_headers = (("ETag", etag), ("Content-Length", length), *document.headers)
        return kind, PublicResponse(template, own_headers, etag, document.body)

    def ask_django(
        self, environ: Environ, start_response: StartResponse, state: str, kind: Hashable
    ) -> Iterable[bytes]:
        """Return Django's answer, learn the headers of its kind, and keep it under a state, if there is one.

        What is kept must be whole. So Django does not hear of If-None-Match then, and counts a 200 where a 304 is sent.
        """
        condition = environ.pop("HTTP_IF_NONE_MATCH", None) if state else None
        heads: list[tuple[Any, ...]] = []
        response = self.django(environ, lambda *head: heads.append(head))
        status, headers, *_ = heads[-1]
        vary = vary_of(status, headers)
        if vary is None or not status.startswith("200") or not isinstance(response, HttpResponse):
            self.kept.note(environ, vary)
            start_response(*heads[-1])
            return response
        answer = answer_of(environ[ROUTE], vary, headers, response.content)
        if kind is not None:
            if len(self.templates) >= MAX_TEMPLATES:
                self.templates.clear()  # strangers send too many kinds
            self.templates[kind] = answer.template
        self.kept.keep(environ, state, answer)
        if condition is None:
            start_response(*heads[-1])
            return response
        response.close()
        environ["HTTP_IF_NONE_MATCH"] = condition
        return send(answer, environ, start_response, dict(headers)["X-Request-Id"])[1]


def is_plain(environ: Environ) -> bool:
    """Tell whether a request may be answered in front of Django: its path and query say all that it asks for."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and NOT_PLAIN.isdisjoint(environ)
        and len(environ.get("QUERY_STRING", "")) <= MAX_PLAIN_QUERY
        and not names_session(environ)
    )


def names_session(environ: Environ) -> bool:
    """Tell whether a page is requested with a session: its reader gets a page that nobody else may get."""
    return settings.SESSION_COOKIE_NAME in environ.get("HTTP_COOKIE", "") and not paths.is_under(
        environ["PATH_INFO"], paths.API, paths.STATIC
    )


def may_be_old(environ: Environ) -> bool:
    """Tell whether a replica may answer. Requests with credentials read from the primary, so that they see what they
    wrote.
    """
    return READS_OWN_WRITES.isdisjoint(environ) and not paths.is_under(
        environ["PATH_INFO"], paths.ADMIN, paths.DEALS, *paths.OPERATOR
    )


def send(
    answer: PublicResponse, environ: Environ, start_response: StartResponse, request_id: str
) -> tuple[HTTPStatus, list[bytes]]:
    """Send the head of an answer, or of a 304 to a reader who has it. Return the status and the body."""
    status, headers = answer.head(environ.get("HTTP_IF_NONE_MATCH"))
    start_response(f"{status:d} {status.phrase}", [*headers, ("X-Request-Id", request_id)])
    return status, [answer.body] if status == HTTPStatus.OK else []
