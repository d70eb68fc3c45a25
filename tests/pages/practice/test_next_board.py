"""Which board a reader practises first, and which one comes next."""

from itertools import product

import pytest
from django.test import Client
from django.utils import timezone

from boards.models import Board
from bridge.diagram import Diagram
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


def test_practice_begins_with_a_hand_worth_a_thought_and_else_with_the_newest(client: Client) -> None:
    points = {seed: Diagram(factories.record(seed)).hands["south"].points for seed in range(20)}
    strong = next(seed for seed in points if points[seed] >= 10)
    weak = next(seed for seed in points if points[seed] < 10)
    contested, quiet = "1C 1S Pass Pass X Pass Pass Pass", "1C Pass 1S Pass Pass Pass"
    candidates = (
        {"seed": strong, "calls": contested},
        {"seed": strong, "calls": quiet, "difficulty": "expert"},
        {"seed": strong, "calls": quiet},
        {"seed": weak, "calls": "1C 1S Pass Pass"},
        {"seed": weak, "calls": "1C Pass 1H Pass 2H"},
        {"seed": strong, "calls": ""},
    )
    boards = [factories.board(number=1 + 4 * age, **values) for age, values in enumerate(candidates)]
    newest = str(boards[-1].pk)
    assert [first_of(client, query) for query in ("?dealer=N", "?order=easy")] == [newest, str(boards[1].pk)]
    for best in (boards[1], boards[0], boards[2]):
        assert first_of(client) == str(best.pk)
        best.delete()
    assert first_of(client) == newest
