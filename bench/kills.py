"""`python -m bench.kills [200] [20]`: kill -9 for the solver's child, then for the worker itself.

That many deals and kills, twice. A trigger in the database notes each time a table is stored, so that "once" is seen
and not believed. A kill comes some seconds after work has begun: at the beginning, middle or end of a batch.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection
from django.utils import timezone

from bench.scratch import (
    Process,
    child_of,
    make_pending,
    pending,
    say,
    scratch_database,
    start_worker,
)
from deals.models import Deal
from deals.solver.jobs import LEASE

LONGEST_DELAY = {"child": 4, "worker": 8}
"""Seconds."""

NOTE_ON_SQLITE = """
CREATE TRIGGER note_stored AFTER UPDATE ON deals_deal WHEN NEW.double_dummy_status = 'done'
BEGIN INSERT INTO stored VALUES (NEW.id); END
"""
NOTE_ON_POSTGRESQL = """
CREATE FUNCTION note_stored() RETURNS trigger AS $$
BEGIN INSERT INTO stored VALUES (NEW.id); RETURN NEW; END
$$ LANGUAGE plpgsql;
CREATE TRIGGER note_stored AFTER UPDATE ON deals_deal
FOR EACH ROW WHEN (NEW.double_dummy_status = 'done') EXECUTE FUNCTION note_stored()
"""


class Supervised:
    """One worker, started again whenever it has ended, as a service manager would."""

    def __init__(self) -> None:
        self.process: Process = start_worker()
        self.starts = 1

    def keep(self) -> None:
        if self.process.poll() is not None:
            self.process = start_worker()
            self.starts += 1

    def child(self) -> int | None:
        return child_of(self.process.pid)

    def kill(self, whom: str) -> bool:
        """Whether there was anybody to kill."""
        pid = self.process.pid if whom == "worker" else self.child()
        if pid:
            os.kill(pid, signal.SIGKILL)
        return bool(pid)


@contextmanager
def supervised() -> Iterator[Supervised]:
    worker = Supervised()
    try:
        yield worker
    finally:
        worker.process.terminate()
        worker.process.wait()


def run(whom: str, deals: int, kills: int, seed: int) -> tuple[int, int, float]:
    """Kills made, starts of the worker, seconds."""
    Deal.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM stored")
    make_pending(deals, seed)
    delays = random.Random(seed)
    began, made, due, last = time.monotonic(), 0, None, timezone.now()
    with supervised() as worker:
        while pending():
            worker.keep()
            now = time.monotonic()
            # A worker killed before it has a claim would only show how long Django takes to start.
            at_work = worker.child() and (whom == "child" or claimed_after(last))
            if due is None and made < kills and at_work:
                due = now + delays.uniform(0, LONGEST_DELAY[whom])
            if due and now > due and worker.kill(whom):
                made, due, last = made + 1, None, timezone.now()
            time.sleep(0.05)
        return made, worker.starts, time.monotonic() - began


def claimed_after(moment: datetime) -> bool:
    return Deal.objects.filter(double_dummy_status="pending", claimed_until__gt=moment + LEASE).exists()


def outcome(deals: int) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), count(DISTINCT id) FROM stored")
        times, different = cursor.fetchone()
    done = Deal.objects.filter(double_dummy_status="done").count()
    verdict = "all done, each stored once" if times == different == done == deals else "WRONG"
    return f"{done} of {deals} done, stored {times} times in all, {different} different: {verdict}"


def main(deals: int, kills: int) -> None:
    with scratch_database():
        with connection.cursor() as cursor:
            kind = Deal._meta.pk.db_type(connection)
            cursor.execute(f"CREATE TABLE stored (id {kind})")
            cursor.execute(NOTE_ON_SQLITE if connection.vendor == "sqlite" else NOTE_ON_POSTGRESQL)
        for seed, whom in enumerate(("child", "worker"), start=1):
            made, starts, seconds = run(whom, deals, kills, seed * 1_000_000)
            say(
                f"{connection.vendor}: {made} kills of the {whom}, {starts} starts of the worker, {seconds:.0f} s: "
                f"{outcome(deals)}"
            )


if __name__ == "__main__":
    main(*(int(argument) for argument in (*sys.argv[1:], *("200", "20")[len(sys.argv) - 1 :])))
