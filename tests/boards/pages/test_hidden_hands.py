"""GET /boards/{id}?show=south: some hands are hidden, and auction and result are folded."""

import pytest
from django.test import Client

from boards.models import Board
from boards.records import diagram_of
from tests import factories
from tests.boards.pages.test_board_page import page_of
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def board() -> Board:
    calls = "1NT Pass 2C X 2S Pass 4S Pass Pass Pass"
    return factories.board(seed=5, number=3, calls=calls, tricks=9, title="A title", commentary="One.")


def hands(page: Document) -> dict[str, str]:
    """Return what screen readers read of each hand, by seat."""
    texts = [text for text in page.texts("p") if text.split(":")[0] in ("North", "East", "South", "West")]
    return {text.split(":")[0]: text for text in texts}


@pytest.mark.parametrize(
    ("query", "seats"),
    [
        ("?show=south", {"South"}),
        ("?show=south,north", {"North", "South"}),
        ("?show=north,east,west,north", {"North", "East", "West"}),
        ("?show=", {"North", "East", "South", "West"}),
        ("?show=north,east,south,west", {"North", "East", "South", "West"}),
    ],
)
def test_the_query_hides_hands_and_folds_the_result(
    query: str, seats: set[str], client: Client, board: Board
) -> None:
    page = page_of(client, board, query)
    shown = {seat for seat, text in hands(page).items() if not text.endswith("hidden")}
    assert shown == seats
    hidden = len(seats) < 4
    assert page.is_indexed() is not hidden
    assert page.canonical() == f"http://testserver/boards/{board.pk}"
    assert bool(page.texts("p", **{"class": "diagram-outcome"})) is not hidden
    assert ("The result" in page.texts("summary")) is hidden
    assert ("Show all hands" in page.links()) is hidden
    if hidden:
        concealed = diagram_of(board).hands["east" if "East" not in seats else "south"]
        unfolded, _, _ = page.html.partition("<details>")
        assert concealed.in_words not in unfolded


def test_the_choice_of_shown_hands_is_marked_as_current(client: Client, board: Board) -> None:
    page = page_of(client, board, "?show=south,north")
    assert page.texts("a", **{"aria-current": "true", "rel": "nofollow"}) == ["Show only North-South"]


@pytest.mark.parametrize(
    "query", ["?show=me", "?show=North", "?show=south;north", "?show=%00", "?show=a&show=b"]
)
def test_an_unknown_hand_is_refused(query: str, client: Client, board: Board) -> None:
    response = client.get(f"/boards/{board.pk}{query}")
    assert response.status_code == 400
    assert Document(response).texts("h1") == ["This request has a mistake"]
    assert "show: " in response.content.decode()
