"""`manage.py index_boards`: what it finds, what it mends and what it leaves alone."""

from collections.abc import Callable, Sequence
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from boards.catalogue.refreshing import refresh
from boards.models import Board, IndexRow, Segment, Slice
from boards.search import checking
from boards.search.checking import find_missing, find_wrong
from boards.search.keys import moment_of
from boards.search.segments import fold, fold_all
from tests import factories
from themes.models import Theme

pytestmark = pytest.mark.django_db

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no segments")


def wrong() -> int:
    return sum(len(keys) for keys in find_wrong())


def spoil_facts() -> None:
    IndexRow.objects.update(facts=b"")


def spoil_tags() -> None:
    IndexRow.objects.update(tags=" is:draft ")


def spoil_key() -> None:
    IndexRow.objects.update(key=bytes(24))


def forget() -> None:
    IndexRow.objects.all().delete()


def test_a_row_that_differs_is_found_by_check_and_mended_without(
    capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    factories.board()
    for spoil in (spoil_facts, spoil_tags, spoil_key, forget):
        with subtests.test(spoil.__name__):
            call_command("index_boards", check=True)
            spoil()
            with pytest.raises(CommandError, match="Run index_boards"):
                call_command("index_boards", check=True)
            assert wrong() == 1
            capsys.readouterr()
            call_command("index_boards")
            assert capsys.readouterr().out == "1 board, 1 indexed.\n"
            assert wrong() == 0


def spoil_slice() -> None:
    Slice.objects.filter(name="dealer=N").delete()


def change_a_theme_by_sql() -> None:
    Theme.objects.update(type="lesson")


def delete_by_sql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM boards_publishedboard")
        cursor.execute("DELETE FROM boards_board_themes")
        cursor.execute("DELETE FROM boards_board")


def unpublish_by_sql() -> None:
    Board.objects.update(published_at=None)


@on_postgresql
@pytest.mark.parametrize(
    "spoil", [spoil_slice, change_a_theme_by_sql, delete_by_sql, unpublish_by_sql], ids=lambda way: way.__name__
)
def test_a_segment_that_differs_is_found_by_check_and_mended_without(spoil: Callable[[], None]) -> None:
    factories.board(themes=[factories.theme(type="convention")])
    assert fold_all() == 1 and not IndexRow.objects.exists()
    call_command("index_boards", check=True)
    spoil()
    with pytest.raises(CommandError, match="Run index_boards"):
        call_command("index_boards", check=True)
    call_command("index_boards")
    assert wrong() == 0


def test_missing_indexes_boards_that_are_not_there_or_of_another_version() -> None:
    missing, old, right = (factories.board() for _ in range(3))
    IndexRow.objects.filter(pk=missing.pk).delete()
    IndexRow.objects.filter(pk=old.pk).update(format=1)
    IndexRow.objects.filter(pk=right.pk).update(facts=b"")  # is not compared
    call_command("index_boards", missing=True)
    assert wrong() == 1
    assert not [key for keys in find_missing() for key in keys]


@on_postgresql
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


@on_postgresql
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
    call_command("index_boards", check=True)
    assert folds == [True] * 3


@on_postgresql
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
    call_command("index_boards", check=True)
    assert changed
