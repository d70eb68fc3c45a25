"""Measure what the feed's event adds to a vote on PostgreSQL: `DATABASE_URL=postgres://… python -m bench.votes`.

Votes are cast by the service's own statement, and by the same statement without its event, in turns. Printed are the
medians of the rounds, in microseconds for a vote: on many boards; on many boards whose events are read after each
vote, so that none is pending when the next comes; and by four connections at once on one board. Commits do not wait
for the disk (synchronous_commit is off): that takes longer than all the rest and is the same for both.
"""

import argparse
import os
import re
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from django.db import connection, connections, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import Account  # noqa: E402
from bench.scratch import say, scratch_database  # noqa: E402
from config.database import fetch_rows  # noqa: E402
from deals.events.feed import give_positions  # noqa: E402
from tests import factories  # noqa: E402
from voting.models import Vote  # noqa: E402
from voting.services import SET_VOTE  # noqa: E402

WITHOUT_EVENT = re.sub(r", event AS \(.*\)\s+(?=SELECT id FROM board)", " ", SET_VOTE, flags=re.DOTALL)
assert "deals_feedevent" in SET_VOTE and "deals_feedevent" not in WITHOUT_EVENT
STATEMENTS = {"with event": SET_VOTE, "without": WITHOUT_EVENT}
BOARDS, ACCOUNTS, THREADS = 200, 10, 4

Case = Callable[[str, str, Sequence[UUID], Sequence[str]], float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.votes", description="Measure what a vote costs.")
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with scratch_database():
        boards = [factories.board().pk for _ in range(BOARDS)]
        voters = [Account(pk=f"voter-{number}") for number in range(ACCOUNTS)]
        accounts = [account.pk for account in Account.objects.bulk_create(voters)]
        hot = [Account(pk=f"hot-{number}") for number in range(2000)]
        many = [account.pk for account in Account.objects.bulk_create(hot)]
        for name, case, voted, by in (
            ("many boards", vote, boards, accounts),
            ("many boards, read", vote_and_read, boards, accounts),
            ("one board, 4 connections", vote_at_once, boards[:1], many),
        ):
            for key, seconds in measure(case, voted, by, rounds).items():
                say(f"{name:26} {key:12} {seconds * 1e6 / (len(voted) * len(by)):8.1f} µs")
        connections.close_all()


def measure(case: Case, boards: Sequence[UUID], accounts: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the median seconds of the case with each statement. Each vote changes the one of the turn before."""
    seconds: dict[str, list[float]] = {key: [] for key in STATEMENTS}
    values = Vote.Value.values
    for number in range(rounds):
        for key in STATEMENTS if number % 2 else reversed(STATEMENTS):
            values.reverse()
            vacuum()
            seconds[key].append(case(STATEMENTS[key], values[0], boards, accounts))
    return {key: statistics.median(each) for key, each in seconds.items()}


def vote(sql: str, value: str, boards: Sequence[UUID], accounts: Sequence[str]) -> float:
    """Cast a vote of each account on each board. Return the seconds."""
    fetch_rows("SELECT set_config('synchronous_commit', 'off', false)")
    started = time.perf_counter()
    for account in accounts:
        for board in boards:
            now = timezone.now()
            fetch_rows(sql, [account, board, value, now, now])
    return time.perf_counter() - started


def vote_and_read(sql: str, value: str, boards: Sequence[UUID], accounts: Sequence[str]) -> float:
    """Do the same, and give all events a position after each vote on all boards, outside the measured time."""
    seconds = 0.0
    for account in accounts:
        seconds += vote(sql, value, boards, [account])
        with transaction.atomic():
            give_positions()
    return seconds


def vote_at_once(sql: str, value: str, boards: Sequence[UUID], accounts: Sequence[str]) -> float:
    """Do the same on several connections at once."""

    def run(number: int) -> None:
        vote(sql, value, boards, accounts[number::THREADS])
        connections.close_all()

    started = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(run, range(THREADS)))
    return time.perf_counter() - started


def vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    main()
