"""The monitor of a web process: one thread that asks each server of the database whether it answers.

A process has few threads, and each that waits for the database answers nobody. While the primary does not answer at all
nobody waits for it: whoever does is broken off, and everybody else gets an error at once. While it answers, it says who
waits for a lock, and the bulkhead of the writers counts these. docs/reliability/database.md has the figures,
docs/decisions/0029 what else was considered. The replicas are asked how far they are (config/database/replicas.py).
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable

from django.db import DEFAULT_DB_ALIAS
from psycopg import Error

from config.database.bulkhead import writers
from config.database.postgresql.probe import Probe
from config.database.replicas import replicas
from config.database.servers import primary

TICK_SECONDS = 0.1
INTERVAL_SECONDS = 0.5
"""How often each server is asked while all is well."""
ANSWER_SECONDS = 0.9
"""The time that the primary has for an answer. With the interval, everybody has an error after 1.5 seconds."""
LONG_SECONDS = 0.5
"""Who has waited longer for a lock counts as one that waits for a lock."""
MAX_SECONDS = 65
"""The longest wait of all: somewhat more than statement_timeout, which only a server that works can enforce."""

WAITING_FOR_LOCKS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
    AND (wait_event_type = 'Lock' OR wait_event = 'SyncRep')
"""
"""A commit that waits for its standby is held up by others as a lock holds one up."""

logger = logging.getLogger(__name__)


class Monitor:
    """The thread's work: a look at the primary in each tick, and one at the replicas in each interval."""

    def __init__(self) -> None:
        self.probe = Probe(DEFAULT_DB_ALIAS)
        self.asked_at = 0.0

    async def run(self) -> None:
        looks = [repeat(self.look, TICK_SECONDS)]
        if replicas().all:
            replica_probes = [Probe(replica.alias) for replica in replicas().all]
            looks.append(repeat(lambda: replicas().look(self.probe, replica_probes), INTERVAL_SECONDS))
        await asyncio.gather(*looks)

    async def look(self) -> None:
        """Ask the primary if it is time to, and end the waits that nobody should go on with."""
        now = time.monotonic()
        is_quiet = not (primary.is_down or writers.locked or self.is_anybody_late(now))
        if is_quiet and now - self.asked_at < INTERVAL_SECONDS:
            return
        self.asked_at = now
        try:
            rows = await self.probe.ask(WAITING_FOR_LOCKS, TICK_SECONDS if primary.is_down else ANSWER_SECONDS)
        except Error:  # it refused at once, so that nobody waits for it
            rows = None if primary.is_down else []
        if rows is not None:
            self.go_on(frozenset(pid for (pid,) in rows))
        elif primary.answered_at < now:  # else it is slow, or the probe is: somebody has had an answer meanwhile
            self.give_up()

    @staticmethod
    def is_anybody_late(now: float) -> bool:
        waiting = primary.waiting()
        return bool(waiting) and now - waiting[0].waiting_since > LONG_SECONDS

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
        """Count who waits for a lock, whose backends are given. End the latest of more waits than may be."""
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


def start_monitor() -> None:
    """Watch PostgreSQL in a thread of this process."""
    run = Monitor().run
    threading.Thread(target=lambda: asyncio.run(run()), name="database-monitor", daemon=True).start()
