"""Words in the texts of boards, with and without segments."""

import random

import pytest
from django.db import connection
from rest_framework.test import APIClient

from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.search import resolving
from boards.search.segments import fold_all
from boards.search.words import fold_words, words_of
from tests import factories
from tests.linear import assert_linear

pytestmark = pytest.mark.django_db


WORDS = {
    "Friday pairs": "friday pairs",
    "MÜLLER, Straße": "muller strasse",
    "Mu\u0308ller": "muller",
    "Ærø Łódź": "aero lodz",
    "don't under_bid 4♠ (1NT-2♣)": "don t under bid 4 1nt 2",
    "Ελλάδα ПРИВЕТ": "ελλαδα привет",
    "ﬁnesse ²": "finesse 2",
    "x" * 50: "x" * 40,
    "♠ … \x00 _": "",
}


def test_a_text_becomes_words_in_one_form() -> None:
    assert {text: " ".join(fold_words(text)) for text in WORDS} == WORDS


def test_any_text_costs_as_much_as_it_is_long() -> None:
    choice = random.Random(3)
    letters = "aé̈ß♠ \u0130ﬃ\u1100\u1161한"
    assert_linear(lambda size: "".join(choice.choices(letters, k=size)), fold_words)


def found(anonymous: APIClient, query: str) -> set[str]:
    response = anonymous.get("/api/boards", {"q": query})
    assert response.status_code == 200, response.json()
    return {board["title"] for board in response.json()["boards"]}


@pytest.mark.parametrize("folded", [False, True])
def test_boards_are_found_by_the_words_of_their_texts(anonymous: APIClient, folded: bool) -> None:
    if folded and connection.vendor != "postgresql":
        pytest.skip("SQLite has no segments")
    factories.board(title="One", commentary="A safety play in clubs.", event="Freitagspaare Zürich")
    factories.board(title="Two", commentary="Play for safety.", event="Friday pairs", site="Club room")
    factories.board(title="Three", event="Friday pairs", published=False)
    explained = factories.board(title="Four", calls="1NT Pass Pass Pass", site="The club room")
    Board.objects.filter(pk=explained.pk).update(auction=[["1NT", True, "Weak: 10–12"], "Pass", "Pass", "Pass"])
    refresh([explained.pk])
    if folded:
        fold_all()
    assert found(anonymous, "safety") == {"One", "Two"}
    assert found(anonymous, "SAFETY play") == {"One", "Two"}
    assert found(anonymous, '"safety play"') == {"One"}
    assert found(anonymous, '"play for safety" -"clubs"') == {"Two"}
    assert found(anonymous, "zurich") == found(anonymous, '"Freitagspaare Zürich"') == {"One"}
    assert found(anonymous, "weak") == found(anonymous, '"weak 10 12"') == {"Four"}
    assert found(anonymous, '"safety friday"') == found(anonymous, '"clubs freitagspaare"') == set()
    assert found(anonymous, 'event="friday PAIRS"') == {"Two"}
    assert found(anonymous, 'event="Friday"') == set()
    assert found(anonymous, 'site="club room"') == {"Two"}
    assert found(anonymous, '"club room" OR zurich') == {"One", "Two", "Four"}
    assert found(anonymous, "nowhere") == set()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite looks at all boards")
def test_a_phrase_of_too_many_boards_asks_for_another_condition(
    anonymous: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolving, "MAX_TEXTS", 2)
    for number in (1, 2, 3):
        factories.board(number=number, event="Friday pairs")
    fold_all()
    refused = anonymous.get("/api/boards", {"q": '"friday pairs"'})
    assert refused.status_code == 400
    (reason,) = refused.json()["meta"]["fields"]["q"]
    assert reason["code"] == "too_many_texts" and "Add a condition" in reason["message"]
    for query in ('"friday pairs" board=1..2', 'board=3 (vul=all OR "friday pairs")'):
        assert anonymous.get("/api/boards", {"q": query}).status_code == 200


def test_the_words_of_a_board_are_bounded() -> None:
    board = factories.board(commentary="word " * 3_990)
    assert len(words_of(board)) < 6_000 * 5 + 100
    board.commentary = "a b " * 5_000
    assert len(words_of(board).split()) == 6_000
