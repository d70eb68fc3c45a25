"""Folding, on PostgreSQL: what changes during a fold is neither lost nor found twice, and nobody waits long for it."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from threading import Thread
from typing import Any

import pytest
from django.db import connections, transaction

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.models import Board, take_numbers
from boards.services.bulk import delete_boards, publish_drafts, unpublish_boards
from search.conditions import EVERY_BOARD, Condition, Votes, every
from search.index import folding, top
from search.index.finding import EITHER, IS_PUBLISHED, find_page
from search.index.folding import fold, fold_all, keep_folded
from search.index.top import find_top
from search.models import SEGMENT_BITS, IndexRow, Slice
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.meetings import during
from tests.search.plain import all_plain_boards, plain_numbers, plain_top
from tests.search.ways import postgresql_only
from voting.models import Vote
from voting.services import cast_vote, delete_votes

pytestmark = [pytest.mark.django_db(transaction=True), postgresql_only]


def in_another_connection(call: Callable[[], Any]) -> None:
    def run() -> None:
        try:
            call()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    thread.join()


def retitle(board: Board) -> None:
    with transaction.atomic():
        Board.objects.filter(pk=board.pk).update(title="Changed", dealer="W")
        refresh([board.pk])


CHANGES: tuple[Callable[[Board], object], ...] = (
    retitle,
    lambda board: delete_boards([board.pk]),
    lambda board: unpublish_boards([board.pk]),
    lambda board: (unpublish_boards([board.pk]), publish_drafts([board.pk])),
    lambda board: Board.objects.get(pk=board.pk).delete(),
)


@pytest.mark.parametrize("moment", ["write_slices", "delete_rows"])
def test_boards_that_change_during_a_fold_are_found_as_they_are(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = getattr(folding, moment)
    for is_folded in (False, True):
        boards = [factories.board() for _ in range(7)]
        if is_folded:
            fold_all()
            for board in boards:
                retitle(board)
        changes = [*zip(CHANGES, boards[1:], strict=False)]

        def change_before(*arguments: Any, changes: list[Any] = changes) -> Any:
            while changes:
                change, board = changes.pop()
                in_another_connection(partial(change, board))
                assert_readers_get_what_the_boards_say()
            return rest(*arguments)

        with monkeypatch.context() as patched:
            patched.setattr(folding, moment, change_before)
            assert fold(least=1) and not changes
        assert_readers_get_what_the_boards_say()
        assert IndexRow.objects.exists()
        fold_all()
        assert not IndexRow.objects.exists()
        assert_readers_get_what_the_boards_say()


def test_a_fold_passes_over_rows_that_somebody_is_changing_and_waits_for_nobody() -> None:
    board, other = factories.board(), factories.board()
    with transaction.atomic():
        retitle(board)
        in_another_connection(lambda: fold(least=1))
    assert [row.number for row in IndexRow.objects.all()] == [board.number]
    assert_readers_get_what_the_boards_say()
    retitle(other)
    assert not isinstance(during(fold_all, lambda: retitle(other)), Exception)
    assert [row.number for row in IndexRow.objects.all()] == [other.number]
    assert_readers_get_what_the_boards_say()


def test_one_fold_at_a_time() -> None:
    factories.board()
    folded = []
    with transaction.atomic():
        assert folding.may_fold()
        in_another_connection(lambda: folded.append(fold(least=1)))
    assert folded == [False]


def test_the_fullest_segment_is_folded_until_few_rows_are_left() -> None:
    first = factories.board()
    take_numbers(SEGMENT_BITS)
    others = [factories.board() for _ in range(2)]
    assert fold(least=3)
    assert [row.number for row in IndexRow.objects.all()] == [first.number]
    assert {each.segment for each in Slice.objects.filter(name="is:published")} == {others[0].number // SEGMENT_BITS}
    assert not fold(least=3) and not keep_folded()
    assert_readers_get_what_the_boards_say()


def test_a_slice_without_any_bit_goes() -> None:
    board = factories.board(event="Friday pairs")
    fold_all()
    assert Slice.objects.filter(name="word:friday").exists()
    board.delete()
    fold_all()
    assert not Slice.objects.exists()


# --- Votes: they stand in the boards alone ---------------------------------------------------------------------


LIMITS = (-40, -21, 0, 1, 200, 201)


def assert_votes_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = all_plain_boards()
    conditions: list[Condition] = [EVERY_BOARD, *(Votes(*limits) for limits in pairwise(LIMITS))]
    for limit in LIMITS:
        conditions += [Votes(limit, None), Votes(None, limit), Votes(limit, limit)]
    for condition in conditions:
        wanted = every([EITHER, condition])
        assert find_page(wanted, 0, 100).numbers == plain_numbers(wanted, plain), condition
        for most in (0, 20_000):
            monkeypatch.setattr(top, "MAX_SORTED", most)
            assert find_top(wanted, 2, 5).numbers == plain_top(wanted, plain)[2:7], condition


@pytest.fixture
def boards() -> list[Board]:
    """Store disliked boards, some without votes, and very popular ones."""
    counts = (-300, -21, -20, -19, -1, 0, 0, 1, 3, 199, 200, 201, 301)
    return [factories.board(votes=(max(0, count), max(0, -count))) for count in counts]


def test_votes_are_found_as_they_are(boards: list[Board], monkeypatch: pytest.MonkeyPatch) -> None:
    assert_votes_are_found(monkeypatch)
    fold_all()
    for board, up, down in ((boards[5], 7, 0), (boards[0], 250, 0), (boards[12], 0, 1)):
        Board.objects.filter(pk=board.pk).update(up_votes=up, down_votes=down)
    unpublish_boards([boards[8].pk])
    assert_votes_are_found(monkeypatch)


def test_pages_of_the_most_votes_look_at_no_more_boards_than_they_need(
    boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_all()
    monkeypatch.setattr(top, "MAX_WALKED", SEGMENT_BITS * 10)
    monkeypatch.setattr(top, "sort", None)  # which looks up the votes of all boards found
    monkeypatch.setattr(top, "divide", None)
    assert find_top(IS_PUBLISHED, 2, 4).numbers == plain_top(IS_PUBLISHED, all_plain_boards())[2:6]


def test_an_erasure_deletes_votes_for_drafts_too(boards: list[Board], monkeypatch: pytest.MonkeyPatch) -> None:
    account = factories.account("ada")
    for board in boards[5:7]:
        cast_vote(account=account, board_id=board.pk, value=Vote.Value.UP)
    unpublish_boards([boards[5].pk])
    fold_all()
    delete_votes(Account.objects.get(pk="ada"))
    assert_votes_are_found(monkeypatch)
