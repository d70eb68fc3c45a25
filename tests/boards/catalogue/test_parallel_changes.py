"""Changes that run at once: nothing deadlocks, and the last committed state is what readers get."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.personal_data.successors import Successor
from boards.events.listing import read_events
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board
from boards.models import Event as BoardEvent
from boards.personal_data import erase_boards
from boards.records import record_of
from boards.services.boards import change_board, publish_board
from boards.services.bulk import publish_drafts, unpublish_boards
from deals.models import Deal
from deals.solver.queues import TABLES, Order, claim_next
from search.index.folding import fold
from search.models import Slice
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.meetings import at_once, during

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time"),
]

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SOLVED = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}


def file_of(numbers: range) -> bytes:
    return pbn(*(factories.record(number, number=number) for number in numbers))


def flip(board: Board) -> None:
    """Unpublish the board, or publish it again."""
    with transaction.atomic():
        if not unpublish_boards([board.pk]):
            publish_drafts([board.pk])


def test_imports_publications_and_folds_at_once_leave_an_exact_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 3)
    choice = random.Random(1)
    theme, ada = factories.theme(), factories.account("ada")
    boards = [factories.board(owner=ada, themes=(theme,)) for _ in range(8)]
    calls: list[Callable[[], Any]] = [
        partial(import_boards, BytesIO(file_of(numbers)), ImportOptions(publish=True, themes=(theme,)))
        for numbers in (range(1, 13), range(7, 19))
    ]
    for _ in range(24):
        calls.append(partial(flip, choice.choice(boards)))
        if choice.random() < 0.5:
            calls.append(partial(fold, least=1, rows=9))
    calls.insert(10, transaction.atomic(lambda: erase_boards(ada, Successor())))
    at_once(calls)
    assert_readers_get_what_the_boards_say()
    assert Slice.objects.exists()


def store_solution() -> None:
    """Store what the solver found for the deals that wait."""
    claim = claim_next(Order.WANTED, [TABLES])
    assert claim
    TABLES.store(claim, {job.id: SOLVED for job in claim.jobs})


def retitle(board: Board) -> None:
    with transaction.atomic():
        locked = Board.objects.select_for_update().get(pk=board.pk)
        record = replace(record_of(locked), title="Changed")
        change_board(board=locked, record=record, owner_id="system", auction_system=None)


def test_a_board_that_is_changed_while_its_solution_is_stored_has_both() -> None:
    for solver_first in (True, False):
        board = factories.board(calls="1NT Pass Pass Pass")
        changes = (store_solution, partial(retitle, board))
        assert not isinstance(during(*(changes if solver_first else changes[::-1])), Exception)
        board.refresh_from_db()
        assert (board.title, board.deal.double_dummy) == ("Changed", SOLVED["double_dummy"]), solver_first
    assert_readers_get_what_the_boards_say()


def test_a_board_that_is_published_while_its_deal_is_being_solved_shows_the_solution() -> None:
    """Whoever publishes waits for the deal, or locks the draft that the solver refreshes afterwards."""
    for as_draft in (True, False):
        record = factories.record()
        deal = Deal.objects.create(cards=record.layout.cards)
        publish: Callable[[], Any] = partial(publish_board, deal=deal, record=record)
        if as_draft:
            draft, _ = publish()
            unpublish_boards([draft.pk])
            publish = partial(publish_drafts, [draft.pk])
        assert not isinstance(during(store_solution, publish), Exception)
        assert Board.objects.published().get(deal=deal).deal.double_dummy, as_draft
    assert_readers_get_what_the_boards_say()


def test_boards_of_the_same_new_events_are_imported_and_published_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 4)
    drafts = [factories.board(event=f"Evening {number % 3}", published=False) for number in range(6)]

    def import_evenings(seed: int, order: int) -> None:
        numbers = range(1, 11)[::order]
        records = [factories.record(seed + number, number=number, event=f"Evening {number % 5}") for number in numbers]
        import_boards(BytesIO(pbn(*records)), ImportOptions(publish=True), atomic=order > 0)

    imports = [partial(import_evenings, 100 * number, 1 if number % 2 else -1) for number in range(4)]
    at_once([*imports, *(partial(publish_drafts, [draft.pk]) for draft in drafts)])
    assert BoardEvent.objects.count() == 5
    listed = {event.event.name: event.boards for event in read_events({"page": 1, "pageSize": 9})[1]}
    assert listed == {f"Evening {number}": 8 + 2 * (number < 3) for number in range(5)}
    assert_readers_get_what_the_boards_say()
