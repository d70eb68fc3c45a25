"""/events, /events/{slug}, and what a board's page says of its event."""

from typing import Any

import pytest
from django.test import Client

from boards.models import Board
from tests import factories
from tests.boards.events.evenings import EVENING, SLUG, board, table
from tests.pages.documents import Document
from tests.pages.opening import open_page

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script> & Søns"
PAGE = f"/events/{SLUG}"


def cells(page: Document) -> list[list[str]]:
    """Return the texts of the cells of each row in the page's tables, as they are read aloud and seen.

    They are without the selectors that make a suit a text.
    """
    rows: list[list[str]] = []
    for tag, _, text in page.elements:
        if tag == "tr":
            rows.append([])
        elif tag in ("th", "td") and rows:
            rows[-1].append(" ".join("".join(text).replace("\ufe0e", "").split()))
    return rows


def test_events_are_listed_by_month_with_what_they_have(client: Client) -> None:
    assert any(text.startswith("No evenings yet.") for text in open_page(client, "/events").texts("p"))
    table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 8), board(2)
    board(1, event="A match", date="2026.10.??", site=""), board(1, event="Old deals", date="", site="")
    page = open_page(client, "/events")
    assert page.texts("h2") == ["November 2026", "October 2026", "Without a date"]
    assert page.texts("li", **{"class": "card link-card"}) == [
        "Friday pairs 20 November 2026 · The club 2 boards, 3 results",
        "A match October 2026 1 board",
        "Old deals 1 board",
    ]
    assert (page.links()["Friday pairs"], page.links()["Evenings"]) == (PAGE, "/events")


def test_an_event_has_its_boards_in_the_order_of_their_numbers_each_deal_once(client: Client) -> None:
    third = board(3, title="A slam")
    first = table(1, 1, "4S", "S", 10)
    for tricks in (6, 7, 8, 9):
        table(2, 2, "1NT", "W", tricks)
    page = open_page(client, PAGE)
    assert page.texts("h1") == ["Friday pairs"]
    assert page.texts("title") == ["Friday pairs, 20 November 2026, The club · Bridge Boards"]
    assert "20 November 2026 · The club" in page.texts("p") and page.texts("h2") == ["3 boards, 6 results"]
    shown = [text.replace("\ufe0e", "") for text in page.texts("small")]
    notrump = "1NT Wone no trump by West"
    assert shown == [
        "N · None4♠ Sfour spades by South +420",
        f"E · NS{notrump} at 4 of 4best +50worst −150",
        "S · EW",
    ]
    names = ["Board 1", "Board 2", "A slam"]
    assert [name for name in page.links() if name in names] == names
    assert page.texts("b", **{"aria-hidden": "true"}) == ["1", "2", "3"]
    files = {f"{kind.upper()} file": f"/api/boards.{kind}?event={SLUG}" for kind in ("pbn", "lin")}
    boards = {"Board 1": f"/boards/{first.pk}", "A slam": f"/boards/{third.pk}", "All hands": f"/boards?event={SLUG}"}
    assert page.links().items() >= (files | boards).items()


def test_stages_have_tables_and_long_events_and_lists_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for stage in ("Round 1", "Round 2"):
        board(1, stage=stage), board(2, stage=stage)
    assert open_page(client, PAGE).texts("h3") == ["Round 1", "Round 2"]
    monkeypatch.setattr("pages.evenings.events.DEALS_OF_PAGE", 3)
    second = open_page(client, f"{PAGE}?page=2")
    assert (second.texts("h3"), second.links()["Previous page"]) == (["Round 2"], PAGE)
    assert second.canonical() == f"http://testserver{PAGE}?page=2"
    monkeypatch.setattr("pages.evenings.events.EVENTS_OF_PAGE", 1)
    board(1, date="2026.11.01")
    assert open_page(client, "/events").links()["Next page"] == "/events?page=2"
    for path, status in ((f"{PAGE}?page=3", 404), ("/events?page=2", 200), ("/events?page=3", 404)):
        assert client.get(path).status_code == status, path


def test_an_event_without_a_published_board_has_no_page_and_no_sheet(client: Client) -> None:
    board(1, published=False)
    assert client.get("/events?page=x").status_code == 400
    for slug in ("nothing", "friday-pairs-2026-11-20-0000000000", SLUG):
        for sheet, queries in {"": (), "/results": ("?page=0", "?page=1&page=2")}.items():
            assert client.get(f"/events/{slug}{sheet}").status_code == 404, (slug, sheet)
            assert {client.get(f"/events/{slug}{sheet}{query}").status_code for query in queries} <= {400}


def test_a_board_of_an_event_is_called_by_it_and_leads_on(client: Client) -> None:
    first, second, third = (board(number) for number in (1, 2, 3))
    page = open_page(client, f"/boards/{second.pk}")
    assert page.texts("h1") == ["Board 2"]
    assert page.texts("span", **{"class": "event"}) == ["Friday pairs, 20 November 2026"]
    assert page.texts("title") == ["Board 2 of Friday pairs, 20 November 2026, The club · Bridge Boards"]
    beside = {"‹ 1, the previous board": f"/boards/{first.pk}", "3, the next board ›": f"/boards/{third.pk}"}
    assert page.links().items() >= {**beside, "Friday pairs": PAGE}.items()
    assert [("rel", "next") in found.items() for found, text in page.all("a") if text.startswith("3, ")] == [True]


def test_boards_with_one_title_are_told_apart_by_event_date_site_and_number(client: Client) -> None:
    same = {"title": "A slam"}
    board(1, **same), board(2, **same), board(1, **same, site="Another club"), factories.board(**same)
    page = open_page(client, "/boards")
    origins = ("1 {}, Another club", "2 {}, The club", "1 {}, The club")
    assert page.texts("span", **{"class": "origin"}) == [
        f"Board {origin.format('of Friday pairs, 20 November 2026')}" for origin in origins
    ]
    assert page.texts("h2")[0] == "A slam"


NAMES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"title": "A slam", **EVENING}, "A slam · Board 7 of Friday pairs, 20 November 2026, The club"),
    ({**EVENING, "site": "", "room": "Open"}, "Board 7 of Friday pairs, 20 November 2026, open room"),
    ({**EVENING, "stage": "Final", "date": "2026.??.??"}, "Board 7 of Friday pairs, 2026, Final, The club"),
    ({"event": "Friday pairs", "table": "3"}, "Board 7 of Friday pairs, table 3"),
    ({"title": "A slam"}, "A slam"),
    ({}, "Board 7"),
)


def test_the_name_of_a_board_says_where_it_was_played() -> None:
    assert [str(Board(board_number=7, **values)) for values, _ in NAMES] == [name for _, name in NAMES]
    assert str(Board(pk=factories.NOBODYS_ID)) == factories.NOBODYS_ID


def test_a_board_of_an_event_without_number_and_title_has_the_name_of_the_event_in_lists(client: Client) -> None:
    numberless = board(None)
    for path in (f"/boards?event={SLUG}", PAGE, f"/boards/{numberless.pk}"):
        assert "Friday pairs, 20 November 2026" in " ".join(open_page(client, path).texts("main")), path
    assert (
        open_page(client, f"/boards?event={SLUG}").links()["Friday pairs, 20 November 2026"]
        == f"/boards/{numberless.pk}"
    )
