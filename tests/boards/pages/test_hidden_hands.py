"""GET /boards/{id}?show=south: some hands are hidden, and auction and result are folded."""

import pytest
from django.test import Client

from boards.models import Board
from boards.records import diagram_of
from tests import factories
from tests.boards.pages.test_board_page import page_of
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    calls = "1NT Pass 2C X 2S Pass 4S Pass Pass Pass"
    return factories.board(seed=5, number=3, calls=calls, tricks=9, title="A title", commentary="One.")


def hands(page: Document) -> dict[str, str]:
    """Return what screen readers read of each hand, by seat."""
    texts = [text for text in page.texts("p") if text.split(":")[0] in ("North", "East", "South", "West")]
    return {text.split(":")[0]: text for text in texts}


def test_the_query_hides_hands_and_folds_the_result(client: Client, board: Board, subtests: pytest.Subtests) -> None:
    in_words = diagram_of(board).hands
    for shown in ("south", "south,north", "north,east,west,north", "", "north,east,south,west"):
        with subtests.test(shown):
            page = page_of(client, board, f"?show={shown}")
            seen = {seat for seat, text in hands(page).items() if not text.endswith("hidden")}
            assert seen == {*(shown or "north,east,south,west").title().split(",")}
            hidden = len(seen) < 4
            assert page.is_indexed() is not hidden
            assert page.canonical() == f"http://testserver/boards/{board.pk}"
            assert bool(page.texts("p", **{"class": "diagram-outcome"})) is not hidden
            assert ("The result" in page.texts("summary")) is hidden
            assert ("Show all hands" in page.links()) is hidden
            if hidden:
                concealed = in_words["east" if "East" not in seen else "south"]
                assert concealed.in_words not in page.html.partition("<details>")[0]


def test_the_choice_of_shown_hands_is_marked_as_current(client: Client, board: Board) -> None:
    page = page_of(client, board, "?show=south,north")
    assert page.texts("a", **{"aria-current": "true", "rel": "nofollow"}) == ["Show only North-South"]


def test_an_unknown_hand_is_refused(client: Client, board: Board) -> None:
    for query in ("?show=me", "?show=North", "?show=south;north", "?show=%00", "?show=a&show=b"):
        response = client.get(f"/boards/{board.pk}{query}")
        assert response.status_code == 400, query
        assert Document(response).texts("h1") == ["This request has a mistake"]
        assert "show: " in response.content.decode(), query
