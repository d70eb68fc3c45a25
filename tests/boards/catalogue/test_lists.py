"""The lists, their counts and the marks, which triggers keep equal to what is published."""

import random
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import pairwise

import pytest
from django.db import connection

from boards.catalogue import marks
from boards.catalogue.checking import find_wrong_tables
from boards.catalogue.marks import add_marks
from boards.catalogue.refreshing import refresh
from boards.files.importing import import_boards
from boards.models import Board, PageMark, PublishedBoard
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no marks")

TRIGGERS = {
    "postgresql": (
        "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
        {
            "boards_lists_come",
            "boards_lists_go",
            "boards_lists_change",
            "themes_theme_changes_revision",
            "accounts_auctionsystem_changes_revision",
        },
    ),
    "sqlite": (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        {
            "boards_lists_come",
            "boards_lists_go",
            "boards_lists_change",
            *(
                f"{table}_changes_revision_on_{event}"
                for table in ("themes_theme", "accounts_auctionsystem")
                for event in ("INSERT", "UPDATE", "DELETE")
            ),
        },
    ),
}


@pytest.mark.django_db
def test_all_migrations_leave_the_triggers_there() -> None:
    """On SQLite a migration that changes one of the tables makes it anew and drops them: it must create them again."""
    query, names = TRIGGERS[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(query)
        assert names <= {name for (name,) in cursor.fetchall()}


def change_at_random(choice: random.Random, boards: list[Board]) -> None:
    """Publish, unpublish, move, re-date or delete a few boards, and refresh them together."""
    chosen = choice.sample(boards, choice.randint(1, 5))
    for board in chosen:
        at = choice.choice([None, NOON - timedelta(minutes=choice.randint(0, 9))])
        values = {
            "published_at": at,
            "dealer": choice.choice("NESW"),
            "owner": choice.choice(["ada", "system"]),
        }
        Board.objects.filter(pk=board.pk).update(**values)
        board.themes.set(
            choice.sample(list(type(board).themes.rel.model.objects.all()), choice.randint(0, 2))
        )
    refresh([board.pk for board in chosen])
    if choice.random() < 0.1:
        boards.remove(chosen[0])
        chosen[0].delete()
    if choice.random() < 0.3:
        add_marks()


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_random_changes_leave_the_lists_counts_and_marks_right(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "STEP", 3)
    choice = random.Random(seed)
    factories.account("ada")
    for number in range(3):
        factories.theme(type="lesson" if number else "convention")
    boards = [factories.board(published=False) for _ in range(20)]
    for _ in range(40):
        change_at_random(choice, boards)
        assert find_wrong_tables() == []
    assert_readers_get_what_the_boards_say()


@pytest.mark.django_db
def test_nothing_is_moved_when_only_the_text_changes() -> None:
    board = factories.board()
    PublishedBoard.objects.filter(pk=board.pk).update(json="{}")
    assert find_wrong_tables() == []


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_no_place_of_an_import_is_far_from_a_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch is listed below the one before, and so below the marks that the first ones were given."""
    monkeypatch.setattr(marks, "STEP", 5)
    monkeypatch.setattr("boards.files.importing.BATCH_SIZE", 4)
    records = [factories.record(number=number) for number in range(1, 61)]
    import_boards(file=BytesIO((HEADER + "".join(map(write_pbn, records))).encode()), publish=True)
    positions = [0, *PageMark.objects.order_by("position").values_list("position", flat=True), 60]
    assert max(after - before for before, after in pairwise(positions)) < 10
    assert find_wrong_tables() == []


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_boards_of_one_moment_get_at_most_one_mark_and_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "STEP", 2)
    for _ in range(9):
        factories.board(published_at=NOON)
    assert list(PageMark.objects.values_list("published_at", flat=True)) == [NOON]
    assert find_wrong_tables() == []
    assert_readers_get_what_the_boards_say()
