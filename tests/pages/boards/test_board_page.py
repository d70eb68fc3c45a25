"""GET /boards/{id} and GET /boards/{id}.txt."""

import re
from itertools import product
from random import Random
from urllib.parse import urlsplit

import pytest
from django.test import Client
from rest_framework.test import APIClient

from boards.models import Board
from boards.records import record_of
from bridge.auction import Auction, Call
from bridge.formats.handviewer import write_handviewer
from bridge.formats.plain_text import write_plain_text
from bridge.seats import Seat
from deals.models import Deal
from tests import factories
from tests.bridge.strategies import random_play
from tests.pages.documents import Document
from tests.pages.opening import SEATS, logged_in, open_page, page_of, rows, solve

pytestmark = pytest.mark.django_db

PASSES = [Call("Pass")] * 3
STAYMAN, DOUBLE = Call("2C", alert=True, explanation="Stayman"), Call("X", explanation="clubs")
SPADES = (Call("1NT"), Call("Pass"), STAYMAN, DOUBLE, Call("2S", alert=True), Call("Pass"), Call("4S"), *PASSES)

SCRIPTS = {f"/static/site/{name}.js" for name in ("share", "our-seat")}
"""The only scripts of these pages."""


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    theme, system = factories.theme("stayman", labels={"en": "Stayman"}), factories.auction_system("acol")
    texts = {"title": "A title", "commentary": "One.\n\nTwo,\nstill two.", "event": "An event", "scoring": "MP"}
    facts = {"themes": (theme,), "auction_system": system, "votes": (3, 1), **texts}
    return factories.board(seed=5, number=3, auction=Auction(Seat.SOUTH, SPADES), tricks=9, **facts)


def facts(page: Document) -> dict[str, str]:
    return dict(zip(page.texts("dt"), page.texts("dd"), strict=True))


def test_the_auction_is_a_table_from_west_with_notes_linked_both_ways(client: Client, board: Board) -> None:
    page = page_of(client, board)
    assert rows(page, "auction") == [
        ["The auction"],
        ["West", "North", "East", "South"],
        ["", "", "", "1NTone no trump"],
        ["Pass", "2♣︎two clubs! alerted1, note", "Xdouble2, note", "2♠︎two spades! alerted"],
        ["Pass", "4♠︎four spades", "Pass", "Pass"],
        ["Pass", "", "", ""],
    ]
    assert {found["scope"] for found, _ in page.all("th")} == {"col"}
    for number, explanation in (("1", "Stayman"), ("2", "clubs")):
        (note,), ((link, _),) = page.texts("li", id=f"note-{number}"), page.all("a", id=f"call-{number}")
        assert note.startswith(f"{explanation} ↩") and link["href"] == f"#note-{number}"
        assert page.all("a", href=f"#call-{number}")


def test_the_page_has_a_heading_for_each_part_and_says_what_is_known_of_the_board(client: Client, board: Board) -> None:
    page = page_of(client, board)
    assert page.texts("h2") == ["Auction", "With all cards seen", "What happened", "About this board"]
    spoken = "four spades by South, down 1, East-West +50"
    assert page.texts("p", **{"class": "headline"}) == [f"4♠ by South ✗ 1 down E-W +50{spoken}"]
    assert "<p>One.</p>\n\n<p>Two,<br>still two.</p>" in page.html
    known = {"Event": "An event", "Scoring": "MP", "Auction system": "acol", "Votes": "3 up, 1 down"}
    found = facts(page)
    assert found.items() >= known.items() and not found.keys() & {"Site", "Opening lead"}
    assert {"Stayman", "Sign in to vote"} <= page.links().keys()
    texts = {"stage": "Final", "room": "Closed", "table": "12", "home_team": "Reds", "visit_team": "Blues"}
    match = {"Stage": "Final", "Room": "Closed", "Table": "12", "Teams": "Reds – Blues"}
    assert facts(page_of(client, factories.board(**texts))).items() >= match.items()


def test_every_page_writes_dates_in_words(client: Client) -> None:
    theme = factories.theme("finesse")
    for date, words in {"2026.11.05": "5 November 2026", "2026.11.??": "November 2026", "2026.??.??": "2026"}.items():
        stored = factories.board(number=1, event="Pairs", date=date, calls="Pass " * 4, themes=(theme,))
        event, board = f"/events/{stored.event_slug}", f"/boards/{stored.pk}"
        others = (f"{event}/print", f"{event}/results", f"/practice/{stored.pk}?step=99", "/", "/boards/print")
        paths = (event, board, "/boards", "/events", "/themes/finesse", *others)
        pages = {path: open_page(client, path).html for path in paths}
        assert f"<dt>Date</dt><dd>{words}</dd>" in pages[board]
        assert words in pages[event] and words in pages["/boards"] and words in pages["/events"]
        assert [path for path, page in pages.items() if re.search(r"20[0-9]{2}\.[0-9?]{2}", page)] == []


HOSTILE = "</p><script>alert(1)</script><p onclick='x'><img src=x onerror=x>\"&lt;&amp;"
MARK = "/static/site/icon.svg"
AS_TITLE = '<script>alert(1)</script> "<&'
"""What a title and an explanation show of it: their markup goes, and what is left is text."""


def test_on_every_page_hostile_texts_and_labels_are_nothing_but_text(client: Client) -> None:
    theme = factories.theme(
        "x", labels={"en": HOSTILE, '"><b>': "other"}, description={"en": f"{HOSTILE}\n\n\"'>"}, type="convention"
    )
    system = factories.auction_system("y")
    type(system).objects.filter(pk=system.pk).update(labels={"en": HOSTILE})
    auction = Auction(Seat.NORTH, (Call("1C", True, HOSTILE), *PASSES))
    texts = dict.fromkeys(("title", "commentary", "event", "site", "stage", "table", "home_team"), HOSTILE)
    texts |= {"date": HOSTILE[:30], "visit_team": f"{HOSTILE} 2"}
    facts = {"seed": 1, "number": 1, "auction": auction, "tricks": 7, "themes": (theme,), "votes": (9, 0)} | {
        "auction_system": system
    }
    board, _ = [factories.board(room=room, **facts, **texts) for room in ("Open", "Closed")]
    path, event = f"/boards/{board.pk}", f"/events/{board.event_slug}"
    shown_in = {
        **dict.fromkeys((path, f"{path}?show=north"), ("h1", "li", "dd", "a")),
        f"{path}/embed": ("h1", "li"),
        f"{path}/traveller/embed": ("h1", "th"),
        f"{event}/embed": ("h1",),
        f"/boards?theme={theme.pk}": ("h1", "h2", "a"),
        f"/boards?theme={theme.pk}&filters=open": ("option",),
        "/events": ("a",),
        event: ("h1", "a"),
        f"/boards?event={board.event_slug}": ("h1",),
        open_page(client, event).links()[f"{HOSTILE} – {HOSTILE} 2"]: ("h1", "th"),
        "/": ("h3", "a"),
        "/themes": ("a",),
        "/themes/x": ("h1", "h3", "p"),
    }
    for address, tags in shown_in.items():
        page = open_page(client, address)
        assert {found.get("src") for found, _ in page.all("script")} <= SCRIPTS, address
        assert {found["class"] for found, _ in page.all("img")} <= {"mark"}, address
        assert not [found for _, found, _ in page.elements if found.keys() & {"onclick", "onerror"}], address
        texts_of = {tag: page.texts(tag) for tag in tags}
        missing = [tag for tag in tags if not any(AS_TITLE in text or HOSTILE in text for text in texts_of[tag])]
        assert missing == [], address


def test_double_dummy_and_par_are_shown_or_why_they_are_missing(client: Client, board: Board) -> None:
    for status, sentence in (
        ("pending", "The double dummy analysis is not ready yet."),
        ("failed", "The double dummy analysis failed."),
        ("unavailable", "Double dummy analysis is not available on this site."),
    ):
        Deal.objects.update(double_dummy_status=status)
        assert sentence in page_of(client, board).texts("p")
    solve(500, "EW 5DX-2", "N 1NT+1", C=1, D=2, H=3, S=10, NT=13)
    page = page_of(client, board)
    assert rows(page, "double-dummy") == [
        ["Tricks by declarer"],
        ["", "NT", "♠︎spades", "♥︎hearts", "♦︎diamonds", "♣︎clubs"],
        *([seat, "13", "10", "3", "2", "1"] for seat in ("North", "East")),
        ["South", "13", "10 in the contract", "3", "2", "1"],
        ["West", "13", "10", "3", "2", "1"],
    ]
    said = "Par North-South +500: 5♦︎X-2five diamonds doubled -2 by East-West, 1NT+1one no trump+1 by North"
    assert said in page.texts("p")


def played(cards: int) -> Board:
    record = factories.record(seed=5, number=1, calls="1NT Pass Pass Pass")
    play = random_play(record.layout, record.contract, cards, Random(1))
    return factories.board(seed=5, number=1, calls="1NT Pass Pass Pass", play=play)


def test_the_play_is_shown_trick_by_trick_as_far_as_it_is_recorded(client: Client) -> None:
    page = page_of(client, played(52))
    table = rows(page, "play")
    assert "The play" in page.texts("h2")
    assert table[1] == ["Trick", "East", "South", "West", "North", "Won by"]
    assert [row[0] for row in table[2:]] == [str(number) for number in range(1, 14)]
    assert {row[5].lower() for row in table[2:]} <= {*SEATS}
    assert all(sum("led" in cell for cell in row[1:5]) == 1 for row in table[2:]) and "led" in table[2][1]
    table = rows(page_of(client, played(6)), "play")
    assert len(table) == 4 and sum(not cell for cell in table[3][1:5]) == 2 and table[3][5] == ""
    lead = page_of(client, played(1))
    assert rows(lead, "play") == [] and "Opening lead" in facts(lead)


def test_a_board_with_few_facts_has_a_page(client: Client) -> None:
    for calls, contract in (("", ""), ("Pass Pass Pass Pass", "Passed outpassed out"), ("1NT Pass", "")):
        page = page_of(client, factories.board(number=1, calls=calls))
        assert (page.texts("p", **{"class": "headline"}), page.texts("h1")) == ([contract], ["Board 1"]), calls
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
    assert (text["Content-Type"], text.content.decode()) == ("text/plain; charset=utf-8", plain)
    ((found, _),) = page.all("textarea", id="plain-text")
    assert "readonly" in found and plain.split("\n")[2] in page.html


def test_page_and_interface_link_to_the_hand_viewer(client: Client, board: Board) -> None:
    ((found, _),) = [link for link in page_of(client, board).all("a") if link[1] == "Open in Bridge Base Online"]
    assert found["href"].startswith("https://www.bridgebase.com/tools/handviewer.html?")
    assert (found["href"], found["rel"]) == (write_handviewer(record_of(board)), "noopener noreferrer")
    address = client.get(f"/api/boards/{board.pk}").json()["links"]["handviewer"]
    answer = client.get(urlsplit(address).path)
    assert (answer.status_code, answer["Location"], answer["X-Robots-Tag"]) == (302, found["href"], "noindex")


def test_a_long_link_leads_to_the_whole_board_and_its_headers_are_short(client: Client) -> None:
    """Each length up to the longest that a link can have, with calls whose explanations are of that length."""
    lengths = set()
    for length in (0, *range(15, 256, 30)):
        told = "e" * length
        calls = (Call("1C", alert=True, explanation=told), *[Call("Pass", explanation=told)] * 3)
        long = factories.board(seed=length, number=3, auction=Auction(Seat.NORTH, calls), title="é" * 60)
        answer = client.get(f"/boards/{long.pk}/hand-viewer")
        assert answer["Location"] == write_handviewer(record_of(long))
        assert sum(len(f"{name}: {value}\r\n") for name, value in answer.items()) <= 3000
        lengths.add(len(answer["Location"]))
    assert max(lengths) > 1500


# --- Drafts: that nobody finds them without a session is in tests/test_access.py -----------------------------

DRAFT = "This is a draft. Only its owner and staff can see it."


@pytest.fixture
def draft(db: None) -> Board:
    return factories.board(owner=factories.account("owner"), published=False, title="Draft")


def test_a_draft_is_shown_to_its_logged_in_owner_and_staff_alone_and_not_cached(draft: Board) -> None:
    notices = {"stranger": "", "owner": "Draft. Only you and staff see it.", "support": DRAFT, "admin": DRAFT}
    for (who, notice), ending in product(notices.items(), ("", ".txt", "?show=north")):
        role = {"role": who} if who in ("support", "admin") else {}
        caller = logged_in(draft.owner if who == "owner" else factories.account(**role))
        response = caller.get(f"/boards/{draft.pk}{ending}")
        case = f"{who} {ending}"
        assert response.status_code == (200 if notice else 404), case
        assert ("Draft" in response.content.decode()) is bool(notice), case
        if notice:
            assert response["Cache-Control"] == "private, no-store" and "Cookie" in response["Vary"], case
        if notice and ending == ".txt":
            assert response["X-Robots-Tag"] == "noindex", case
        elif notice:
            page = Document(response)
            assert notice in page.texts("p") and not page.is_indexed() and "PBN file" not in page.links(), case
            assert "Share" not in page.texts("summary") and not re.search("oembed|og:image", page.html), case


def test_the_api_links_to_the_pages_of_published_boards_only(board: Board, draft: Board, support: APIClient) -> None:
    links = [support.get(f"/api/boards/{each.pk}").json()["links"]["html"] for each in (board, draft)]
    assert links == [f"http://testserver/boards/{board.pk}", ""]
