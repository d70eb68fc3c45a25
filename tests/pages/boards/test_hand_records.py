"""GET /boards/print: 36 boards on two sheets of paper."""

import pytest
from django.test import Client

from boards.models import Board
from bridge.seats import Seat
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import open_page, solve
from tests.system.test_every_page import size_of

pytestmark = pytest.mark.django_db


def sheets(client: Client, query: str = "") -> Document:
    return open_page(client, f"/boards/print{query}")


def test_a_record_has_number_dealer_vulnerability_hands_points_double_dummy_and_par(client: Client) -> None:
    board = factories.board(seed=5, number=7)
    without = sheets(client)
    assert not without.all("table") and "Par" not in without.texts("article")[0]
    solve(-90, "E 1NT", "EW 5DX-2", C=1, D=2, H=3, S=10, NT=13)
    page = sheets(client)
    text = page.texts("article")[0].replace("\ufe0e", "").replace("\u00a0", " ")
    assert "Board 7" in text and "Dealer SVul All" in text
    for seat in Seat:
        suits = zip("♠♥♦♣", board.deal.layout.suits(seat).values(), strict=True)
        shown = "".join(symbol + (ranks.replace("T", "10") or "—") for symbol, ranks in suits)
        assert f"{seat.full_name}{shown}" in text
    assert f"HCP{''.join(str(board.deal.layout.hcp(seat)) for seat in Seat)}" in text
    assert "NT♠♥♦♣N1310321E1310321S1310321W1310321" in text.replace(" ", "")
    assert "Par EW +90: 1NT E, 5♦X-2 EW" in text
    assert page.links()["Board 7"] == f"/boards/{board.pk}"
    Board.objects.update(board_number=None)
    assert sheets(client).texts("h2") == ["Deal 1"]


def test_thirty_six_boards_fill_two_sheets_and_the_rest_is_on_the_next_page(client: Client) -> None:
    for number in range(1, 38):
        factories.board(number=number, event="The longest name of an event. " * 6, date="2026.11.20")
    solve(-90, "E 1NT", "EW 5DX-2", C=1, D=2, H=3, S=10, NT=13)
    response = client.get("/boards/print")
    first, second = Document(response), sheets(client, "?start=37")
    assert (len(first.all("div", **{"class": "sheet"})), len(first.all("article"))) == (2, 36)
    assert (len(second.all("div", **{"class": "sheet"})), len(second.all("article"))) == (1, 1)
    assert first.links()["Next page"] == "/boards/print?start=37"
    assert second.links()["First page"] == "/boards/print"
    assert sheets(client, "?page=2").texts("h2") == second.texts("h2")
    assert set(first.texts("h2")).isdisjoint(second.texts("h2"))
    files = [found["href"] for found in first.head(rel="stylesheet")]
    assert len(response.content) + sum(map(size_of, files)) <= 90_000


def test_the_filters_are_those_of_the_list(client: Client) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman", "fr": "Le Stayman"})
    factories.board(number=1, themes=(theme,))
    factories.board(number=2, votes=(3, 0))
    factories.board(number=3, published=False)
    page = sheets(client, "?theme=stayman")
    assert (page.texts("h1"), page.texts("h2")) == (["Hand records: Stayman"], ["Board 1"])
    assert sheets(client, "?sort=top").texts("h2") == ["Board 2", "Board 1"]
    assert "No boards match these filters." in sheets(client, "?theme=stayman&dealer=W").texts("p")
    links = open_page(client, "/boards?theme=stayman&sort=top").links()
    assert links["Print hand records"] == f"/boards/print?theme={theme.pk}&sort=top"
    french = client.get("/boards/print?theme=stayman", headers={"accept-language": "fr"})
    assert Document(french).texts("h1") == ["Hand records: Le Stayman"]


def test_an_event_is_printed_by_its_numbers_each_deal_once_with_its_name_in_the_heading(client: Client) -> None:
    texts = {"event": "Pairs <i>", "date": "2026.11.20", "site": "Club"}
    for number in (2, 3, 1):
        factories.board(seed=number, number=number, **texts)
    board = factories.board(seed=3, number=3, table="2", **texts)
    factories.board(number=9)
    path = f"/events/{board.event_slug}"
    page = open_page(client, f"{path}/print")
    assert page.texts("h2") == ["Board 1", "Board 2", "Board 3"]
    assert page.texts("h1") == ["Hand records: Pairs <i>, 20 November 2026, Club"]
    assert open_page(client, path).links()["Print hand records"] == f"{path}/print"
    for missing in (f"{path}/print?page=2", "/events/nothing/print"):
        assert client.get(missing).status_code == 404
    assert not page.all("p", **{"class": "event"})
    shown = [text.rpartition("HCP")[2] for text in sheets(client).texts("article")]
    assert ["Pairs <i>, 20 November 2026" in text for text in shown] == [False, True, True, True]
