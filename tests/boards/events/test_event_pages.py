"""/events, /events/{slug}, and what a board's page says of its event."""

from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.boards.events.evenings import EVENING, SLUG, board, table
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script> & Søns"


def open_page(client: Client, path: str) -> Document:
    response = client.get(path)
    assert response.status_code == 200, response.content
    return Document(response)


def cells(page: Document) -> list[list[str]]:
    """Return the texts of the cells of each row in the page's tables, as they are read aloud and seen."""
    rows: list[list[str]] = []
    for tag, _, text in page.elements:
        if tag == "tr":
            rows.append([])
        elif tag in ("th", "td") and rows:
            rows[-1].append(" ".join("".join(text).split()))
    return rows


def test_events_are_listed_by_month_with_what_they_have(client: Client) -> None:
    table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 8), board(2)
    board(1, event="A match", date="2026.10.??", site="")
    board(1, event="Old deals", date="", site="")
    page = open_page(client, "/events")
    assert page.texts("h2") == ["November 2026", "October 2026", "Without a date"]
    assert page.texts("span", **{"class": "origin"}) == [
        "20 November 2026, The club, 2 boards, 3 results",
        "October 2026, 1 board",
        "1 board",
    ]
    assert page.links()["Friday pairs"] == f"/events/{SLUG}"
    assert page.links()["Events"] == "/events"


def test_many_events_come_in_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.pages.evenings.events.EVENTS_OF_PAGE", 2)
    for day in (1, 2, 3, 4, 5):
        board(1, date=f"2026.11.0{day}")
    first, second = open_page(client, "/events"), open_page(client, "/events?page=2")
    assert (first.links()["Next page"], second.links()["Previous page"]) == ("/events?page=2", "/events")
    assert second.canonical() == "http://testserver/events?page=2"
    assert client.get("/events?page=4").status_code == 404
    assert client.get("/events?page=x").status_code == 400


def test_a_site_without_events_says_so(client: Client) -> None:
    assert any("There are no events yet." in text for text in open_page(client, "/events").texts("p"))


def test_an_event_has_its_boards_in_the_order_of_their_numbers_each_deal_once(client: Client) -> None:
    third = board(3, title="A slam")
    first = table(1, 1, "4S", "S", 10)
    for tricks in (6, 7, 8, 9):
        table(2, 2, "1NT", "W", tricks)
    page = open_page(client, f"/events/{SLUG}")
    notrump = "1NT Wone no trump by West"
    assert page.texts("h1") == ["Friday pairs"]
    assert page.texts("title") == ["Friday pairs, 20 November 2026, The club · Bridge Boards"]
    assert "20 November 2026, The club" in page.texts("p")
    assert "3 boards, 6 results." in page.texts("p")
    assert cells(page) == [
        ["Board", "Dealer", "Vul", "Par", "Usual contract", "Best for NS", "Worst for NS", "Spread"],
        ["Board 1", "N", "None", "–", "4♠\ufe0e Sfour spades by South +420"],
        ["Board 2", "E", "NS", "–", f"{notrump} at 4 of 4", f"+50, {notrump}", f"−150, {notrump}", "200"],
        ["Board 3 A slam", "S", "EW", "–", "–"],
    ]
    links = page.links()
    assert (links["Board 1"], links["Board 3"]) == (f"/boards/{first.pk}", f"/boards/{third.pk}")
    assert links["All hands"] == f"/boards?event={SLUG}"
    assert links["PBN file"] == f"/api/boards.pbn?event={SLUG}"
    assert links["LIN file"] == f"/api/boards.lin?event={SLUG}"


def test_a_long_event_comes_in_pages_and_each_stage_has_its_table(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stage in ("Round 1", "Round 2"):
        board(1, stage=stage), board(2, stage=stage)
    assert open_page(client, f"/events/{SLUG}").texts("caption") == ["Round 1", "Round 2"]
    monkeypatch.setattr("boards.pages.evenings.events.DEALS_OF_PAGE", 3)
    second = open_page(client, f"/events/{SLUG}?page=2")
    assert second.texts("caption") == ["Round 2"]
    assert second.links()["Previous page"] == f"/events/{SLUG}"
    assert client.get(f"/events/{SLUG}?page=3").status_code == 404


def test_an_event_without_a_published_board_is_not_found(client: Client) -> None:
    board(1, published=False)
    for slug in ("nothing", "friday-pairs-2026-11-20-0000000000", SLUG):
        assert client.get(f"/events/{slug}").status_code == 404, slug


def test_a_board_of_an_event_is_called_by_it_and_leads_on(client: Client) -> None:
    first, second, third = (board(number) for number in (1, 2, 3))
    page = open_page(client, f"/boards/{second.pk}")
    assert page.texts("h1") == ["Board 2 of Friday pairs, 20 November 2026"]
    assert page.texts("p", **{"class": "origin"}) == ["The club"]
    assert page.texts("title") == ["Board 2 of Friday pairs, 20 November 2026, The club · Bridge Boards"]
    links = page.links()
    assert links["← Board 1"] == f"/boards/{first.pk}"
    assert links["Board 3 →"] == f"/boards/{third.pk}"
    assert links["All boards of Friday pairs"] == f"/events/{SLUG}"
    assert [("rel", "next") in found.items() for found, text in page.all("a") if text.startswith("Board 3")] == [True]


def test_boards_with_one_title_are_told_apart_by_event_date_site_and_number(client: Client) -> None:
    same = {"title": "A slam"}
    board(1, **same), board(2, **same), board(1, **same, site="Another club")
    factories.board(**same)
    page = open_page(client, "/boards")
    assert page.texts("span", **{"class": "origin"}) == [
        "Board 1 of Friday pairs, 20 November 2026, Another club",
        "Board 2 of Friday pairs, 20 November 2026, The club",
        "Board 1 of Friday pairs, 20 November 2026, The club",
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


def test_the_name_of_a_board_says_where_it_was_played(client: Client) -> None:
    for values, name in NAMES:
        stored = factories.board(number=7, **values)
        page = open_page(client, f"/boards/{stored.pk}")
        assert (str(stored), page.texts("title")) == (name, [f"{name} · Bridge Boards"])


def test_texts_of_strangers_are_shown_as_texts(client: Client) -> None:
    values = {"event": HOSTILE, "site": HOSTILE, "stage": HOSTILE, "table": HOSTILE, "home_team": HOSTILE}
    first = table(1, 1, "1NT", "S", 7, title=HOSTILE, **values)
    table(1, 1, "1NT", "S", 8, title=HOSTILE, **values)
    paths = ("/events", f"/events/{first.event_slug}", f"/boards/{first.pk}", f"/boards?event={first.event_slug}")
    for path in paths:
        page = open_page(client, path)
        assert "<script>" not in page.html
        assert HOSTILE in " ".join(text for tag in ("a", "h1", "h2", "th", "span") for text in page.texts(tag))


# --- The gallery ----------------------------------------------------------------------------------------------


def test_the_gallery_selects_an_event_and_the_dates_of_play(client: Client) -> None:
    wanted = board(1, title="Wanted")
    board(1, title="Other", date="2026.11.27")
    page = open_page(client, f"/boards?event={SLUG}")
    assert page.texts("h1") == ["Boards: Friday pairs, 20 November 2026, The club"]
    assert page.links()["Download as one PBN file"] == f"/api/boards.pbn?event={SLUG}"
    assert not page.is_indexed()
    for query in (f"event={SLUG}", "dateFrom=2026-11-20&dateTo=2026-11-26"):
        shown = [text for text in open_page(client, f"/boards?{query}").links() if text in ("Wanted", "Other")]
        assert shown == ["Wanted"]
    inputs = open_page(client, "/boards?dateFrom=2026-11-20").all("input", type="date")
    assert [(found["name"], found["value"]) for found, _ in inputs] == [("dateFrom", "2026-11-20"), ("dateTo", "")]
    assert wanted.event_slug == SLUG


def test_the_form_offers_the_latest_events_and_the_selected_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boards.pages.finding.gallery.MAX_EVENTS", 1)
    board(1), board(1, event="Later", date="2026.12.01", site="")
    later, earlier = "Later, 1 December 2026", "Friday pairs, 20 November 2026, The club"
    for query, expected in (("", [later]), (f"?event={SLUG}", [later, earlier])):
        page = open_page(client, f"/boards{query}")
        assert [text for text in page.texts("option") if "2026" in text] == expected


def test_wrong_filters_are_answered_beside_their_fields(client: Client) -> None:
    board(1)
    response = client.get("/boards?event=nothing&dateFrom=tomorrow")
    page = Document(response)
    assert response.status_code == 400
    assert page.texts("p", id="dateFrom-error") == ["Give a day as in 2026-11-20: year, month and day."]
    response = client.get("/boards?event=nothing&dateFrom=2026-01-01")
    page, reason = Document(response), "Choose one of these: Friday pairs, 20 November 2026, The club."
    assert page.texts("p", id="event-error") == [reason]
    assert page.links()[f"Event: {reason}"] == "#event"
