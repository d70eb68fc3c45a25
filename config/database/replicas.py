"""Streaming replicas that answer public reads: which of them may, and which one a thread reads from (decision 0031).

A replica may answer if at the last look it had all that was committed `REPLICA_MAX_LAG` seconds before. Each promotion
begins a timeline of the log: positions of two timelines are not compared, since both may have them.
"""

import asyncio
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, LiteralString, NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from config.database.postgresql.probe import Probe
from config.database.waits import repeat, server_of

INTERVAL = 0.5
"""Seconds between two looks at all servers."""

PATIENCE = 1.0
"""Seconds within which a server answers a look. One that does not is left out until it does."""

MAX_SILENCE = 10 * (INTERVAL + PATIENCE)
"""Seconds after which nothing is believed any more: the thread that looks has died."""

WRITTEN = """
SELECT pg_current_wal_lsn() - '0/0', ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
"""
REPLAYED = """
SELECT pg_last_wal_replay_lsn() - '0/0', coalesce(
    (SELECT received_tli FROM pg_stat_wal_receiver), (SELECT timeline_id FROM pg_control_checkpoint())
) WHERE pg_is_in_recovery()
"""
"""No row from a server that was promoted, or is an old primary that came back: it may have what others never had.

The timeline that a standby receives is told to members of pg_read_all_stats; that of its last checkpoint, to everybody.
"""

logger = logging.getLogger(__name__)


class LogPosition(NamedTuple):
    """How far a server has written or replayed a timeline of the log."""

    lsn: int
    timeline: int


@dataclass(eq=False)
class Replica:
    """A replica, and the moment whose commits it certainly has: None while it is left out."""

    alias: str
    fresh_at: float | None = None


class Replicas:
    """The replicas of settings.DATABASES, as the monitor of this process has found them. Without one none answers."""

    def __init__(self) -> None:
        self.all = [Replica(alias) for alias in settings.DATABASES if alias != DEFAULT_DB_ALIAS]
        self.max_lag = settings.REPLICA_MAX_LAG
        self.timeline = 0
        # When the primary was asked, and how far its log was: as many as are looked at within the lag that is allowed.
        self.marks: deque[tuple[float, int]] = deque(maxlen=int(self.max_lag / INTERVAL) + 2)
        self.primary_answers = True
        self.looked_at = 0.0

    def choose(self) -> str:
        """Return the alias of the database that answers the next public read.

        A process reads from one replica as long as it may, so that what it keeps stays right. Others read from others.
        """
        count, first = len(self.all), os.getpid()
        if time.monotonic() - self.looked_at < MAX_SILENCE:
            for number in range(first, first + count):
                replica = self.all[number % count]
                if self.may_answer(replica):
                    return replica.alias
        return DEFAULT_DB_ALIAS

    def may_answer(self, replica: Replica) -> bool:
        """Tell whether a replica was fresh enough at the last look.

        While the primary does not answer, nothing newer can be read anywhere: replicas then answer whatever their age.
        """
        if replica.fresh_at is None or not self.primary_answers:
            return replica.fresh_at is not None
        return replica.fresh_at >= self.looked_at - self.max_lag

    async def watch(self, primary: Probe) -> None:
        """Look at all servers again and again. Return at once where there is no replica."""
        probes = [Probe(replica.alias) for replica in self.all]
        if probes:
            await repeat(lambda: self.look(primary, probes), INTERVAL)

    async def look(self, primary: Probe, probes: Sequence[Probe]) -> None:
        """Ask all replicas how far they are, and the primary then, and judge by it which may answer."""
        replayed = await asyncio.gather(*(ask_position(probe, REPLAYED) for probe in probes))
        asked_at = time.monotonic()
        self.judge(asked_at, await ask_position(primary, WRITTEN), replayed)

    def judge(self, asked_at: float, written: LogPosition | None, replayed: Sequence[LogPosition | None]) -> None:
        """Record what each replica has, from what it had replayed and what the primary had written just afterwards.

        A replica that is ahead of the primary or on another timeline has what was never committed here. Where neither
        answers, a replica stays what it was: there is nobody better to ask.
        """
        before = self.answering()
        self.looked_at, self.primary_answers = asked_at, written is not None
        self.follow_timeline(written, replayed)
        if written is not None:
            self.marks.append((asked_at, written.lsn))
        for replica, reached in zip(self.all, replayed, strict=True):
            if reached is not None and self.is_sound(reached, written):
                replica.fresh_at = max((at for at, lsn in self.marks if lsn <= reached.lsn), default=float("-inf"))
            elif reached is not None or written is not None:
                replica.fresh_at = None
                server_of(replica.alias).cut_all()  # each request that it kept waiting reads from the primary then
        for alias in sorted(before ^ self.answering()):
            logger.warning("The database %s %s.", alias, "is left out" if alias in before else "answers")

    def answering(self) -> set[str]:
        return {replica.alias for replica in self.all if self.may_answer(replica)}

    def is_sound(self, reached: LogPosition, written: LogPosition | None) -> bool:
        """Tell whether a replica is on the primary's timeline, and not ahead of it."""
        return reached.timeline == self.timeline and (written is None or reached.lsn <= written.lsn)

    def follow_timeline(self, written: LogPosition | None, replayed: Sequence[LogPosition | None]) -> None:
        """Record the primary's timeline or, while it does not answer, the latest one that any server has been on.

        A server was promoted then, and what the others have replayed since may be lost.
        """
        known = [self.timeline, *(reached.timeline for reached in replayed if reached)]
        timeline = written.timeline if written else max(known)
        if timeline != self.timeline:
            self.timeline = timeline
            self.marks.clear()

    def report_failure(self, alias: str) -> None:
        """Leave out a replica that failed a request, until it answers the next look."""
        for replica in self.all:
            if replica.alias == alias:
                replica.fresh_at = None


async def ask_position(probe: Probe, question: LiteralString) -> LogPosition | None:
    """Return how far a server is, or None when it does not say so."""
    try:
        rows = await probe.ask(question, PATIENCE)
    except ConnectionError:
        return None
    return LogPosition(int(rows[0][0]), rows[0][1]) if rows and rows[0][0] is not None else None


@cache
def replicas() -> Replicas:
    return Replicas()


class ReadAlias(threading.local):
    """The database that this thread reads from, by its alias."""

    alias = DEFAULT_DB_ALIAS


reading = ReadAlias()


def reading_connection() -> Any:
    """Return the connection to the database that this thread reads from."""
    return connections[reading.alias]


class Router:
    """Let the ORM read from the database of this thread's request. All else is the primary's."""

    def db_for_read(self, model: type, **hints: Any) -> str:
        return reading.alias

    def db_for_write(self, model: type, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS
