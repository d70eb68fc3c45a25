"""Segments, on PostgreSQL: what changes during a fold is neither lost nor found twice, and votes are up to date."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from threading import Thread
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from accounts.models import Account
from boards.bulk import delete_boards, publish_drafts, unpublish_boards
from boards.catalogue.refreshing import refresh
from boards.models import Board, DeadPosition, IndexRow, Segment, Slice
from boards.search.conditions import EVERY_BOARD, Condition, Votes, every
from boards.search.index import folding, top
from boards.search.index import votes as votes_of_segments
from boards.search.index.checking import find_wrong
from boards.search.index.finding import EITHER, IS_PUBLISHED, count_boards, find_page
from boards.search.index.folding import SegmentsAreWritten, fold, fold_all, keep_folded
from boards.search.index.slots import Run, Slot
from boards.search.index.top import find_top
from boards.search.index.types import of_type
from boards.search.index.votes import MANY_EVENTS, MANY_VOTES, STEPS, keep_votes, refresh_votes
from deals.events.feed import read_latest
from deals.models import FeedEvent, FeedState
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.search.plain import all_plain_boards, plain_keys, plain_top
from tests.boards.search.ways import postgresql_only
from voting.models import Vote
from voting.services import cast_vote, delete_votes, record_votes_of

pytestmark = [pytest.mark.django_db(transaction=True), postgresql_only]

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


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


def test_boards_that_change_during_a_fold_are_found_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    merge = folding.merge
    for is_first in (True, False):
        boards = [factories.board(published_at=NOON - timedelta(minutes=age)) for age in range(7)]
        if not is_first:
            fold_all()
            factories.board()
        changes = [partial(change, board) for change, board in zip(CHANGES, boards[1:], strict=False)]

        def merge_while_they_change(slot: Slot, changes: list[partial[object]] = changes) -> list[Run]:
            while changes:
                in_another_connection(changes.pop())
            return merge(slot)

        monkeypatch.setattr(folding, "merge", merge_while_they_change)
        assert fold(least=1) and not changes
        assert_readers_get_what_the_boards_say()
        monkeypatch.setattr(folding, "merge", merge)
        fold_all()
        assert not IndexRow.objects.exists() and not DeadPosition.objects.exists()
        assert_readers_get_what_the_boards_say()


def test_a_theme_changes_its_type_during_a_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    theme, other = factories.theme(type="convention"), factories.theme(type="convention")
    factories.board(themes=(theme,))
    fold_all()
    for themes in ((theme,), (other,)):
        factories.board(themes=themes)
    lock_out_writers = folding.lock_out_writers

    def change_type() -> None:
        theme.type = "lesson"
        theme.save()

    def lock_out_writers_after_a_change() -> None:
        in_another_connection(change_type)
        lock_out_writers()

    monkeypatch.setattr(folding, "lock_out_writers", lock_out_writers_after_a_change)
    assert fold(least=1)
    monkeypatch.setattr(folding, "lock_out_writers", lock_out_writers)
    for _ in range(2):
        assert not [key for keys in find_wrong() for key in keys]
        assert count_boards(of_type("lesson", [theme.pk])) == 2
        assert count_boards(of_type("convention", [other.pk])) == 1
        fold_all()


def test_a_fold_waits_for_writers_in_turns_and_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "TRIES", 2)
    monkeypatch.setattr(folding, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(folding, "FOLD_FROM", 1)
    board = factories.board()
    refused = []

    def try_to_fold() -> None:
        try:
            fold(least=1)
        except SegmentsAreWritten:
            refused.append(True)
        keep_folded()

    with transaction.atomic():
        refresh([board.pk])
        in_another_connection(try_to_fold)
    assert refused and not Segment.objects.exists()
    assert fold(least=1)
    assert_readers_get_what_the_boards_say()


def test_one_fold_at_a_time() -> None:
    factories.board()
    folded = []
    with transaction.atomic():
        assert folding.may_fold()
        in_another_connection(lambda: folded.append(fold(least=1)))
    assert folded == [False]


def test_a_segment_that_has_become_small_joins_its_neighbour() -> None:
    boards = [factories.board(published_at=NOON - timedelta(minutes=age)) for age in range(8)]
    fold_all(capacity=4)
    assert [segment.boards for segment in Segment.objects.order_by("oldest")] == [4, 4]
    delete_boards([board.pk for board in boards[:3]])
    fold_all(capacity=8)
    assert [segment.boards for segment in Segment.objects.all()] == [5]
    assert_readers_get_what_the_boards_say()


# --- Votes: known up to a position of the feed, and looked up where they have changed since ------------------


LIMITS = (-40, -21, -20, 0, 1, 200, 201)


def set_votes(board: Board, up: int, down: int = 0) -> None:
    Board.objects.filter(pk=board.pk).update(up_votes=up, down_votes=down)
    record_votes_of([board.pk])


def assert_votes_are_found() -> None:
    plain = all_plain_boards()
    conditions: list[Condition] = [EVERY_BOARD, *(Votes(*limits) for limits in pairwise(LIMITS))]
    for limit in LIMITS:
        conditions += [Votes(limit, None), Votes(None, limit), Votes(limit, limit)]
    for condition in conditions:
        wanted = every([EITHER, condition])
        assert find_page(wanted, 0, 100).keys == plain_keys(wanted, plain), condition
        assert find_top(wanted, 2, 5).keys == plain_top(wanted, plain)[2:7], condition
    assert [key for keys in find_wrong() for key in keys] == []


@pytest.fixture
def boards() -> list[Board]:
    """Store boards in a segment: disliked ones, some without votes, and very popular ones."""
    counts = (-300, -21, -20, -19, -1, 0, 0, 1, 3, 199, 200, 201, 301)
    return [factories.board(votes=(max(0, count), max(0, -count))) for count in counts]


def test_votes_are_found_before_and_after_slices_know_them(boards: list[Board]) -> None:
    fold_all()
    assert_votes_are_found()
    set_votes(boards[5], 7)
    set_votes(boards[0], 250)
    set_votes(boards[12], 0, 1)
    assert_votes_are_found()
    slices = set(Slice.objects.filter(name__in=STEPS).values_list("name", "bits"))
    assert refresh_votes()
    assert set(Slice.objects.filter(name__in=STEPS).values_list("name", "bits")) != slices
    assert_votes_are_found()
    set_votes(boards[5], 2)
    unpublish_boards([boards[8].pk])
    assert_votes_are_found()
    fold_all()
    assert_votes_are_found()


def test_first_pages_by_votes_wait_for_no_worker(boards: list[Board], monkeypatch: pytest.MonkeyPatch) -> None:
    fold_all()
    for number, board in enumerate(boards):
        set_votes(board, number)
    monkeypatch.setattr(top, "divide", None)  # which looks at each of them
    assert find_top(IS_PUBLISHED, 2, 4).keys == plain_top(IS_PUBLISHED, all_plain_boards())[2:6]


def test_many_or_old_or_unknown_votes_refresh_slices(boards: list[Board], monkeypatch: pytest.MonkeyPatch) -> None:
    assert not keep_votes()  # there is no segment yet
    fold_all()
    account = factories.account("ada")
    assert not keep_votes()
    cast_vote(account=account, board_id=boards[5].pk, value=Vote.Value.UP)
    assert not keep_votes()
    FeedEvent.objects.exclude(votes_of=None).update(created_at=timezone.now() - timedelta(hours=2))
    assert keep_votes() and not keep_votes()
    assert_votes_are_found()
    due = votes_of_segments.DUE
    fewer = (due.replace(str(MANY_VOTES), "1"), due.replace(str(MANY_EVENTS), "0"))
    for statement, board in zip(fewer, boards[6:8], strict=True):
        cast_vote(account=account, board_id=board.pk, value=Vote.Value.UP)
        read_latest()
        monkeypatch.setattr(votes_of_segments, "DUE", statement)
        assert keep_votes()
        monkeypatch.setattr(votes_of_segments, "DUE", due)
    set_votes(boards[0], 9)
    read_latest()
    FeedEvent.objects.all().delete()
    FeedState.objects.update(pruned_position=FeedState.objects.get().last_position)
    assert keep_votes()
    assert set(Segment.objects.values_list("votes_position", flat=True)) == {FeedState.objects.get().last_position}
    assert_votes_are_found()


def test_an_erasure_deletes_votes_for_drafts_too(boards: list[Board]) -> None:
    account = factories.account("ada")
    for board in boards[5:7]:
        cast_vote(account=account, board_id=board.pk, value=Vote.Value.UP)
    unpublish_boards([boards[5].pk])
    fold_all()
    assert refresh_votes()
    delete_votes(Account.objects.get(pk="ada"))
    assert_votes_are_found()
