"""Limits on what costs much: exports, sitemaps, and pages with many boards.

An export keeps a thread and a core busy for seconds. So few run at once in a process, fewer of one client, and each
client may begin EXPORT_RATE of each kind, counted exactly. Its chunks count as reads by what they cost, too.

A page with many boards takes one of the same places, and is counted as reads by what it costs.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from weakref import finalize

from django.conf import settings
from django.http import HttpRequest, StreamingHttpResponse
from rest_framework.request import Request

from config.api.errors import RateLimited, ServiceUnavailable
from config.edge import counters
from config.edge.client_address import client_network
from config.edge.counters import Limit, parse_rate
from config.edge.read_limit import charge

MAX_RUNNING = 2
"""The exports and large pages that run at once in a process, which has eight threads (config/gunicorn.conf.py)."""

MAX_RUNNING_OF_CLIENT = 1


class Slots:
    """The places of the exports that run in this process."""

    def __init__(self) -> None:
        # A thread that holds it may collect garbage, and with it an export, which frees its place (Export).
        self.lock = threading.RLock()
        self.running: Counter[str] = Counter()

    def take(self, client: str) -> None:
        """Take a place for a client. Raise ServiceUnavailable when there is none."""
        with self.lock:
            if self.running[client] < MAX_RUNNING_OF_CLIENT and self.running.total() < MAX_RUNNING:
                self.running[client] += 1
                return
        raise ServiceUnavailable(
            "Other large requests are running. Repeat this one when they are done.",
            headers={"Retry-After": "5"},
        )

    def free(self, client: str) -> None:
        with self.lock:
            self.running[client] -= 1
            self.running += Counter()  # drops the clients without one


slots = Slots()


class Export(Iterator[bytes]):
    """The chunks of an export. Its place is free again when it is closed, or forgotten without having been sent."""

    def __init__(self, chunks: Iterable[bytes], client: str) -> None:
        slots.take(client)
        self.free = finalize(self, slots.free, client)
        self.chunks = iter(chunks)
        self.client = client

    def __next__(self) -> bytes:
        started = time.thread_time()
        try:
            return next(self.chunks)
        finally:
            charge(self.client, time.thread_time() - started)

    def close(self) -> None:
        self.free()


@contextmanager
def place(request: HttpRequest) -> Iterator[None]:
    """Take a place while the block makes a large page. Raise ServiceUnavailable when there is none."""
    client = client_network(request.META)
    slots.take(client)
    try:
        yield
    finally:
        slots.free(client)


def stream(
    request: HttpRequest | Request, kind: str, chunks: Iterable[bytes], content_type: str
) -> StreamingHttpResponse:
    """Return an answer that streams the chunks.

    Raise ServiceUnavailable when too many exports run, and RateLimited when the client has begun too many of this kind.
    """
    client = client_network(request.META)
    export = Export(chunks, client)
    try:
        count(kind, client)
    except RateLimited:
        export.close()
        raise
    return StreamingHttpResponse(export, content_type=content_type)


def count(kind: str, client: str) -> None:
    """Count an export. Raise RateLimited past EXPORT_RATE.

    Count nothing when the counters are out of reach: an export is a read, and MAX_RUNNING holds without them.
    """
    if not settings.EXPORT_RATE:
        return
    try:
        usage = counters.count(
            f"exports.{kind}", Limit(f"client:{client}", *parse_rate(settings.EXPORT_RATE))
        )
    except ServiceUnavailable:
        return
    if usage.exceeded:
        raise RateLimited(headers={"Retry-After": str(usage.wait)})
