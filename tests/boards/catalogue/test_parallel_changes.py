"""Changes that run at once: nothing deadlocks, and the last committed state is what readers get."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection, connections, transaction

from boards.bulk import publish_drafts, unpublish_boards
from boards.catalogue.refreshing import refresh
from boards.events.reading import read_events
from boards.files.importing import import_boards
from boards.models import Board, Segment
from boards.models import Event as BoardEvent
from boards.personal_data import transfer_to_system
from boards.records import record_of
from boards.search.segments import fold
from boards.services import change_board, publish_board
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.models import Deal
from deals.solver.queues import Claim, Order, claim_next
from deals.solver.tables import TABLES
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time"),
]

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SOLVED = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}


def in_own_connection(call: Callable[[], Any]) -> Any:
    try:
        return call()
    finally:
        connections.close_all()


def at_once(calls: Sequence[Callable[[], Any]], threads: int = 6) -> None:
    """Run the calls in several threads. Raise the first error, such as a deadlock."""
    with ThreadPoolExecutor(threads) as pool:
        for running in [pool.submit(in_own_connection, call) for call in calls]:
            running.result()


def file_of(numbers: range) -> bytes:
    records = [factories.record(number, number=number) for number in numbers]
    return (HEADER + "".join(map(write_pbn, records))).encode()


def flip(board: Board, published_at: datetime) -> None:
    """Unpublish the board, or publish it at an old time."""
    with transaction.atomic():
        board = Board.objects.select_for_update().get(pk=board.pk)
        if unpublish_boards([board.pk]):
            return
        Board.objects.filter(pk=board.pk).update(published_at=published_at)
        refresh([board.pk])


def test_imports_publications_and_folds_at_once_leave_an_exact_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.importing.BATCH_SIZE", 3)
    choice = random.Random(1)
    theme, ada = factories.theme(), factories.account("ada")
    boards = [
        factories.board(owner=ada, published_at=NOON - timedelta(minutes=age), themes=(theme,)) for age in range(8)
    ]
    files = [file_of(range(1, 13)), file_of(range(7, 19))]
    calls: list[Callable[[], Any]] = [
        partial(import_boards, file=BytesIO(file), publish=True, themes=(theme,)) for file in files
    ]
    for _ in range(24):
        board = choice.choice(boards)
        calls.append(partial(flip, board, NOON - timedelta(minutes=choice.randint(0, 8))))
        if choice.random() < 0.3:
            calls.append(partial(fold, least=1, capacity=9))
    calls.insert(10, partial(erase_boards, "ada"))
    at_once(calls)
    assert_readers_get_what_the_boards_say()
    assert Segment.objects.exists()


def erase_boards(account_id: str) -> None:
    with transaction.atomic():
        transfer_to_system(factories.Account.objects.get(pk=account_id))


def start(call: Callable[[], Any]) -> Thread:
    thread = Thread(target=in_own_connection, args=[call])
    thread.start()
    return thread


def claim() -> Claim:
    claimed = claim_next(Order.WANTED, [TABLES])
    assert claimed
    return claimed


def store_slowly(claimed: Claim, has_changed: Event, may_commit: Event) -> None:
    """Store the solutions. Commit only when told so."""
    with transaction.atomic():
        TABLES.store(claimed, {job.id: SOLVED for job in claimed.jobs})
        has_changed.set()
        assert may_commit.wait(20)


@pytest.mark.parametrize("solver_first", [True, False])
def test_a_board_that_is_changed_while_its_solution_is_stored_has_both(solver_first: bool) -> None:
    board = factories.board(calls="1NT Pass Pass Pass")
    has_changed, may_commit = Event(), Event()

    def change() -> None:
        with transaction.atomic():
            locked = Board.objects.select_for_update().get(pk=board.pk)
            record = replace(record_of(locked), title="Changed")
            if not solver_first:
                has_changed.set()
                may_commit.wait(1)  # The solver waits for this board meanwhile.
            change_board(board=locked, record=record, owner_id="system", auction_system=None)

    claimed = claim()
    if solver_first:
        threads = [start(partial(store_slowly, claimed, has_changed, may_commit))]
        assert has_changed.wait(20)
        threads.append(start(change))
        may_commit.set()
    else:
        threads = [start(change)]
        assert has_changed.wait(20)
        threads.append(start(partial(TABLES.store, claimed, {job.id: SOLVED for job in claimed.jobs})))
    for thread in threads:
        thread.join(30)
    assert Deal.objects.get(pk=board.deal_id).double_dummy
    assert Board.objects.get(pk=board.pk).title == "Changed"
    assert_readers_get_what_the_boards_say()


@pytest.mark.parametrize("as_draft", [True, False])
def test_a_board_that_is_published_while_its_deal_is_being_solved_shows_the_solution(as_draft: bool) -> None:
    """Whoever publishes waits for the deal, or locks the draft that the solver refreshes afterwards."""
    record = factories.record()
    deal = Deal.objects.create(cards=record.layout.cards)
    draft = None
    if as_draft:
        draft, _ = publish_board(deal=deal, record=record)
        unpublish_boards([draft.pk])
    has_changed, may_commit = Event(), Event()
    solver = start(partial(store_slowly, claim(), has_changed, may_commit))
    assert has_changed.wait(20)
    publish = partial(publish_drafts, [draft.pk]) if draft else partial(publish_board, deal=deal, record=record)
    publisher = start(publish)
    publisher.join(1)
    may_commit.set()
    for thread in (solver, publisher):
        thread.join(30)
    assert Board.objects.published().get().deal.double_dummy
    assert_readers_get_what_the_boards_say()


def test_boards_of_the_same_new_events_are_imported_and_published_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.importing.BATCH_SIZE", 4)
    drafts = [factories.board(event=f"Evening {number % 3}", published=False) for number in range(6)]

    def import_evenings(seed: int, order: int) -> None:
        records = [
            factories.record(seed + number, number=number, event=f"Evening {number % 5}") for number in range(1, 11)
        ][::order]
        file = BytesIO((HEADER + "".join(map(write_pbn, records))).encode())
        import_boards(file=file, publish=True, atomic=order > 0)

    imports = [partial(import_evenings, 100 * number, 1 if number % 2 else -1) for number in range(4)]
    at_once([*imports, *(partial(publish_drafts, [draft.pk]) for draft in drafts)])
    assert BoardEvent.objects.count() == 5
    listed = {event.event.name: event.boards for event in read_events({"page": 1, "pageSize": 9}).events}
    assert listed == {f"Evening {number}": 8 + 2 * (number < 3) for number in range(5)}
    assert_readers_get_what_the_boards_say()
