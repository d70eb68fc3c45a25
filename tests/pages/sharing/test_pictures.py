"""GET /boards/{id}.png: the picture that other sites show of a link to a board."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from boards.models import Board
from config.edge.limits.read_limit import read_limiter
from pages.sharing import pictures as serving
from pages.sharing.picture_drawing import SUIT_COLOURS, draw_picture, fold, width_of
from pages.sharing.sharing import text_of
from tests import factories
from tests.pages.opening import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_pictures_are_kept() -> Iterator[None]:
    serving.picture.cache_clear()
    yield
    serving.picture.cache_clear()


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    return factories.board(seed=5, number=7, calls="Pass Pass Pass 1S Pass 4S X Pass Pass Pass", tricks=11)


def fetch(client: Client, board: Board, **headers: str) -> Any:
    return client.get(
        f"/boards/{board.pk}.png", headers={name.replace("_", "-"): each for name, each in headers.items()}
    )


def colours_in(content: bytes, box: tuple[int, int, int, int]) -> set[Any]:
    picture = Image.open(BytesIO(content)).convert("RGB")
    return {colour for _, colour in picture.crop(box).getcolors(1_000_000) or ()}


def drawn() -> int:
    return serving.picture.cache_info().misses


def test_the_picture_is_a_png_of_the_size_that_sites_ask_for(client: Client, board: Board) -> None:
    response, head = fetch(client, board), client.head(f"/boards/{board.pk}.png")
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert "Cookie" not in response.get("Vary", "")
    picture = Image.open(BytesIO(response.content))
    assert (picture.format, picture.size, picture.mode) == ("PNG", (1200, 630), "P")
    assert len(response.content) <= 40_000
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", str(len(response.content)))


def test_a_picture_is_drawn_once_for_all_readers_until_what_it_says_changes(client: Client, board: Board) -> None:
    first = fetch(client, board)
    Board.objects.filter(pk=board.pk).update(commentary="It is not in the picture.", up_votes=3)
    second = fetch(client, board)
    assert (drawn(), second["ETag"], second.content) == (1, first["ETag"], first.content)
    serving.picture.cache_clear()
    again = fetch(client, board, if_none_match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert fetch(client, board, if_match='"another"').status_code == 412 and drawn() == 0
    Board.objects.filter(pk=board.pk).update(title="Another title")
    third = fetch(client, board)
    assert drawn() == 1 and third["ETag"] != first["ETag"] and third.content != first.content


def test_a_draft_has_no_picture_for_anybody(client: Client) -> None:
    draft = factories.board(published=False)
    for caller in (client, logged_in(factories.account(role="support"))):
        assert fetch(caller, draft).status_code == 404
    assert client.get(f"/boards/{factories.NOBODYS_ID}.png").status_code == 404
    assert drawn() == 0


def test_when_too_many_wait_the_next_one_is_sent_away_and_what_is_kept_is_still_served(
    client: Client, board: Board
) -> None:
    kept = factories.board(seed=6, number=3)
    assert fetch(client, kept).status_code == 200
    held = [serving.places.acquire(blocking=False) for _ in range(serving.MAX_WAITING)]
    assert all(held)
    try:
        refused = fetch(client, board)
        assert (refused.status_code, refused["Cache-Control"]) == (503, "no-store")
        assert int(refused["Retry-After"]) >= 1
        assert fetch(client, kept).status_code == 200
    finally:
        for _ in held:
            serving.places.release()
    assert fetch(client, board).status_code == 200


def test_what_a_picture_costs_counts_as_several_reads(client: Client, settings: Any) -> None:
    """Twenty reads an hour are not twenty pictures: each takes more than the 10 ms that a read pays for."""
    settings.READ_RATE = "20/h"
    read_limiter.cache_clear()
    statuses = [fetch(client, factories.board(seed=seed, number=1)).status_code for seed in range(16)]
    assert 0 < statuses.index(429) < 15


def test_it_says_who_dealt_who_is_vulnerable_the_hands_and_what_happened(board: Board) -> None:
    text = text_of(board)
    assert (text.title, text.facts) == ("Board 7", ("Dealer South", "Both sides vulnerable"))
    assert (text.dealer, text.vulnerable) == ("S", "NESW")
    assert (text.contract, text.outcome) == ("4♠X by East", ("Made +1", "East-West +990"))
    (north, suits) = text.hands[0]
    assert north == "N" and [symbol for symbol, _ in suits] == ["♠", "♥", "♦", "♣"]


def test_a_title_is_drawn_in_letters_that_the_font_has_or_not_at_all(client: Client) -> None:
    board = factories.board(number=1, event="Pairs")
    drawn_as = {
        "Stayman finds the heart fit": "Stayman finds the heart fit",
        "Défense à l’œil – 4♠!": "Defense a l'oeil - 4♠!",
        "Żółw, Łódź, Å, naïve": "Zolw, Lodz, A, naive",
        "4\N{BLACK HEART SUIT}\ufe0f or 4♠\ufe0e?": "4♥ or 4♠?",
        "⑽" * 200: "(10)" * 50,
        **dict.fromkeys(("Бридж", "橋牌", "\U0001f0a1 ace", "a\u202eb", ""), "Board 1 of Pairs"),
    }
    shown = {}
    for title in drawn_as:
        board.title = title
        shown[title] = text_of(board).title
    assert shown == drawn_as
    board.event = "Кубок"
    assert text_of(board).title == "Board 1"
    board.board_number = None
    assert text_of(board).title == "A bridge board"
    board.save()
    assert fetch(client, board).status_code == 200


def test_four_suits_have_four_colours_and_the_vulnerable_side_is_red(board: Board) -> None:
    picture = draw_picture(text_of(board))
    north = colours_in(picture, (686, 140, 716, 280))
    for colour in SUIT_COLOURS.values():
        wanted = tuple(int(colour[index : index + 2], 16) for index in (1, 3, 5))
        assert min(sum(abs(a - b) for a, b in zip(wanted, found, strict=True)) for found in north) < 40
    compass, other = (700, 299, 820, 304), draw_picture(text_of(board)._replace(vulnerable="", dealer="E"))
    assert colours_in(picture, compass) != colours_in(other, compass)


def test_the_longest_suits_and_titles_stay_inside_and_within_the_bound(board: Board) -> None:
    """Draw nothing into the margin at the right, whatever a board has."""
    text = text_of(factories.board(title="W" * 200, number=99_999, event="W" * 200))
    hands = tuple((seat, (("♠", "AKQJ1098765432"), *suits[1:])) for seat, suits in text.hands)
    picture = draw_picture(text._replace(hands=hands, contract="7NTXX by North"))
    assert len(colours_in(picture, (1175, 20, 1200, 630))) == 1
    for title in ("W" * 200, "word " * 40, "♠" * 200, "i"):
        assert all(width_of(line, 36) <= 1104 for line in fold(title, 36))
    for title in (" ", "♠♥♦♣" * 50, "~" * 200, "a b" * 66):
        assert len(draw_picture(text_of(board)._replace(title=title))) <= 40_000
