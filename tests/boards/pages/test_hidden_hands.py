"""GET /boards/{id}?show=south: some hands are hidden, and auction and result are folded."""

import pytest
from django.test import Client

from boards.models import Board
from boards.records import diagram_of
from tests.boards.pages.opening import SEATS, page_of
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db


def seats_shown(page: Document) -> set[str]:
    """Return the seats of which screen readers read a hand."""
    hands = dict(text.split(": ", 1) for text in page.texts("p") if text.split(":")[0].lower() in SEATS)
    return {seat.lower() for seat, hand in hands.items() if hand != "hidden"}


def test_the_query_hides_hands_and_folds_the_result(client: Client, board: Board) -> None:
    in_words = diagram_of(board).hands
    for shown in ("south", "south,north", "north,east,west,north", "", "north,east,south,west"):
        page = page_of(client, board, f"?show={shown}")
        seen = seats_shown(page)
        assert seen == ({*shown.split(",")} if shown else {*SEATS})
        is_hidden = len(seen) < 4
        assert page.is_indexed() is not is_hidden, shown
        assert page.canonical() == f"http://testserver/boards/{board.pk}"
        assert bool(page.texts("p", **{"class": "diagram-outcome"})) is not is_hidden, shown
        assert ("The result" in page.texts("summary")) is ("Show all hands" in page.links()) is is_hidden, shown
        unfolded = page.html.partition("<details>")[0]
        assert not is_hidden or not [seat for seat in {*SEATS} - seen if in_words[seat].in_words in unfolded], shown
    page = page_of(client, board, "?show=south,north")
    assert page.texts("a", **{"aria-current": "true", "rel": "nofollow"}) == ["Show only North-South"]


def test_an_unknown_hand_is_refused(client: Client, board: Board) -> None:
    for query in ("?show=me", "?show=North", "?show=south;north", "?show=%00", "?show=a&show=b"):
        response = client.get(f"/boards/{board.pk}{query}")
        assert response.status_code == 400, query
        assert Document(response).texts("h1") == ["This request has a mistake"]
        assert "show: " in response.content.decode(), query
