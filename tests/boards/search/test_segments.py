"""Folding rows into segments, on PostgreSQL: what is changed meanwhile is neither lost nor found twice."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Thread
from typing import Any

import pytest
from django.db import connections, transaction

from boards.bulk import delete_boards, publish_drafts, unpublish_boards
from boards.catalogue.refreshing import refresh
from boards.models import Board, DeadPosition, IndexRow, Segment
from boards.search import segments
from boards.search.checking import find_wrong
from boards.search.finding import count_boards
from boards.search.segments import SegmentsAreWritten, fold, fold_all, keep_folded
from boards.search.slots import Run, Slot
from boards.search.types import of_type
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.search.ways import postgresql_only

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
    merge = segments.merge
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

        monkeypatch.setattr(segments, "merge", merge_while_they_change)
        assert fold(least=1) and not changes
        assert_readers_get_what_the_boards_say()
        monkeypatch.setattr(segments, "merge", merge)
        fold_all()
        assert not IndexRow.objects.exists() and not DeadPosition.objects.exists()
        assert_readers_get_what_the_boards_say()


def test_a_theme_changes_its_type_during_a_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    theme, other = factories.theme(type="convention"), factories.theme(type="convention")
    factories.board(themes=(theme,))
    fold_all()
    for themes in ((theme,), (other,)):
        factories.board(themes=themes)
    lock_out_writers = segments.lock_out_writers

    def change_type() -> None:
        theme.type = "lesson"
        theme.save()

    def lock_out_writers_after_a_change() -> None:
        in_another_connection(change_type)
        lock_out_writers()

    monkeypatch.setattr(segments, "lock_out_writers", lock_out_writers_after_a_change)
    assert fold(least=1)
    monkeypatch.setattr(segments, "lock_out_writers", lock_out_writers)
    for _ in range(2):
        assert not [key for keys in find_wrong() for key in keys]
        assert count_boards(of_type("lesson", [theme.pk])) == 2
        assert count_boards(of_type("convention", [other.pk])) == 1
        fold_all()


def test_a_fold_waits_for_writers_in_turns_and_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "TRIES", 2)
    monkeypatch.setattr(segments, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(segments, "FOLD_FROM", 1)
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
        assert segments.may_fold()
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
