"""What keeps readers answered beside a frozen server or a locked row: 503 within two seconds, and reads go on.

Step by step:

1. Each connection says since when its thread waits, and another thread can end that (Waiter).
2. One thread of a web process asks the primary twice a second who waits for a lock (Monitor.look).
3. A primary that owes an answer for 0.9 seconds is down: waiting threads are cut off, and all others get an error at
   once, until it answers again (Monitor.give_up).
4. While it answers, the threads that wait for a lock are counted, and of too many the latest are ended (Monitor.go_on).
5. Requests that write need one of a few permits, so that readers keep threads. Other writers finish sooner or later,
   so one more waits for a permit. But a lock that is held stops all writers with permits: then nobody waits (Bulkhead).

The worker and the commands have no monitor and wait as long as the time-outs allow (decision 0029).
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from django.db import DEFAULT_DB_ALIAS

if TYPE_CHECKING:
    from config.database.postgresql.probe import Probe

TICK_SECONDS = 0.1
INTERVAL_SECONDS = 0.5
"""How often each server is asked while all is well."""
ANSWER_SECONDS = 0.9
"""The time that the primary has for an answer. With the interval, everybody has an error after 1.5 seconds."""
LONG_SECONDS = 0.5
"""A thread that has waited longer counts as waiting for a lock."""
MAX_SECONDS = 65
"""The longest wait of all: somewhat more than statement_timeout, which only a server that works can enforce."""

WAITING_FOR_LOCKS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
    AND (wait_event_type = 'Lock' OR wait_event = 'SyncRep')
"""
"""A commit that waits for its standby is held up by others as a lock holds one up."""

THREADS_OF_READERS = 2
PERMIT_SECONDS = 10
"""The longest wait for a permit. It is for a busy machine: twenty equal imports are answered one after the other."""

logger = logging.getLogger(__name__)


class Waiter(Protocol):
    """A connection as the monitor sees it. `waiting_since` is 0.0 while its thread does not wait."""

    waiting_since: float

    def is_one_of(self, backends: frozenset[int]) -> bool: ...

    def cancel_statement(self) -> None: ...

    def cut(self) -> None: ...


class Server:
    """A server as the connections of this process find it. `answered_at` is when it last answered any of them."""

    def __init__(self) -> None:
        self.is_down = False
        self.answered_at = 0.0
        self.waiters: WeakSet[Waiter] = WeakSet()
        self.lock = threading.Lock()

    def add(self, waiter: Waiter) -> None:
        with self.lock:
            self.waiters.add(waiter)

    def waiting(self) -> list[Waiter]:
        """Return the connections whose threads wait, beginning with the longest wait."""
        with self.lock:
            waiting = [waiter for waiter in self.waiters if waiter.waiting_since]
        return sorted(waiting, key=lambda waiter: waiter.waiting_since)

    def cut_all(self) -> None:
        for waiter in self.waiting():
            waiter.cut()


primary = Server()
replica_servers: dict[str, Server] = {}


def server_of(alias: str) -> Server:
    return primary if alias == DEFAULT_DB_ALIAS else replica_servers.setdefault(alias, Server())


class Bulkhead:
    """The permits to write. `locked` is how many threads wait for a lock; `permits` is None where nobody counts."""

    def __init__(self) -> None:
        self.permits: int | None = None
        self.taken = 0
        self.locked = 0
        self.changed = threading.Condition()

    @property
    def is_stuck(self) -> bool:
        """Tell whether as many threads wait for a lock as may write."""
        return self.permits is not None and self.locked >= self.permits

    def enter(self) -> bool:
        """Take a permit, and wait for one if need be. Return False when there is none to be had."""
        with self.changed:
            if not self.changed.wait_for(self.can_tell, PERMIT_SECONDS) or self.is_stuck:
                return False
            self.taken += 1
            return True

    def can_tell(self) -> bool:
        return self.permits is None or self.taken < self.permits or self.is_stuck

    def leave(self) -> None:
        with self.changed:
            self.taken -= 1
            self.changed.notify()

    def note_locked(self, threads: int) -> None:
        """Record how many threads wait for a lock, as the server says. Threads that wait for their permits need not."""
        with self.changed:
            self.locked = threads
            if self.is_stuck:
                self.changed.notify_all()

    @contextmanager
    def waiting_for_lock(self) -> Iterator[None]:
        """Count this thread as one that waits for a lock while the block runs, where no server says so: on SQLite."""
        with self.changed:
            self.note_locked(self.locked + 1)
        try:
            yield
        finally:
            with self.changed:
                self.note_locked(self.locked - 1)


writers = Bulkhead()
"""The permits of this process. gunicorn sets their number in each worker (config/gunicorn.conf.py)."""


class Monitor:
    """A look at the primary in each tick, by a connection of its own."""

    def __init__(self, probe: "Probe") -> None:
        self.probe = probe
        self.asked_at = 0.0

    async def look(self) -> None:
        """Ask the primary if it is time to, and end the waits that nobody should go on with."""
        now = time.monotonic()
        if not self.is_due(now):
            return
        self.asked_at = now
        try:
            rows = await self.probe.ask(WAITING_FOR_LOCKS, TICK_SECONDS if primary.is_down else ANSWER_SECONDS)
        except ConnectionError:  # it refused at once, so that nobody waits for it
            rows = None if primary.is_down else []
        if rows is not None:
            self.go_on(frozenset(pid for (pid,) in rows))
        elif primary.answered_at < now:  # else it is slow, or the probe is: another thread has had an answer meanwhile
            self.give_up()

    def is_due(self, now: float) -> bool:
        """Tell whether to ask: in each tick while a thread waits too long, else every INTERVAL_SECONDS."""
        is_anybody_late = any(now - waiter.waiting_since > LONG_SECONDS for waiter in primary.waiting())
        is_quiet = not (primary.is_down or writers.locked or is_anybody_late)
        return not is_quiet or now - self.asked_at >= INTERVAL_SECONDS

    @staticmethod
    def give_up() -> None:
        """Let nobody wait for a server that does not answer."""
        waiting = primary.waiting()
        if not primary.is_down:
            logger.error("The database does not answer.", extra={"fields": {"waiting": len(waiting)}})
        primary.is_down = True
        primary.cut_all()

    @staticmethod
    def go_on(backends: frozenset[int]) -> None:
        """Count the threads with these backends that wait for a lock. End the latest waits above the limit."""
        if primary.is_down:
            primary.is_down = False
            logger.warning("The database answers again.")
        now = time.monotonic()
        long = [waiter for waiter in primary.waiting() if now - waiter.waiting_since > LONG_SECONDS]
        locked = [waiter for waiter in long if waiter.is_one_of(backends)]
        writers.note_locked(len(locked))
        if writers.permits is not None:
            for waiter in locked[writers.permits :]:
                waiter.cancel_statement()
        for waiter in long:
            if now - waiter.waiting_since > MAX_SECONDS:
                waiter.cut()


async def repeat(look: Callable[[], Awaitable[None]], pause: float) -> None:
    while True:
        try:
            await look()
        except Exception:  # whatever it is, the next look may succeed, and nobody else looks
            logger.exception("The monitor of the database failed.")
        await asyncio.sleep(pause)


def start_monitor(watch_replicas: Callable[["Probe"], Awaitable[None]]) -> None:
    """Watch PostgreSQL in a thread of this process. `watch_replicas` goes on beside it, with the primary's probe."""
    from config.database.postgresql.probe import Probe  # SQLite needs no psycopg

    async def watch() -> None:
        probe = Probe(DEFAULT_DB_ALIAS)
        await asyncio.gather(repeat(Monitor(probe).look, TICK_SECONDS), watch_replicas(probe))

    threading.Thread(target=lambda: asyncio.run(watch()), name="database-monitor", daemon=True).start()
