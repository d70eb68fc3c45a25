"""`manage.py index_boards`: what it finds, what it mends and what it leaves alone."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from boards.catalogue.refreshing import refresh
from boards.models import Board, IndexRow, Segment, Slice
from boards.search.index import checking
from boards.search.index.checking import find_missing, find_wrong
from boards.search.index.folding import fold, fold_all
from boards.search.index.keys import moment_of
from tests import factories
from tests.boards.search.ways import postgresql_only
from tests.undone import undone
from themes.models import Theme

pytestmark = pytest.mark.django_db


def wrong() -> int:
    return sum(len(keys) for keys in find_wrong())


def check() -> None:
    call_command("index_boards", check=True)


def delete_by_sql() -> None:
    with connection.cursor() as cursor:
        for table in ("publishedboard", "board_themes", "board"):
            cursor.execute(f"DELETE FROM boards_{table}")


Spoilers = dict[str, Callable[[], Any]]
OF_ROWS: Spoilers = {
    "other facts": lambda: IndexRow.objects.update(facts=b""),
    "other tags": lambda: IndexRow.objects.update(tags=" is:draft "),
    "another key": lambda: IndexRow.objects.update(key=bytes(24)),
    "no row": lambda: IndexRow.objects.all().delete(),
}
OF_SEGMENTS: Spoilers = {
    "no slice": lambda: Slice.objects.filter(name="dealer=N").delete(),
    "a theme changed by SQL": lambda: Theme.objects.update(type="lesson"),
    "a board deleted by SQL": delete_by_sql,
    "a board unpublished by SQL": lambda: Board.objects.update(published_at=None),
}


def assert_found_and_mended(spoilers: Spoilers) -> None:
    check()
    for name, spoil in spoilers.items():
        with undone():
            spoil()
            with pytest.raises(CommandError, match="Run index_boards"):
                check()
            assert wrong(), name
            call_command("index_boards")
            assert wrong() == 0, name


def test_a_row_that_differs_is_found_by_check_and_mended_without(capsys: pytest.CaptureFixture[str]) -> None:
    factories.board()
    assert_found_and_mended(OF_ROWS)
    assert capsys.readouterr().out.count("1 board, 1 indexed.\n") == len(OF_ROWS)


@postgresql_only
def test_a_segment_that_differs_is_found_by_check_and_mended_without() -> None:
    factories.board(themes=(factories.theme(type="convention"),))
    assert fold_all() == 1 and not IndexRow.objects.exists()
    assert_found_and_mended(OF_SEGMENTS)


def test_missing_indexes_boards_that_are_not_there_or_of_another_version() -> None:
    missing, old, right = (factories.board() for _ in range(3))
    IndexRow.objects.filter(pk=missing.pk).delete()
    IndexRow.objects.filter(pk=old.pk).update(format=1)
    IndexRow.objects.filter(pk=right.pk).update(facts=b"")  # is not compared
    call_command("index_boards", missing=True)
    assert wrong() == 1
    assert not [key for keys in find_missing() for key in keys]


@postgresql_only
def test_missing_indexes_segments_of_another_version() -> None:
    for _ in range(3):
        factories.board()
    fold_all(capacity=2)
    Segment.objects.update(format=1)
    call_command("index_boards", missing=True)
    assert not [key for keys in find_missing() for key in keys]
    fold_all()
    assert wrong() == 0 and not Segment.objects.filter(format=1).exists()


def test_anew_indexes_all_boards(capsys: pytest.CaptureFixture[str]) -> None:
    for published in (True, False):
        factories.board(published=published)
    fold_all()
    Slice.objects.all().delete()
    IndexRow.objects.update(facts=b"")
    call_command("index_boards", anew=True)
    assert capsys.readouterr().out == "2 boards, 2 indexed.\n"
    assert wrong() == 0


@postgresql_only
@pytest.mark.django_db(transaction=True)
def test_a_check_beside_a_worker_that_folds_says_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(8):
        factories.board()
    fold_all(capacity=4)
    keys_of = checking.keys_of
    folds: list[bool] = []

    def fold_meanwhile(segment: Segment) -> list[bytes]:
        keys = keys_of(segment)
        if len(folds) < 3:
            board = factories.board(published_at=moment_of(keys[2]))
            folds.append(fold(least=1, capacity=4))
            assert IndexRow.objects.count() == 0, board
        return keys

    monkeypatch.setattr(checking, "keys_of", fold_meanwhile)
    check()
    assert folds == [True] * 3


@postgresql_only
@pytest.mark.django_db(transaction=True)
def test_a_board_that_changes_during_a_check_is_compared_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    board = factories.board()
    unplaced = checking.unplaced
    changed: list[int] = []

    def change_meanwhile(board_ids: Sequence[UUID]) -> set[UUID]:
        if not changed:
            with transaction.atomic():
                changed.append(Board.objects.filter(pk=board.pk).update(dealer="W"))
                refresh([board.pk])
        return unplaced(board_ids)

    monkeypatch.setattr(checking, "unplaced", change_meanwhile)
    check()
    assert changed
