"""No event is missed, whatever the order in which transactions begin and commit."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event, Thread
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from config.database import fetch_rows
from deals.events import feed
from deals.events.feed import FeedPage, read_events
from deals.events.recording import BoardVotes, record_deals, record_votes
from deals.models import FeedEvent, FeedState
from tests import factories
from tests.meetings import during, in_own_connection
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db(transaction=True)

IMPORTED = FeedEvent.Type.DEAL_IMPORTED
ONE_WRITER = pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")


class OpenTransaction:
    """A transaction on a connection of its own that has stored an event and commits when it is told to."""

    def __init__(self, store: Callable[[], None]) -> None:
        self.store = store
        self.has_stored, self.may_commit = Event(), Event()
        self.thread = Thread(target=in_own_connection, args=[self.run])
        self.thread.start()
        assert self.has_stored.wait(20)

    def run(self) -> None:
        with transaction.atomic():
            self.store()
            self.has_stored.set()
            assert self.may_commit.wait(20)

    def commit(self) -> None:
        self.may_commit.set()
        self.thread.join(20)


def deals_of(page: FeedPage) -> list[UUID]:
    return [event.deal_id for event in page.events if event.deal_id]


def ups_after(position: int | None) -> list[int | None]:
    return [event.up_votes for event in read_events(after=position, limit=10).events]


@ONE_WRITER
def test_no_event_is_missed_where_a_transaction_commits_late_or_is_rolled_back() -> None:
    early, late = uuid4(), uuid4()
    first = OpenTransaction(partial(record_deals, IMPORTED, [early]))
    record_deals(IMPORTED, [late])
    page = read_events(after=None, limit=500)
    assert deals_of(page) == [late]
    first.commit()
    assert FeedEvent.objects.get(deal_id=early).pk < FeedEvent.objects.get(deal_id=late).pk
    page = read_events(after=page.position, limit=500)
    assert deals_of(page) == [early]
    with transaction.atomic():
        record_deals(IMPORTED, [uuid4()])
        transaction.set_rollback(True)
    record_deals(IMPORTED, [late])
    assert deals_of(read_events(after=page.position, limit=500)) == [late]


@ONE_WRITER
def test_votes_that_change_again_while_they_are_read_come_again() -> None:
    """The row of a board's votes is read, with its old totals, while a transaction has changed it already."""
    board, deal = uuid4(), uuid4()
    record_votes([BoardVotes(board, deal, 1, 0)])
    again = OpenTransaction(partial(record_votes, [BoardVotes(board, deal, 2, 0)]))
    page = read_events(after=None, limit=10)
    assert page.events == []  # it is locked, and has no position yet
    again.commit()
    page = read_events(after=page.position, limit=10)
    assert [event.up_votes for event in page.events] == [2]
    again = OpenTransaction(partial(record_votes, [BoardVotes(board, deal, 3, 0)]))
    assert ups_after(None) == [2]
    again.commit()
    assert ups_after(page.position) == [3]


@ONE_WRITER
def test_votes_on_different_boards_do_not_wait_for_each_other() -> None:
    one, two, ada = factories.board(), factories.board(), factories.account()
    cast = partial(cast_vote, account=ada, value=Vote.Value.UP)
    first = OpenTransaction(lambda: cast(board_id=one.pk))
    cast(board_id=two.pk)  # else it would end by lock_timeout
    votes = {event.board_id for event in read_events(after=None, limit=10).events if event.votes_of}
    assert votes == {two.pk}
    first.commit()
    assert Vote.objects.count() == 2


@ONE_WRITER
def test_a_vote_between_giving_a_position_and_reading_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a board that gets votes all the time would never be told of."""
    board, deal = uuid4(), uuid4()
    record_votes([BoardVotes(board, deal, 1, 0)])
    get_state = feed.get_state
    threads: list[Thread] = []

    def vote_meanwhile() -> FeedState:
        if not threads:
            vote = partial(record_votes, [BoardVotes(board, deal, 2, 0)])
            threads.append(Thread(target=in_own_connection, args=[vote]))
            threads[0].start()
            while threads[0].is_alive() and not count_waiting():
                pass
        return get_state()

    monkeypatch.setattr(feed, "get_state", vote_meanwhile)
    page = read_events(after=None, limit=10)
    assert [event.up_votes for event in page.events] == [1]
    threads[0].join(20)
    assert ups_after(page.position) == [2]


@ONE_WRITER
def test_one_reader_at_a_time_gives_positions() -> None:
    give = transaction.atomic(feed.give_positions)
    record_deals(IMPORTED, [uuid4()])
    assert give() == 1
    record_deals(IMPORTED, [uuid4()])
    assert during(give, give) == 0
    assert list(FeedEvent.objects.order_by("position").values_list("position", flat=True)) == [1, 2]


def count_waiting() -> int:
    """Return how many sessions wait for a lock of this one."""
    return fetch_rows(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )[0][0]


def write_some(seed: int) -> list[UUID]:
    """Store events in transactions that take turns by chance, and roll some back. Return the deals that are stored."""
    choice, stored = random.Random(seed), []
    for _ in range(6):
        deals = [uuid4() for _ in range(choice.randint(1, 4))]
        with transaction.atomic():
            for deal in deals:
                record_deals(IMPORTED, [deal])
            if choice.random() < 0.2:
                transaction.set_rollback(True)
                continue
        stored += deals
    return stored


def test_readers_beside_many_writers_get_every_event_once_and_in_one_order() -> None:
    done = Event()

    def follow() -> list[UUID]:
        seen: list[UUID] = []
        position = None
        while True:
            is_last = done.is_set()
            page = read_events(after=position, limit=7)
            seen += deals_of(page)
            position = page.position
            if is_last and not page.has_more:
                return seen

    with ThreadPoolExecutor(6) as pool:
        readers = [pool.submit(in_own_connection, follow) for _ in range(2)]
        writers = [pool.submit(in_own_connection, partial(write_some, seed)) for seed in range(4)]
        stored = [deal for writer in writers for deal in writer.result()]
        done.set()
        first, other = [reader.result() for reader in readers]
    assert sorted(first) == sorted(stored)
    assert other == first
