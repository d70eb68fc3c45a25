"""Threads of a web process that wait for the database: how many may, for how long, and what ends their waiting.

A process has few threads, and each that waits answers nobody. So two things are bounded here. While the server does not
answer at all, nobody waits for it: whoever does is broken off, and everybody else gets an error at once. While it
answers, only half of the threads may wait long, for a lock or a slow statement. docs/reliability/database.md has the
figures, docs/decisions/0029 what else was considered.

Other processes, such as the worker and the commands, start no watch and wait as long as the timeouts allow.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from weakref import WeakSet

TICK_SECONDS = 0.1
SUSPICIOUS_SECONDS = 0.4
"""A statement that takes longer is reason to ask the server whether it answers at all."""
ANSWER_SECONDS = 0.9
"""The time that the server has for that. With the two above, everybody has an error after 1.5 seconds."""
LONG_SECONDS = 0.5
"""Who has waited longer takes one of the places for long waits, or is broken off when there is none."""
LONG_SECONDS_WHEN_FULL = 0.2
MAX_SECONDS = 65
"""The longest wait of all: somewhat more than statement_timeout, which only a server that works can enforce."""

logger = logging.getLogger(__name__)


class Waiter(Protocol):
    """A connection as the watch sees it. `waiting_since` is 0 while its thread does not wait."""

    waiting_since: float

    def cancel_statement(self) -> None:
        """Ask the server to end the statement. The connection stays."""

    def cut(self) -> None:
        """Break the connection, so that its thread has an error at once."""


class Probe(Protocol):
    def answers(self, seconds: float) -> bool:
        """Tell whether the server answers a question within so many seconds."""


class Connecting:
    """A thread that makes a connection. It looks itself whether it should go on."""

    def __init__(self) -> None:
        self.waiting_since = time.monotonic()

    def cancel_statement(self) -> None:
        pass

    def cut(self) -> None:
        pass


class Watch:
    """What a process knows of its waiting threads. `places` is how many may wait long; None: any number."""

    def __init__(self) -> None:
        self.is_down = False
        self.places: int | None = None
        self.long_waits = 0
        self.probe: Probe | None = None
        self.waiters: WeakSet[Waiter] = WeakSet()
        self.lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Tell whether all places for long waits are taken: whoever is going to write would only wait for one."""
        return self.places is not None and self.long_waits >= self.places

    def start(self, *, threads: int, probe: Probe | None) -> None:
        """Let half of the threads wait long. With a probe, watch the waiting connections in a thread of its own."""
        self.places = max(1, threads // 2)
        self.probe = probe
        if probe:
            threading.Thread(target=self.run, name="database-watch", daemon=True).start()

    def add(self, waiter: Waiter) -> None:
        if self.probe:
            with self.lock:
                self.waiters.add(waiter)

    @contextmanager
    def connecting(self) -> Iterator[None]:
        """Count the thread as one that waits while the block makes a connection."""
        waiter = Connecting()
        self.add(waiter)
        try:
            yield
        finally:
            waiter.waiting_since = 0.0

    @contextmanager
    def long_wait(self) -> Iterator[bool]:
        """Take a place for a long wait while the block runs, where no watch counts. Yield False when all are taken."""
        with self.lock:
            has_place = not self.is_full
            self.long_waits += has_place
        try:
            yield has_place
        finally:
            with self.lock:
                self.long_waits -= has_place

    def run(self) -> None:
        if self.probe:
            self.probe.answers(
                ANSWER_SECONDS
            )  # it connects now: a server that hangs later may take no connections
        while True:
            time.sleep(TICK_SECONDS)
            try:
                self.look()
            except Exception:  # whatever it is, the next look may succeed, and nobody else watches
                logger.exception("The watch over waiting connections failed.")

    def look(self) -> None:
        """End the waits that nobody should go on with."""
        assert self.probe
        if self.is_down:
            if self.probe.answers(TICK_SECONDS):
                self.is_down = False
                logger.warning("The database answers again.")
            else:
                self.cut_all()
            return
        waiters = self.waiting()
        if not waiters or time.monotonic() - waiters[0].waiting_since < SUSPICIOUS_SECONDS:
            self.long_waits = 0
        elif self.probe.answers(ANSWER_SECONDS):
            self.shed()
        else:
            self.is_down = True
            logger.error("The database does not answer.", extra={"fields": {"waiting": len(waiters)}})
            self.cut_all()

    def waiting(self) -> list[Waiter]:
        """Return the connections whose threads wait, beginning with the longest wait."""
        with self.lock:
            waiting = [waiter for waiter in self.waiters if waiter.waiting_since]
        return sorted(waiting, key=lambda waiter: waiter.waiting_since)

    def cut_all(self) -> None:
        for waiter in self.waiting():
            waiter.cut()

    def shed(self) -> None:
        """End the latest of the long waits that are more than there are places, and those without end."""
        now = time.monotonic()
        seconds = LONG_SECONDS_WHEN_FULL if self.is_full else LONG_SECONDS
        long = [waiter for waiter in self.waiting() if now - waiter.waiting_since > seconds]
        self.long_waits = len(long)
        for waiter in long[self.places :]:
            waiter.cancel_statement()
        for waiter in long:
            if now - waiter.waiting_since > MAX_SECONDS:
                waiter.cut()


watch = Watch()
"""The watch of this process. gunicorn starts it in each worker (config/gunicorn.conf.py)."""
