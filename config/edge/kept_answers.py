"""Public answers that a process keeps and sends again for as long as PostgreSQL says that nothing was committed since.

This is the shared cache of RFC 9111, inside the service, with the database as its validator: each hit asks the database
first, so that a change is visible to the very next read in every process. docs/decisions/0014 has the proof.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import Error, connection
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch

from config.api.conditional import CONDITIONS, make_conditional
from config.api.views import PUBLIC
from config.database import prepared_cursor
from config.edge.middleware import GetResponse
from config.values.credentials import CREDENTIALS

# Two equal texts mean that the same transactions are visible. A standby does not list those that run, so it says "".
SNAPSHOT = "SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE pg_current_snapshot()::text END"

# Answers to requests with credentials are never kept, and CORS adds its headers outside of this middleware.
VARY_IGNORED = frozenset({"authorization", "x-impersonation-id"})
# REST framework answers 406 by Accept without naming it in Vary, where a view has only one renderer.
VARY_ALWAYS = ("HTTP_ACCEPT",)

MIN_BYTES = 4096
"""The smallest body that is kept. To make a smaller one, such as a board, costs hardly more than to check it."""

MAX_PAUSE = 63
"""How many requests for an address may pass without a look at the state of the database."""

ENTRY_BYTES = 1500
"""What an entry costs beside its texts, about: Python's objects and their places in dictionaries."""


class Answer(NamedTuple):
    """A whole 200, and the state of the database that was read before the answer was made."""

    state: str
    body: bytes
    headers: dict[str, str]
    resolver_match: ResolverMatch

    def response(self) -> HttpResponse:
        """Return a response of its own for each request, since outer middleware add headers to it."""
        return HttpResponse(self.body, headers=self.headers)


@dataclass(slots=True)
class Address:
    """What is known of the answers to one address: by which headers they vary, and how often keeping them was in vain.

    Where something is committed between any two requests, a look at the state of the database is wasted. So after each
    look that found a change, twice as many requests as before pass without one, at most MAX_PAUSE.
    """

    vary: tuple[str, ...]
    pause: int = 0
    left: int = 0

    def passes(self) -> bool:
        """Tell whether the next request passes without a look."""
        self.left -= 1
        return self.left >= 0

    def found(self, *, unchanged: bool) -> None:
        """Record what a look has found."""
        self.pause = 0 if unchanged else min(2 * self.pause + 1, MAX_PAUSE)
        self.left = self.pause


class AnswerStore:
    """A dictionary with a limit in bytes. It drops what was not used for the longest time. Threads share it."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes = 0
        self.entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        with self.lock:
            if key not in self.entries:
                return None
            self.entries.move_to_end(key)
            return self.entries[key][0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Store a value of so many bytes, unless it would take more than an eighth of the store."""
        size += ENTRY_BYTES
        self.discard(key)
        if size > self.max_bytes // 8:
            return
        with self.lock:
            self.entries[key] = value, size
            self.bytes += size
            while self.bytes > self.max_bytes:
                _, (_, dropped) = self.entries.popitem(last=False)
                self.bytes -= dropped

    def discard(self, key: Hashable) -> None:
        with self.lock:
            _, size = self.entries.pop(key, (None, 0))
            self.bytes -= size


class KeptAnswersMiddleware:
    """Keep public answers and send them again until anything is committed. PostgreSQL only: SQLite cannot say that.

    The first answer to an address is only noted, with the headers it varies by: a crawl that requests each page once
    never asks for the state of the database. From the second request on the answer is kept.
    """

    def __init__(self, get_response: GetResponse) -> None:
        if connection.vendor != "postgresql" or not settings.KEPT_ANSWERS_MIB:
            raise MiddlewareNotUsed("Answers are kept with PostgreSQL and KEPT_ANSWERS_MIB alone.")
        self.get_response = get_response
        self.store = AnswerStore(settings.KEPT_ANSWERS_MIB * 2**20)
        self.connections = 0
        connection_created.connect(self.count_connection)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        meta = request.META
        # Inside a transaction, as in most tests, the caller may see what it has not committed.
        if (
            request.method not in ("GET", "HEAD")
            or not CREDENTIALS.isdisjoint(meta)
            or connection.in_atomic_block
        ):
            return self.get_response(request)
        # A tuple, since the path is decoded: it may contain a question mark of its own.
        address = (meta.get("HTTP_HOST"), request.path, meta.get("QUERY_STRING"))
        known: Address | None = self.store.get(address)
        if known is None:
            response = self.get_response(request)
            self.note(address, response)
            return response
        if known.passes() or not (state := self.database_state()):
            return self.get_response(request)
        answer: Answer | None = self.store.get(key_of(address, known.vary, request))
        if answer is None or answer.state != state:
            known.found(unchanged=answer is None)
            return self.make_and_keep(request, address, state)
        known.found(unchanged=True)
        request.resolver_match = answer.resolver_match
        return answer_to(request, answer.response())

    def note(self, address: tuple[str | None, ...], response: HttpResponseBase) -> tuple[str, ...] | None:
        """Store by which headers the answers of an address vary. Return them, or None where none may be kept."""
        vary = vary_of(response)
        known: Address | None = self.store.get(address)
        if vary is None:
            self.store.discard(address)
        elif known is None or known.vary != vary:
            self.store.put(address, Address(vary), text_bytes(*address))
        return vary

    def make_and_keep(
        self, request: HttpRequest, address: tuple[str | None, ...], state: str
    ) -> HttpResponseBase:
        """Have the view make the whole answer, keep it, and only then see whether the caller has it already."""
        conditions = {name: request.META.pop(name) for name in CONDITIONS & request.META.keys()}
        request.__dict__.pop("headers", None)  # Django makes it once, from META
        response = self.get_response(request)
        request.META.update(conditions)
        request.__dict__.pop("headers", None)
        vary = self.note(address, response)
        if not isinstance(response, HttpResponse) or response.status_code != HTTPStatus.OK:
            return response
        if vary is not None and request.resolver_match is not None:
            request.resolver_match.tried = (
                None  # ten KiB of patterns that did not match, for Django's debug page
            )
            # A copy of the exact size: orjson's own bytes hold up to three times the memory.
            body = bytes(memoryview(response.content))
            answer = Answer(state, body, dict(response.items()), request.resolver_match)
            key = key_of(address, vary, request)
            size = len(answer.body) + text_bytes(*key, *answer.headers, *answer.headers.values())
            self.store.put(key, answer, size)
        return answer_to(request, response) if "ETag" in response else response

    def database_state(self) -> str:
        """Return a text that changes with every commit, or "" when the database does not tell.

        Then the view answers, which needs no database perhaps; else its error is the answer.

        After a crash PostgreSQL may give a transaction's number away again. So the text begins with the number of
        connections that this process has made: read when this connection exists and before it is used, it has grown
        since everything that was kept before the crash.
        """
        try:
            with prepared_cursor() as cursor:
                connections = self.connections
                cursor.execute(SNAPSHOT)
                (snapshot,) = cursor.fetchone()
        except Error:
            return ""
        return snapshot and f"{connections} {snapshot}"

    def count_connection(self, **kwargs: Any) -> None:
        self.connections += 1


def answer_to(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a whole answer, or a 304 or 412 when the request has a condition."""
    return response if CONDITIONS.isdisjoint(request.META) else make_conditional(request, response)


def vary_of(response: HttpResponseBase) -> tuple[str, ...] | None:
    """Return the names in META of the headers that chose an answer, or None where the answer may not be kept."""
    if (
        not isinstance(response, HttpResponse)
        or response.status_code not in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
        or response.get("Cache-Control") != PUBLIC
        or "ETag" not in response
        or response.cookies
        or (response.status_code == HTTPStatus.OK and len(response.content) < MIN_BYTES)
    ):
        return None
    names = {name.strip().lower() for name in response.get("Vary", "").split(",")} - VARY_IGNORED - {""}
    if names & {"*", "cookie"}:
        return None
    return (*VARY_ALWAYS, *(f"HTTP_{name.upper().replace('-', '_')}" for name in sorted(names)))


def key_of(address: tuple[str | None, ...], vary: tuple[str, ...], request: HttpRequest) -> tuple[Any, ...]:
    return (*address, *vary, *(request.META.get(name) for name in vary))


def text_bytes(*texts: str | None) -> int:
    return sum(map(sys.getsizeof, texts))
