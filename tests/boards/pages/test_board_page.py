"""GET /boards/{id} and GET /boards/{id}.txt."""

import re
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import Account
from boards.models import Board
from boards.pages.presenters import BoardDetail
from boards.records import diagram_of, record_of
from deals.bridge.auction import Auction, Call
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.formats.plain_text import write_plain_text
from deals.bridge.seats import Seat
from deals.double_dummy import Table
from deals.models import Deal
from tests import factories
from tests.bridge_strategies import random_play
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db

SPADES = (
    Call("1NT"),
    Call("Pass"),
    Call("2C", alert=True, explanation="Stayman"),
    Call("X", explanation="clubs"),
    Call("2S", alert=True),
    Call("Pass"),
    Call("4S"),
    *[Call("Pass")] * 3,
)


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    theme, system = factories.theme("stayman", labels={"en": "Stayman"}), factories.auction_system("acol")
    return factories.board(
        seed=5,
        number=3,
        auction=Auction(Seat.SOUTH, SPADES),
        tricks=9,
        title="A title",
        commentary="One.\n\nTwo,\nstill two.",
        event="An event",
        scoring="MP",
        themes=(theme,),
        auction_system=system,
        votes=(3, 1),
    )


def page_of(client: Client, board: Board, query: str = "") -> Document:
    response = client.get(f"/boards/{board.pk}{query}")
    assert response.status_code == 200
    return Document(response)


def rows(page: Document, table: str) -> list[list[str]]:
    """Return the texts of a table's cells by row. The caption is the first row."""
    found: list[list[str]] = []
    inside = False
    for tag, attributes, text in page.elements:
        if tag == "table":
            inside = attributes.get("class") == table
        if inside and tag in ("tr", "caption"):
            found.append([])
        if inside and tag in ("td", "th", "caption"):
            found[-1].append(" ".join("".join(text).split()))
    return found


def facts(page: Document) -> dict[str, str]:
    return dict(zip(page.texts("dt"), page.texts("dd"), strict=True))


def test_the_auction_is_a_table_from_west_with_notes_linked_both_ways(client: Client, board: Board) -> None:
    page = page_of(client, board)
    assert rows(page, "auction") == [
        ["The auction"],
        ["West", "North", "East", "South"],
        ["", "", "", "1NTone no trump"],
        ["Pass", "2♣︎two clubs! alertednote 1", "Xdoublenote 2", "2♠︎two spades! alerted"],
        ["Pass", "4♠︎four spades", "Pass", "Pass"],
        ["Pass", "", "", ""],
    ]
    assert {found["scope"] for found, _ in page.all("th")} == {"col"}
    assert [text.split(" ↩")[0] for text in page.texts("li", id="note-1") + page.texts("li", id="note-2")] == [
        "Stayman",
        "clubs",
    ]
    for number in ("1", "2"):
        ((link, _),) = page.all("a", id=f"call-{number}")
        assert link["href"] == f"#note-{number}"
        assert page.all("a", href=f"#call-{number}")


def test_the_page_shows_contract_result_and_other_facts(client: Client, board: Board) -> None:
    found = facts(page_of(client, board))
    assert found["Contract"] == "4♠ by South"
    assert found["Result"] == diagram_of(board).result == "down 1, East-West +50"
    assert (found["Event"], found["Scoring"], found["Themes"]) == ("An event", "MP", "Stayman")
    assert (found["Auction system"], found["Votes"]) == ("acol", "3 up, 1 down · Sign in to vote")
    assert "Site" not in found and "Opening lead" not in found and "Par" not in found


def test_the_page_shows_where_a_board_of_a_match_was_played(client: Client) -> None:
    texts = {"stage": "Final", "room": "Closed", "table": "12", "home_team": "Reds", "visit_team": "Blues"}
    found = facts(page_of(client, factories.board(**texts)))
    assert [found[name] for name in ("Stage", "Room", "Table", "Teams")] == ["Final", "Closed", "12", "Reds – Blues"]


def test_every_page_writes_dates_in_words(client: Client) -> None:
    theme = factories.theme("finesse")
    dates = {"2026.11.05": "5 November 2026", "2026.11.??": "November 2026", "2026.??.??": "2026"}
    for date, words in dates.items():
        stored = factories.board(number=1, event="Pairs", date=date, calls="Pass " * 4, themes=(theme,))
        event, board = f"/events/{stored.event_slug}", f"/boards/{stored.pk}"
        last = f"/practice/{stored.pk}?step=99"
        others = ("/", "/boards", "/boards/print", "/events", "/themes/finesse")
        pages = {
            path: client.get(path).content.decode()
            for path in (event, f"{event}/print", f"{event}/results", board, last, *others)
        }
        assert f"<dt>Date</dt><dd>{words}</dd>" in pages[board]
        assert words in pages[event] and words in pages["/boards"] and words in pages["/events"]
        assert [path for path, page in pages.items() if re.search(r"20[0-9]{2}\.[0-9?]{2}", page)] == []


def test_each_part_of_the_page_has_a_heading_and_commentary_has_paragraphs(client: Client, board: Board) -> None:
    page = page_of(client, board)
    headings = "The hands, The auction, Contract and result, Commentary, Double dummy, About this board"
    assert page.texts("h2") == [*headings.split(", "), "Take it with you"]
    assert "<p>One.</p>\n\n<p>Two,<br>still two.</p>" in page.html


def test_hostile_texts_are_nothing_but_text(client: Client) -> None:
    hostile = "</p><script>alert(1)</script><p onclick='x'>\"&lt;"
    auction = Auction(Seat.NORTH, (Call("1C", True, hostile), *[Call("Pass")] * 3))
    board = factories.board(
        title=hostile, commentary=hostile, event=hostile, site=hostile, date=hostile[:30], auction=auction
    )
    for query in ("", "?show=north"):
        page = page_of(client, board, query)
        assert not page.all("script")
        assert page.texts("h1") == [hostile]
        assert not [found for _, found, _ in page.elements if "onclick" in found]
        assert page.all("p")[-1][0].keys() <= {"class"}


def test_hostile_labels_are_nothing_but_text(client: Client) -> None:
    hostile = "<script>alert(1)</script>"
    theme = factories.theme("x", labels={"en": hostile})
    system = factories.auction_system("y")
    type(system).objects.filter(pk=system.pk).update(labels={"en": hostile})
    page = page_of(client, factories.board(themes=(theme,), auction_system=system))
    assert not page.all("script")
    assert hostile in page.texts("dd") and hostile in page.texts("a")


def test_double_dummy_and_par_are_shown_once_they_are_computed(client: Client, board: Board) -> None:
    assert "The double dummy analysis is not ready yet." in page_of(client, board).texts("p")
    tricks = {seat: {"C": 1, "D": 2, "H": 3, "S": 10, "NT": 13} for seat in "NESW"}
    par = {name: {"score": 500, "contracts": ["EW 5DX-2", "N 1NT+1"]} for name in ("None", "NS", "EW", "All")}
    Deal.objects.update(double_dummy_status="done", double_dummy=Table.from_tricks(tricks).digits, par=par)
    page = page_of(client, board)
    assert rows(page, "double-dummy") == [
        ["Tricks by declarer when all cards are open"],
        ["", "NT", "♠︎spades", "♥︎hearts", "♦︎diamonds", "♣︎clubs"],
        *(
            [seat, "13", "10 in the contract" if seat == "South" else "10", "3", "2", "1"]
            for seat in ("North", "East", "South", "West")
        ),
    ]
    assert facts(page)["Par"] == (
        "North-South +500: 5♦︎X-2five diamonds doubled -2 by East-West, 1NT+1one no trump+1 by North"
    )


def test_the_page_says_why_double_dummy_is_missing(client: Client, board: Board) -> None:
    for status, sentence in (
        ("failed", "The double dummy analysis failed."),
        ("unavailable", "Double dummy analysis is not available on this site."),
    ):
        Deal.objects.update(double_dummy_status=status)
        assert sentence in page_of(client, board).texts("p")


def played(cards: int) -> Board:
    record = factories.record(seed=5, number=1, calls="1NT Pass Pass Pass")
    play = random_play(record.layout, record.contract, cards, Random(1))
    return factories.board(seed=5, number=1, calls="1NT Pass Pass Pass", play=play)


def test_the_play_is_shown_trick_by_trick(client: Client) -> None:
    page = page_of(client, played(52))
    table = rows(page, "play")
    assert "The play" in page.texts("h2")
    assert table[1] == ["Trick", "East", "South", "West", "North", "Won by"]
    assert [row[0] for row in table[2:]] == [str(number) for number in range(1, 14)]
    assert all(row[5] in ("North", "East", "South", "West") for row in table[2:])
    assert all(sum("led" in cell for cell in row[1:5]) == 1 for row in table[2:])
    assert "led" in table[2][1]


def test_an_incomplete_play_leaves_the_rest_of_its_last_trick_empty_and_a_lead_alone_has_no_table(
    client: Client,
) -> None:
    table = rows(page_of(client, played(6)), "play")
    assert len(table) == 4
    assert sum(not cell for cell in table[3][1:5]) == 2 and table[3][5] == ""
    page = page_of(client, played(1))
    assert rows(page, "play") == []
    assert "Opening lead" in facts(page)


def test_a_board_with_few_facts_has_a_page(client: Client) -> None:
    for calls, contract in (("", None), ("Pass Pass Pass Pass", "Passed out"), ("1NT Pass", None)):
        page = page_of(client, factories.board(number=1, calls=calls))
        assert facts(page).get("Contract") == contract, calls
        assert page.texts("h1") == ["Board 1"]
        assert ("No auction is recorded." in page.texts("p")) is (not calls)
        assert ("The auction is incomplete." in page.texts("p")) is (calls == "1NT Pass")


def test_the_page_links_to_the_boards_files_and_has_the_plain_text_to_copy(client: Client, board: Board) -> None:
    page = page_of(client, board)
    links, plain = page.links(), write_plain_text(record_of(board))
    for name, ending in (("PBN file", "pbn"), ("LIN file", "lin"), ("SVG picture", "svg")):
        assert links[name] == f"/api/boards/{board.pk}.{ending}"
        assert client.get(links[name]).status_code == 200
    assert links["Report a problem"] == f"/forms/board-report?board={board.pk}"
    text = client.get(links["Text"])
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert text.content.decode() == plain
    ((found, _),) = page.all("textarea", id="plain-text")
    assert "readonly" in found
    assert plain.split("\n")[2] in page.html


def test_the_link_to_bridge_base_online_contains_the_board(client: Client, board: Board) -> None:
    page = page_of(client, board)
    ((found, _),) = [link for link in page.all("a") if link[1] == "Open in Bridge Base Online"]
    address = urlsplit(found["href"])
    assert (address.scheme, address.netloc, address.path) == ("https", "www.bridgebase.com", "/tools/handviewer.html")
    assert found["rel"] == "noopener noreferrer"
    (lin,) = parse_qs(address.query)["lin"]
    Board.objects.update(commentary="")
    assert lin == write_lin(record_of(Board.objects.get(pk=board.pk))).strip()


def test_the_interface_names_an_address_that_leads_to_the_same_link(anonymous: APIClient) -> None:
    board = factories.board(number=7, calls="1NT Pass Pass Pass")
    address = anonymous.get(f"/api/boards/{board.pk}").json()["links"]["handviewer"]
    answer = Client().get(urlsplit(address).path)
    assert (answer.status_code, answer["Location"]) == (302, BoardDetail(board, (), ()).bbo_link)
    assert answer["X-Robots-Tag"] == "noindex"
    draft = factories.board(published=False)
    assert Client().get(f"/boards/{draft.pk}/hand-viewer").status_code == 404


def test_a_long_link_leads_to_the_whole_board_and_its_headers_are_short(client: Client) -> None:
    """Each length up to the longest that a link can have, with calls whose explanations are of that length."""
    lengths = set()
    for length in (0, *range(15, 256, 30)):
        told = "e" * length
        calls = (Call("1C", alert=True, explanation=told), *[Call("Pass", explanation=told)] * 3)
        long = factories.board(seed=length, number=3, auction=Auction(Seat.NORTH, calls), title="é" * 60)
        answer = client.get(f"/boards/{long.pk}/hand-viewer")
        assert answer["Location"] == BoardDetail(long, (), ()).bbo_link
        assert sum(len(f"{name}: {value}\r\n") for name, value in answer.items()) <= 3000
        lengths.add(len(answer["Location"]))
    assert max(lengths) > 1500


# --- Drafts --------------------------------------------------------------------------------------------------


@pytest.fixture
def draft(db: None) -> Board:
    return factories.board(owner=factories.account("owner"), published=False, title="Draft")


def logged_in(account: Account) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(account)
    return client


ENDINGS = ("", ".txt", "?show=north")


def test_a_draft_is_not_found_without_a_session_of_its_owner_or_staff(
    draft: Board, client: Client, support: APIClient, client_of: Callable[[Account], APIClient]
) -> None:
    stranger = logged_in(factories.account("stranger"))
    for caller, ending in product((client, support, client_of(draft.owner), stranger), ENDINGS):
        response: Any = caller.get(f"/boards/{draft.pk}{ending}")
        assert response.status_code == 404
        assert "Draft" not in response.content.decode()


DRAFT = "This is a draft. Only its owner and staff can see it."


def test_a_draft_is_shown_to_its_logged_in_owner_and_staff_and_not_cached(
    draft: Board, subtests: pytest.Subtests
) -> None:
    notices = {"owner": "Draft. Only you and staff see it.", "support": DRAFT, "admin": DRAFT}
    for who, notice in notices.items():
        caller = logged_in(draft.owner if who == "owner" else factories.account(who, role=who))
        for ending in ENDINGS:
            with subtests.test(f"{who} {ending}"):
                response = caller.get(f"/boards/{draft.pk}{ending}")
                assert response.status_code == 200
                assert response["Cache-Control"] == "private, no-store"
                assert "Cookie" in response["Vary"]
                if ending != ".txt":
                    page = Document(response)
                    assert not page.is_indexed()
                    assert notice in page.texts("p")
                    assert "PBN file" not in page.links()


def test_a_published_board_is_public_without_a_session_and_private_with_one(board: Board, client: Client) -> None:
    staff = logged_in(factories.account("support", role="support"))
    seen, seen_by_staff = (caller.get(f"/boards/{board.pk}") for caller in (client, staff))
    assert seen["Cache-Control"] == "public, max-age=0, must-revalidate" and seen["Vary"] == "Accept-Language"
    assert seen_by_staff["Cache-Control"] == "private, no-store" and "ETag" not in seen_by_staff
    assert "Sign out" in seen_by_staff.content.decode() and "Sign out" not in seen.content.decode()


def test_the_api_links_to_the_pages_of_published_boards_only(board: Board, draft: Board, support: APIClient) -> None:
    links = support.get(f"/api/boards/{board.pk}").json()["links"]
    assert links["html"] == f"http://testserver/boards/{board.pk}"
    assert support.get(f"/api/boards/{draft.pk}").json()["links"]["html"] == ""
