"""Limits on what costs much: exports, sitemaps, dear reads, imports, and what staff do with many boards.

An export keeps a thread and a core busy for seconds. So few run at once in a process, fewer of one client, and the next
ones wait a little. docs/reliability/limits.md has the promises.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from weakref import finalize

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS
from django.http import HttpRequest, StreamingHttpResponse
from rest_framework.request import Request

from config.api.errors import RateLimited, ServiceUnavailable, TooManyRunning
from config.database import reading
from config.edge.limits import counters
from config.edge.limits.counters import Limit, parse_rate
from config.edge.limits.read_limit import charge
from config.edge.security.client_address import client_network

MAX_RUNNING = 2
"""The exports that run at once in a process, which has eight threads (config/gunicorn.conf.py)."""

MAX_RUNNING_OF_CLIENT = 1
MAX_WAITING = 3
"""The exports that wait for a permit. Each holds a thread; the pages keep three at least."""

MAX_WAITING_OF_CLIENT = 2
WAIT_SECONDS = 5
MAX_DEAR_READS = 1
MAX_DEAR_READS_WAITING = 1
"""Beside all exports and those that wait, these leave one thread to others, and each lasts some tenths of a second."""

MAX_OF_STAFF = 4
"""The imports and bulk changes of staff that run at once in a process: half of the threads. Programs with the API key
are trusted."""

MAX_OF_MEMBERS = 2
"""How many of these members' imports may be: so members never take all of them from staff."""


class Permits:
    """The permits of the exports, or of the dear reads, that run in this process. `refusal` tells what too many do."""

    def __init__(self, *, running: int = MAX_RUNNING, waiting: int = MAX_WAITING, refusal: str | None = None) -> None:
        self.max_running, self.max_waiting, self.refusal = running, waiting, refusal
        # A thread that holds it may collect garbage, and with it an export, which gives its permit back (Export).
        self.changed = threading.Condition(threading.RLock())
        self.forget()

    def forget(self) -> None:
        """Begin again, as if nothing ran: streams that nobody reads to their end never give their permit back."""
        self.running: Counter[str] = Counter()
        self.waiting: Counter[str] = Counter()

    def take(self, client: str) -> None:
        """Take a permit for a client. Wait for one if not too many do. Raise TooManyRunning when none gets free."""
        with self.changed:
            if not (self.has_permit(client) or self.wait(client)):
                reading.alias = DEFAULT_DB_ALIAS  # no replica has failed, and the primary need not be asked
                raise TooManyRunning(self.refusal)
            self.running[client] += 1

    def has_permit(self, client: str) -> bool:
        return self.running[client] < MAX_RUNNING_OF_CLIENT and self.running.total() < self.max_running

    def wait(self, client: str) -> bool:
        """Wait for a permit, and return whether there is one."""
        if self.waiting[client] >= MAX_WAITING_OF_CLIENT or self.waiting.total() >= self.max_waiting:
            return False
        self.waiting[client] += 1
        try:
            return self.changed.wait_for(lambda: self.has_permit(client), WAIT_SECONDS)
        finally:
            count_one_less(self.waiting, client)

    def free(self, client: str) -> None:
        with self.changed:
            count_one_less(self.running, client)
            self.changed.notify_all()


def count_one_less(counts: Counter[str], client: str) -> None:
    """Count one less of a client, in place, and drop the clients without one."""
    counts[client] -= 1
    counts += Counter()


permits = Permits()
dear_reads = Permits(
    running=MAX_DEAR_READS,
    waiting=MAX_DEAR_READS_WAITING,
    refusal="Many boards are being counted or compared. Try again in a few seconds.",
)
staff = threading.BoundedSemaphore(MAX_OF_STAFF)
members = threading.BoundedSemaphore(MAX_OF_MEMBERS)


class Export(Iterator[bytes]):
    """The chunks of an export. It gives its permit back when it is closed, or forgotten without having been sent."""

    def __init__(self, chunks: Iterable[bytes], client: str) -> None:
        permits.take(client)
        self.free = finalize(self, permits.free, client)
        self.chunks = iter(chunks)
        self.client = client

    def __next__(self) -> bytes:
        started = time.thread_time()
        try:
            return next(self.chunks)
        finally:
            charge(self.client, time.thread_time() - started)

    def begin(self) -> None:
        """Make the first chunk, before a head says that all is well: what it raises is the answer then."""
        try:
            first = [*islice(self.chunks, 1)]
        except BaseException:
            self.close()
            raise
        self.chunks = chain(first, self.chunks)

    def close(self) -> None:
        self.free()


HOLDS_PERMIT = "bridge_boards.dear_read"
"""The name of a request's variable while it has a permit for a dear read. REST framework's request shares META."""


@contextmanager
def dear_read(request: HttpRequest | Request) -> Iterator[None]:
    """Take a permit while the block reads what keeps the database busy. Raise TooManyRunning when none gets free.

    A request has one permit at most: a block within another one has the permit of that. Where a read finds out on its
    way that it is dear, see dear_reads.

    The block is charged by the clock: what the database takes is not in the thread's own time, which ReadLimit charges.
    It is near the work as long as few run at once. Charged so, all reads would pay for a crowd and for an outage.
    """
    if HOLDS_PERMIT in request.META:
        yield
        return
    client = client_network(request.META)
    dear_reads.take(client)
    request.META[HOLDS_PERMIT] = True
    started = time.monotonic() - time.thread_time()
    try:
        yield
    finally:
        del request.META[HOLDS_PERMIT]
        dear_reads.free(client)
        charge(client, time.monotonic() - time.thread_time() - started)


@contextmanager
def staff_permit(permits: threading.BoundedSemaphore = staff) -> Iterator[None]:
    """Take a permit while the block imports a file or changes boards. Raise TooManyRunning when there is none."""
    if not permits.acquire(blocking=False):
        raise TooManyRunning("Many imports and changes are running. Repeat this one in a few seconds.")
    try:
        yield
    finally:
        permits.release()


@contextmanager
def member_permit() -> Iterator[None]:
    """Take a permit for a member's import, which is one of staff's too. Raise TooManyRunning when there is none."""
    with staff_permit(members), staff_permit():
        yield


def stream(
    request: HttpRequest | Request, kind: str, chunks: Iterable[bytes], content_type: str
) -> StreamingHttpResponse:
    """Return an answer that streams the chunks.

    Raise TooManyRunning when too many run, RateLimited when the client has begun too many of this kind, and what the
    first chunk raises.
    """
    client = client_network(request.META)
    export = Export(chunks, client)
    if settings.EXPORT_RATE:
        # Nothing is counted while the counters are out of reach: an export is a read, and MAX_RUNNING holds without.
        with suppress(ServiceUnavailable):
            usage = counters.count(f"exports.{kind}", Limit(f"client:{client}", *parse_rate(settings.EXPORT_RATE)))
            if usage.exceeded:
                export.close()
                raise RateLimited(headers={"Retry-After": str(usage.wait)})
    if request.method != "HEAD":  # nobody reads a chunk
        export.begin()
    return StreamingHttpResponse(export, content_type=content_type)
