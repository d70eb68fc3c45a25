"""gunicorn's worker with threads, which gives a thread to whole requests only, and keeps threads for what is quick.

gunicorn's own worker reads a request in the thread that answers it, so a few clients that send half a request hold all
threads. And all requests share the threads, so that a few slow ones keep /livez waiting. Here the main loop receives a
request, without a thread. Each lane of requests has threads of its own. docs/decisions/0026 says why, and
docs/reliability/limits.md what is promised.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from errno import ECONNRESET
from functools import partial
from selectors import EVENT_READ
from socket import SHUT_WR, socket
from threading import local
from typing import Any

from django.conf import settings
from gunicorn.http import get_parser
from gunicorn.workers.gthread import TConn, ThreadWorker

from config import paths
from config.edge.metrics_files import metrics_files
from config.edge.overload import OVERLOADED

REQUEST_SECONDS = 20
"""How long a request may take to arrive, with a body of MAX_BODY_BYTES at most, from its first byte on."""

SOCKET_SECONDS = 30
"""How long a thread waits for the next bytes of a larger body, and for a client to take a part of an answer."""

NO_SECONDS = 0.0
"""The same for answers of a few bytes, which the kernel takes at once unless the client reads none of them."""

QUEUE_SECONDS = 5
"""How long a whole request waits for a thread. Then it is answered 503."""

LINGER_SECONDS = 2
"""How long a closed connection is still read: a client that is sending would lose the end of its answer otherwise."""

TICK_SECONDS = 0.25
MAX_RECEIVED_BYTES = 32 * 2**20
"""The memory for requests that have not arrived whole."""

MAX_HEAD_BYTES = 64 * 1024
"""gunicorn refuses a long address or header, but would take a hundred headers of the longest."""

LANES = {"livez": 1, "static": 2, "refusals": 1}
"""The threads of each lane beside the lane of all other requests, which has gunicorn's `threads`."""

LIVEZ = re.compile(rb"(?:GET|HEAD) %b/?[? ]" % re.escape(paths.LIVEZ.encode()))
STATIC = re.compile(rb"(?:GET|HEAD) %b/" % re.escape(paths.STATIC.encode()))
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)
EXPECT = re.compile(rb"(?<=\r\n)expect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
EXPECTING = re.compile(rb"[^\r\n]* HTTP/1\.1\r\n(?s:.*)" + EXPECT.pattern, re.IGNORECASE)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
TOO_LARGE = TIMEOUT.replace(b"408 Request Timeout", b"431 Request Header Fields Too Large")


class Connection(TConn):
    """A connection, and what has arrived of its next request. gunicorn's parser reads it like a socket."""

    def __init__(self, cfg: Any, sock: socket, client: Any, server: Any) -> None:
        super().__init__(cfg, sock, client, server)
        self.parser = get_parser(cfg, self, client)
        self.initialized = True  # so that gunicorn makes no parser of its own
        self.received = bytearray()
        self.patience = float(SOCKET_SECONDS)
        self.begin()

    def begin(self) -> None:
        """Expect the next request. The parser may have read its first bytes already."""
        self.received[:0] = self.parser.unreader.take_buffered()
        self.size: int | None = None  # with the body, once the head is there
        self.taken = 0
        self.may_wait = False

    def recv(self, size: int) -> bytes:
        """Return what has arrived. Wait for more only while the application reads a large body."""
        chunk = bytes(self.received[:size])
        del self.received[:size]
        if self.may_wait and not chunk:
            chunk = self.sock.recv(size)
        self.taken += len(chunk)
        return chunk

    def is_whole(self) -> bool:
        """Tell whether a thread can have the request: with its body, unless that is large or of unknown length.

        gunicorn, not this method, decides what is valid and where a request ends.
        """
        if self.size is None:
            end = self.received.find(b"\r\n\r\n") + 4
            if end < 4:
                return False
            length = CONTENT_LENGTH.search(self.received, 0, end)
            body = int(length[1]) if length else 0
            if 0 < body <= settings.MAX_BODY_BYTES and EXPECTING.match(self.received, 0, end):
                self.received[:end] = EXPECT.sub(b"", self.received[:end])
                self.sock.send(CONTINUE)
                return self.is_whole()
            self.size = end + body
            self.is_large = body > settings.MAX_BODY_BYTES
        return self.is_large or len(self.received) >= self.size

    def has_been_read(self) -> bool:
        """Read the rest of a body that the application left. Tell whether the next request can follow."""
        self.may_wait = False
        body = self.parser.mesg.body
        while body.read(64 * 1024):
            pass
        read = self.taken - len(self.parser.unreader.buf.getvalue())
        return not body.failed and read >= (self.size or 0)


class LaneWorker(ThreadWorker):
    """Receive requests in the main loop. Answer /livez and static files in threads that nothing else can take."""

    def init_process(self) -> None:
        self.lanes = {name: ThreadPoolExecutor(threads, name) for name, threads in LANES.items()}
        self.arriving: dict[Connection, None] = {}
        self.lingering: dict[Connection, None] = {}
        self.queue: deque[tuple[float, Connection, Future[Any]]] = deque()
        self.refusing = local()
        super().init_process()

    def load_wsgi(self) -> None:
        super().load_wsgi()
        application: Callable[..., Iterable[bytes]] = getattr(self, "wsgi")  # noqa: B009  (untyped in gunicorn)
        self.application, self.wsgi = application, self.call_application

    def call_application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if getattr(self.refusing, "now", False):
            environ[OVERLOADED] = True
        return self.application(environ, start_response)

    def is_parent_alive(self) -> bool:
        """Tell whether the master lives. If it was killed, close its port at once and let requests in hand end.

        Otherwise the orphans would keep the port for as long as a client keeps a connection, up to graceful_timeout.
        Nobody would accept there, and a new master could not listen. The metrics' files go too, since nobody else would
        remove them; what is mapped stays.
        """
        if super().is_parent_alive():
            return True
        self.set_accept_enabled(False)
        self.close_port()
        metrics_files().remove()
        return False

    def close_port(self) -> None:
        """Take the connections that wait at the port, then close it.

        Later ones are refused, and a proxy sends their requests elsewhere. What waits at a port that nobody serves any
        more would be lost with it, and a proxy repeats no POST that may have arrived.
        """
        while self.sockets:
            listener = self.sockets.pop()
            for _ in range(self.cfg.backlog):  # no more of them can wait
                if not self.accept(listener):
                    break
            listener.close()

    # --- Requests arrive ---------------------------------------------------------------------------------------

    def accept(self, listener: socket) -> bool:
        """Accept a connection. Return False when there is none.

        Drop the one that has been idle for the longest time when there are too many.
        """
        try:
            sock, client = listener.accept()
        except BlockingIOError:
            return False  # another process was faster
        except ConnectionAbortedError:
            return True  # the client has gone, others may wait
        self.nr_conns += 1
        if self.nr_conns >= self.worker_connections:
            self.make_room()
        self.enqueue_req(Connection(self.cfg, sock, client, listener.getsockname()))
        return True

    def make_room(self) -> None:
        if self.keepalived_conns:
            self.forget(self.keepalived_conns.popleft())
        elif self.arriving:
            self.drop(next(iter(self.arriving)))

    def enqueue_req(self, conn: Connection) -> None:
        """Begin to receive a request. gunicorn calls this where it would give the connection to a thread."""
        conn.begin()
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + (REQUEST_SECONDS if conn.received else self.cfg.keepalive)
        if self.is_arriving(conn, conn.received):
            self.arriving[conn] = None
            self.poller.register(conn.sock, EVENT_READ, partial(self.is_arriving, conn))

    def is_arriving(self, conn: Connection, _: Any) -> bool:
        """Take what has arrived, and give a whole request to a thread. Tell whether it is still arriving."""
        try:
            if not (conn.received and conn.is_whole()):
                data = conn.sock.recv(64 * 1024)
                if not data:
                    self.drop(conn)
                    return False
                if not conn.received:
                    conn.timeout = time.monotonic() + REQUEST_SECONDS
                conn.received += data
                if not conn.is_whole():
                    return self.is_within_limits(conn)
        except BlockingIOError:
            return True
        except OSError:
            self.drop(conn)
            return False
        self.hand_over(conn)
        self.dispatch(conn)
        return False

    def is_within_limits(self, conn: Connection) -> bool:
        """Tell whether a request may go on arriving. Refuse a head that does not end."""
        if conn.size is None and len(conn.received) > MAX_HEAD_BYTES:
            self.give_up(conn, TOO_LARGE)
            return False
        return True

    def hand_over(self, conn: Connection) -> None:
        """Stop receiving."""
        if conn in self.arriving:
            del self.arriving[conn]
            self.poller.unregister(conn.sock)

    # --- Threads answer them -----------------------------------------------------------------------------------

    def dispatch(self, conn: Connection) -> None:
        """Give a request to the threads of its lane."""
        is_livez = LIVEZ.match(conn.received)
        conn.patience = NO_SECONDS if is_livez else SOCKET_SECONDS
        if is_livez:
            self.submit(self.lanes["livez"], self.handle, conn)
        elif STATIC.match(conn.received):
            self.submit(self.lanes["static"], self.handle, conn)
        else:
            future = self.submit(self.tpool, self.handle, conn)
            self.queue.append((time.monotonic() + QUEUE_SECONDS, conn, future))

    def submit(
        self, pool: ThreadPoolExecutor, handle: Callable[[Connection], Any], conn: Connection
    ) -> Future[Any]:
        future = pool.submit(handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))
        return future

    def handle_request(self, req: Any, conn: Connection) -> bool:
        """Answer a request whose head gunicorn has parsed. From here on nobody's slowness holds the thread for long."""
        conn.may_wait = True
        conn.sock.settimeout(conn.patience)
        try:
            return super().handle_request(req, conn)
        except (BlockingIOError, TimeoutError) as error:
            # As one that gunicorn does not log: any stranger can do it as often as he likes.
            raise ConnectionResetError(ECONNRESET, "The client does not read its answer.") from error

    def refuse(self, conn: Connection) -> Any:
        """Answer 503, in a thread that is free for it."""
        self.refusing.now = True
        conn.patience = NO_SECONDS
        try:
            return self.handle(conn)
        finally:
            self.refusing.now = False

    def _keepalive_after(self, conn: Connection, keepalive: bool) -> bool:
        """Tell whether the connection can be used again. gunicorn's own method waits five seconds for a body."""
        return keepalive and conn.has_been_read()

    def finish_request(self, conn: Connection, future: Future[Any]) -> None:
        """Wait for the next request of the connection, or close it, in the main loop."""
        if future.cancelled():
            return  # it waited too long, and another thread refuses it
        if future.exception() or not future.result():
            self.linger(conn)
        elif conn.received or conn.parser.unreader.buf.getvalue():
            self.enqueue_req(conn)
        else:
            super().finish_request(conn, future)

    # --- Connections end ---------------------------------------------------------------------------------------

    def linger(self, conn: Connection) -> None:
        """Send the end of the stream, and read on until the client closes (RFC 9112 §9.6), without waiting for it."""
        try:
            conn.sock.shutdown(SHUT_WR)
            conn.sock.setblocking(False)
        except OSError:
            self.forget(conn)
            return
        conn.timeout = time.monotonic() + LINGER_SECONDS
        self.lingering[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self.discard, conn))

    def discard(self, conn: Connection, _: Any) -> None:
        try:
            if conn.sock.recv(64 * 1024):
                return
        except BlockingIOError:
            return
        except OSError:
            pass  # the client has reset the connection
        self.drop(conn)

    def drop(self, conn: Connection) -> None:
        """Close a connection that the main loop has."""
        self.arriving.pop(conn, None)
        self.lingering.pop(conn, None)
        self.forget(conn)

    def forget(self, conn: Connection) -> None:
        with suppress(KeyError, ValueError):  # it may not be registered
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    # --- What waits too long -----------------------------------------------------------------------------------

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        super().wait_for_and_dispatch_events(min(timeout, TICK_SECONDS))
        self.refuse_queued()

    def refuse_queued(self) -> None:
        """Refuse the requests that have waited QUEUE_SECONDS for a thread. They wait in the order of their arrival."""
        now = time.monotonic()
        while self.queue:
            deadline, conn, future = self.queue[0]
            if deadline > now and not (future.running() or future.done()):
                return
            self.queue.popleft()
            if future.cancel():
                self.submit(self.lanes["refusals"], self.refuse, conn)

    def murder_pending(self) -> None:
        """End the connections whose request does not arrive, and those that were closed long enough ago."""
        now = time.monotonic()
        for conn in [each for each in self.lingering if each.timeout <= now]:
            self.drop(conn)
        for conn in [each for each in self.arriving if each.timeout <= now]:
            self.give_up(conn, TIMEOUT)
        while sum(len(each.received) for each in self.arriving) > MAX_RECEIVED_BYTES:
            self.give_up(max(self.arriving, key=lambda each: len(each.received)), TIMEOUT)

    def give_up(self, conn: Connection, answer: bytes) -> None:
        """End a connection whose request does not arrive. One that has begun is answered."""
        if not conn.received:
            self.drop(conn)
            return
        self.hand_over(conn)
        with suppress(OSError):  # the client may have gone
            conn.sock.send(answer)
        self.linger(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """Begin to stop: close the port now, and idle connections by a deadline. A request that arrives is answered."""
        self.close_port()
        super()._cap_keepalive(deadline)
        for conn in self.arriving:
            if not conn.received:
                conn.timeout = min(conn.timeout, deadline)
