"""The hand of the day: which one is chosen, once and for everybody."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from time_machine import travel

from boards.catalogue.refreshing import refresh
from boards.models import Board, BoardOfTheDay
from boards.services.days import CANDIDATES, choose, keep_board_of_the_day
from config.worker.runner import Runner, ShutdownRequest
from search.index.folding import fold
from tests import factories
from tests.bridge.factories import auction
from tests.meetings import at_once

pytestmark = pytest.mark.django_db

MONDAY = date(2026, 11, 23)
BID = "1NT Pass 3NT Pass Pass Pass"


def board(**values: Any) -> Board:
    return factories.board(number=1, calls=BID, **values)


def test_it_is_easy_on_monday_and_hard_on_sunday() -> None:
    boards = {name: board(difficulty=name) for name in ("beginner", "intermediate", "advanced", "expert")}
    week = [choose(MONDAY + timedelta(days=number)) for number in range(7)]
    names = ["beginner", "beginner", "intermediate", "intermediate", "advanced", "advanced", "expert"]
    assert week == [boards[name].pk for name in names]


def test_it_has_the_most_votes_of_its_difficulty_or_of_all_where_none_is_of_that() -> None:
    _, best = board(votes=(2, 0)), board(difficulty="expert", votes=(90, 0))
    assert choose(MONDAY) == best.pk
    best = board(difficulty="beginner", votes=(5, 1))
    board(difficulty="beginner", votes=(6, 3))
    board(difficulty="beginner", votes=(90, 0), published=False)
    assert choose(MONDAY) == best.pk


def test_a_board_without_a_contract_that_was_bid_to_its_end_is_none() -> None:
    record = factories.record(seed=3, number=1, calls=BID)
    cut_off = auction(record.dealer, "1NT Pass 3NT Pass Pass")
    factories.board(seed=3, number=1, auction=cut_off, contract=record.contract, votes=(9, 0))
    for calls in ("", "1NT Pass 3NT", "Pass Pass Pass Pass"):
        factories.board(number=1, calls=calls, votes=(9, 0))
        assert choose(MONDAY) is None, calls
    other = board()
    assert choose(MONDAY) == other.pk


def test_a_board_is_not_chosen_again_for_a_year() -> None:
    best, second = board(votes=(9, 0)), board(votes=(1, 0))
    BoardOfTheDay.objects.create(day=MONDAY - timedelta(days=364), board=best)
    assert choose(MONDAY) == second.pk
    BoardOfTheDay.objects.update(day=MONDAY - timedelta(days=365))
    assert choose(MONDAY) == best.pk
    assert CANDIDATES > 365


def test_a_small_site_begins_again_with_the_board_that_was_shown_longest_ago() -> None:
    best_first = [board(seed=number, votes=(9 - number, 0)).pk for number in range(3)]
    for number, expected in enumerate([*best_first, *best_first, best_first[0]]):
        assert choose(MONDAY + timedelta(days=number)) == expected, number
        BoardOfTheDay.objects.create(day=MONDAY + timedelta(days=number), board_id=expected)


def test_chance_decides_among_equal_ones_and_is_the_same_for_everybody() -> None:
    boards = {board(seed=number).pk for number in range(4)}
    chosen = [choose(MONDAY + timedelta(days=number)) for number in range(40)]
    assert chosen == [choose(MONDAY + timedelta(days=number)) for number in range(40)]
    assert set(chosen) <= boards and len(set(chosen)) > 2


def test_it_is_chosen_once_a_day_whatever_is_voted_meanwhile() -> None:
    with travel(datetime(2026, 11, 23, 0, 0, 5, tzinfo=UTC), tick=False) as clock:
        first, second = board(votes=(2, 0)), board(votes=(1, 0))
        assert keep_board_of_the_day() is True
        Board.objects.filter(pk=second.pk).update(up_votes=50)
        refresh([second.pk])
        assert keep_board_of_the_day() is False
        clock.move_to(datetime(2026, 11, 24, 0, 0, 1, tzinfo=UTC))
        assert keep_board_of_the_day() is True
    rows = list(BoardOfTheDay.objects.order_by("day").values_list("day", "board"))
    assert rows == [(MONDAY, first.pk), (MONDAY + timedelta(days=1), second.pk)]


def test_the_worker_chooses_it_and_a_board_that_is_deleted_takes_its_day_with_it() -> None:
    stored = board()
    Runner(ShutdownRequest()).run(once=True)
    assert BoardOfTheDay.objects.get().day == datetime.now(UTC).date()
    stored.delete()
    assert not BoardOfTheDay.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_workers_that_choose_at_once_choose_one() -> None:
    for seed in range(4):
        board(seed=seed)
    assert len(at_once([keep_board_of_the_day] * 3)) == 3
    assert BoardOfTheDay.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_boards_of_segments_are_candidates_too() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no slices.")
    best = board(votes=(9, 0))
    for seed in range(3):
        board(seed=seed)
    assert fold(least=1)
    assert choose(MONDAY) == best.pk
