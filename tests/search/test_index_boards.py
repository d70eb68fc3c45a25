"""`manage.py index_boards`: what it finds, what it mends and what it leaves alone."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.searching import checking
from boards.searching.checking import find_missing
from search.facts import NOTATION, OFFSETS
from search.index.folding import fold, fold_all
from search.models import IndexRow, Slice
from tests import factories
from tests.boards.catalogue.comparing import LARGE_CHUNK, wrong_numbers
from tests.meetings import in_own_connection
from tests.search.ways import postgresql_only
from tests.undone import undone

pytestmark = pytest.mark.django_db


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
    "no row": lambda: IndexRow.objects.all().delete(),
}
OF_SLICES: Spoilers = {
    "no slice": lambda: Slice.objects.filter(name="dealer=N").delete(),
    "a theme more": lambda: Board.objects.get().themes.add(factories.theme()),
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
            assert wrong_numbers(), name
            call_command("index_boards")
            assert wrong_numbers() == [], name


def test_a_row_that_differs_is_found_by_check_and_mended_without(capsys: pytest.CaptureFixture[str]) -> None:
    factories.board()
    assert_found_and_mended(OF_ROWS)
    assert capsys.readouterr().out.count("1 board, 1 indexed.\n") == len(OF_ROWS)


@pytest.mark.django_db(transaction=True)
def test_what_differs_is_mended_where_a_comparison_may_only_read() -> None:
    """Nothing is around the command: each comparison is a transaction of its own, which writes nothing."""
    factories.board()
    IndexRow.objects.update(tags=" is:draft ")
    call_command("index_boards")
    assert wrong_numbers() == []


@postgresql_only
def test_a_segment_that_differs_is_found_by_check_and_mended_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "CHUNK", LARGE_CHUNK)
    factories.board(themes=(factories.theme(type="convention"),))
    assert fold_all() == 1 and not IndexRow.objects.exists()
    assert_found_and_mended(OF_SLICES)


def test_missing_indexes_boards_that_are_not_there_or_of_an_earlier_version() -> None:
    missing, old, right = (factories.board() for _ in range(3))
    IndexRow.objects.filter(pk=missing.number).delete()
    place = OFFSETS["notation"]
    row = IndexRow.objects.get(pk=old.number)
    row.facts = bytes(row.facts)[:place] + bytes([NOTATION - 1])
    row.save()
    IndexRow.objects.filter(pk=right.number).update(tags="")  # is not compared
    assert [number for numbers in find_missing() for number in numbers] == [missing.number, old.number]
    call_command("index_boards", missing=True)
    assert wrong_numbers() == [right.number]
    assert not [number for numbers in find_missing() for number in numbers]


@postgresql_only
def test_missing_indexes_boards_in_slices_of_an_earlier_version() -> None:
    for _ in range(3):
        factories.board()
    fold_all()
    Slice.objects.filter(name=f"notation>={NOTATION}").delete()
    call_command("index_boards", missing=True)
    assert not [number for numbers in find_missing() for number in numbers]
    fold_all()
    assert wrong_numbers() == []


def test_anew_indexes_all_boards(capsys: pytest.CaptureFixture[str]) -> None:
    for published in (True, False):
        factories.board(published=published)
    fold_all()
    Slice.objects.all().delete()
    IndexRow.objects.update(facts=b"")
    call_command("index_boards", anew=True)
    assert capsys.readouterr().out == "2 boards, 2 indexed.\n"
    assert wrong_numbers() == []


@postgresql_only
@pytest.mark.django_db(transaction=True)
def test_a_check_beside_changes_and_a_worker_that_folds_says_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    board, other = factories.board(), factories.board()
    fold_all()
    stored_ones = checking.stored_ones
    done: list[bool] = []

    def change_and_fold_first(numbers: range) -> dict[str, set[int]]:
        def change() -> None:
            with transaction.atomic():
                Board.objects.filter(pk=board.pk).update(dealer="W")
                refresh([board.pk])
            Board.objects.get(pk=other.pk).delete()
            done.append(fold(least=1))

        if not done:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(in_own_connection, change).result()
        return stored_ones(numbers)

    monkeypatch.setattr(checking, "stored_ones", change_and_fold_first)
    check()
    assert done == [True]
    check()
