"""Words in the texts of boards, with and without segments."""

import random

import pytest
from rest_framework.test import APIClient

from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.search import resolving
from boards.search.segments import fold_all
from boards.search.words import fold_words, words_of
from tests import factories
from tests.boards.search.ways import IN_SEGMENTS, postgresql_only
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


FOUND = {
    **dict.fromkeys(("safety", "SAFETY play"), "One Two"),
    '"safety play"': "One",
    '"play for safety" -"clubs"': "Two",
    **dict.fromkeys(("zurich", '"Freitagspaare Zürich"'), "One"),
    **dict.fromkeys(("weak", '"weak 10 12"'), "Four"),
    **dict.fromkeys(('"safety friday"', '"clubs freitagspaare"', 'event="Friday"', "nowhere"), ""),
    **dict.fromkeys(('event="friday PAIRS"', 'site="club room"'), "Two"),
    '"club room" OR zurich': "One Two Four",
}


@pytest.mark.parametrize("in_segments", IN_SEGMENTS)
def test_boards_are_found_by_the_words_of_their_texts(anonymous: APIClient, in_segments: bool) -> None:
    factories.board(title="One", commentary="A safety play in clubs.", event="Freitagspaare Zürich")
    factories.board(title="Two", commentary="Play for safety.", event="Friday pairs", site="Club room")
    factories.board(title="Three", event="Friday pairs", published=False)
    explained = factories.board(title="Four", calls="1NT Pass Pass Pass", site="The club room")
    Board.objects.filter(pk=explained.pk).update(auction=[["1NT", True, "Weak: 10–12"], "Pass", "Pass", "Pass"])
    refresh([explained.pk])
    if in_segments:
        fold_all()
    for query, titles in FOUND.items():
        response = anonymous.get("/api/boards", {"q": query})
        assert response.status_code == 200, response.json()
        assert {board["title"] for board in response.json()["boards"]} == {*titles.split()}, query


@postgresql_only  # SQLite looks at all boards
def test_too_common_a_phrase_asks_for_another_condition(anonymous: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
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
