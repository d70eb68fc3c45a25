"""Which board a reader practises first, and which one comes next."""

from itertools import product

import pytest
from django.test import Client
from django.utils import timezone

from boards.models import Board
from bridge.layout import Layout
from pages.practice import next_board
from tests import factories
from tests.pages.opening import walk

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def first_of(client: Client, query: str = "") -> str:
    return client.get(f"/practice{query}")["Location"].partition("?")[0].removeprefix("/practice/")


def test_the_tables_of_a_deal_are_one_board_to_practise(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(next_board, "TABLES_AT_ONCE", 3)
    theme = factories.theme("stayman", labels={"en": "Stayman"})

    def store(number: int, **texts: str) -> Board:
        return factories.board(seed=number, number=number, themes=(theme,), **texts)

    elsewhere = store(1)
    places = product((2, 1), range(1, 6))
    tables = [store(number, event="Friday pairs", table=str(table)) for number, table in places][::-1]
    walked = walk(client, f"/practice?theme={theme.pk}")
    deals = [Board.objects.get(pk=pk).deal_id for pk in walked]
    assert deals == [tables[0].deal_id, tables[-1].deal_id, elsewhere.deal_id]


def test_from_the_easiest_board_to_the_hardest_and_then_the_others(client: Client) -> None:
    levels = ("", "expert", "beginner", "advanced", "beginner", "intermediate")
    boards = [factories.board(number=1, difficulty=level) for level in reversed(levels)][::-1]
    assert walk(client, "/practice?order=easy") == [str(boards[age].pk) for age in (2, 4, 5, 3, 1, 0)]
    assert walk(client, "/practice?order=easy&difficulty=advanced") == [str(boards[3].pk)]
    assert client.get("/practice?order=hard").status_code == 400
    assert client.get("/practice?order=easy&order=easy").status_code == 400


def test_practice_begins_with_a_clear_decision_and_else_with_the_newest_auction(client: Client) -> None:
    flat = Layout.parse("E:98.8752.Q43.AKJ6 KQ32.AQ9.A92.Q75 A654.T43.T876.43 JT7.KJ6.KJ5.T982")
    boards = [
        factories.board(number=2, **values)
        for values in (
            {"cards": flat, "calls": "Pass 1NT Pass 3NT Pass Pass Pass"},
            {"cards": flat, "calls": "Pass 1NT Pass Pass Pass"},
            {"seed": 9},
        )
    ]
    decision, opening, silent = (str(board.pk) for board in boards)
    assert [first_of(client, query) for query in ("", "?seat=south", "?dealer=E")] == [decision, opening, opening]
    boards[0].delete()
    assert walk(client, "/practice") == [opening, silent], "boards without an auction come last"
