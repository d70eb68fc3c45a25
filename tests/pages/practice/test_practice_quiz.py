"""The questions of practice: what may be called or led, the reply, and the counts of all readers."""

import re
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from django.test import Client

from boards.models import Board, BoardOfTheDay, CardCosts, PracticeAnswer
from boards.records import diagram_of
from bridge.auction import BIDS
from bridge.layout import Layout
from bridge.names import SEAT_KEYS
from bridge.seats import Seat
from deals.models import SolverStatus
from tests import factories
from tests.pages.boards.test_costs import solve
from tests.pages.documents import Document
from tests.pages.opening import CALLS_OF_LESSON, open_page, queries_of

pytestmark = pytest.mark.django_db

DEAL = Layout.parse("W:AJ5.AK42.A42.843 97632.7.J753.AJ6 4.QT83.K86.KT975 KQT8.J965.QT9.Q2")
"""East has eight points and a singleton opposite West's 1NT."""

LEAD = "?step=10&seat=west"
INVALID = ("?step=x", "?step=0&dealer=Z", "?step=0&seat=me", "?step=0&theme=a+b", "?step=0&seat=north&seat=east")


def answer(client: Client, board: Board, said: str, query: str = "?step=0", **headers: Any) -> Any:
    return client.post(f"/practice/{board.pk}{query}", {"said": said}, headers=headers)


def reply_to(client: Client, board: Board, said: str, query: str = "?step=0") -> Document:
    """Return the page that an answer leads to."""
    response = answer(client, board, said, query)
    assert response.status_code == 303, response.content
    path, _, fragment = response["Location"].partition("#")
    assert fragment == "answer"
    return open_page(client, path)


def said_on(page: Document) -> str:
    (text,) = page.texts("div", id="answer")
    return " ".join(text.replace("\ufe0e", "").split())


def shown(client: Client, board: Board, said: str, query: str = "?step=0") -> str:
    """Return what the page says to somebody who opens the link to a reply."""
    return said_on(open_page(client, f"/practice/{board.pk}{query}&said={said}"))


def choices_on(page: Document) -> list[str]:
    return [attributes["value"] for attributes, _ in page.all("button")]


def leads_of(board: Board) -> list[str]:
    return sorted(board.deal.layout.cards_held_by(Seat.WEST))


def counted() -> dict[str, int]:
    return dict(PracticeAnswer.objects.values_list("answer", "count"))


# --- What may be called --------------------------------------------------------------------------------------


def test_the_calls_that_are_legal_are_offered_in_words_at_each_turn(client: Client, lesson: Board) -> None:
    """The bidding box has three levels in sight, then the other calls, and the higher levels folded."""
    expected = {
        0: [*BIDS[:15], "Pass", *BIDS[15:]],
        4: [*BIDS[BIDS.index("2D") : 20], "Pass", "XX", *BIDS[20:]],
        8: [*BIDS[19:30], "Pass", *BIDS[30:]],
    }
    pages = {step: open_page(client, f"/practice/{lesson.pk}?seat=south&step={step}") for step in range(12)}
    for step, page in pages.items():
        turn = next((turn for turn in expected if turn >= step), None)
        assert choices_on(page) == (expected[turn] if turn is not None else []), step
        assert ("What do you call?" in page.html) is (turn is not None), step
    west = open_page(client, f"/practice/{lesson.pk}?step=1&seat=west")
    assert choices_on(west) == [*BIDS[5:20], "Pass", "X", *BIDS[20:]] and "What do you call?" in west.html
    names = [re.sub(r"^.*[♠♥♦♣NTX]\ufe0e?", "", text) for text in pages[4].texts("button")]
    assert (names[:2], names[14:16], names[-1]) == (
        ["two diamonds", "two hearts"],
        ["Pass", "redouble"],
        "seven no trump",
    )


def test_what_is_not_possible_or_not_asked_is_refused_and_not_counted(client: Client, lesson: Board) -> None:
    path = f"/practice/{lesson.pk}?step=0"
    for said in ("1C", "X", "2c", "1N", "8C", "", "\x00", "HK", "<b>"):
        refused = answer(client, lesson, said, "?step=4")
        assert refused.status_code == 400, said
        if said.isalnum():
            assert "Pass, XX, 2D, 2H" in refused.content.decode(), said
            assert client.get(f"/practice/{lesson.pk}", {"step": "4", "said": said}).status_code == 400
    for query in ("?step=1&seat=south", "?step=10", "?step=end", "?step=0&seat=west", *INVALID):
        assert answer(client, lesson, "Pass", query).status_code == 400, query
        assert client.get(f"/practice/{lesson.pk}{query}&said=Pass").status_code == 400, query
    for said in ("Pass.Pass", "1C.8C", "1C.", ".Pass", "X.Pass", "-.2C", "1C.Pass.Pass", ".".join(["-"] * 400)):
        step = 0 if said == "Pass.Pass" else 4
        assert client.get(f"/practice/{lesson.pk}?step={step}&said={said}").status_code == 400, said
    assert answer(client, lesson, "-").status_code == 400
    form = "application/x-www-form-urlencoded"
    for body, content_type in (("said=Pass&said=1C", form), ("", form), ("{}", "application/json")):
        assert client.post(path, body, content_type=content_type).status_code == 400, body
    assert client.post(f"/practice/{factories.NOBODYS_ID}", {"said": "Pass"}).status_code == 404
    assert counted() == {}


# --- The reply and the counts: that a reply tells nothing early is in test_practice.py -----------------------


def test_the_reply_tells_the_call_at_the_table_and_what_readers_said(client: Client, lesson: Board) -> None:
    assert "You said" in shown(client, lesson, "1C") and "Readers said" not in shown(client, lesson, "1C")
    answer(client, lesson, "1C")
    answer(client, lesson, "1NT")
    page = reply_to(client, lesson, "1C")
    text = said_on(page)
    assert "At the table South called 1NT" in text
    assert "You said 1♣one club." in text
    assert "means: 11–13 points, they say" in text
    assert "Readers said so far: 1♣one club: 2, 1NTone no trump: 1" in text
    assert page.texts("h1") == ["You are South. What do you call?"]
    assert page.texts("p", id="moment") == ["Call 4. East: Xdouble"]
    same = said_on(reply_to(client, lesson, "1NT"))
    assert same.startswith("✓ You said 1NTone no trump, as at the table.")


def test_a_reply_is_a_public_page_with_an_address_and_counts_nothing(client: Client, lesson: Board) -> None:
    query = f"?theme={lesson.themes.get().pk}&order=easy&seat=west&step=1"
    response = answer(client, lesson, "X", query)
    address = f"/practice/{lesson.pk}{query.replace('&step', '&said=X&step')}"
    assert response["Location"] == f"{address}#answer"
    assert response["Cache-Control"] == "private, no-store" and not response.cookies
    for _ in range(3):
        reply = client.get(address)
        assert reply["Cache-Control"].startswith("public") and "Cookie" not in reply["Vary"]
        assert client.get(address, headers={"if-none-match": reply["ETag"]}).status_code == 304
    assert not reply.cookies and counted() == {"X": 1}
    page = Document(reply)
    assert not page.is_indexed() and page.canonical() == f"http://testserver/practice/{lesson.pk}"
    assert page.links()["Back"] == f"/practice/{lesson.pk}{query}#back"
    assert page.links()["South"] == f"/practice/{lesson.pk}{query.replace('west&step=1', 'south&step=5')}"


def test_an_answer_needs_no_cookie_and_another_site_cannot_send_it(lesson: Board) -> None:
    client, allowed = Client(enforce_csrf_checks=True), {"same-origin": 303, "cross-site": 403}
    assert answer(client, lesson, "1C").status_code == 303 and not client.cookies
    sites = {site: answer(client, lesson, "1C", **{"sec-fetch-site": site}).status_code for site in allowed}
    assert sites == allowed and counted() == {"1C": 2}
    for method in ("PUT", "PATCH", "DELETE"):
        refused = client.generic(method, f"/practice/{lesson.pk}")
        assert (refused.status_code, refused["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")


def test_each_board_has_counts_of_its_own_until_its_auction_or_cards_change(client: Client, lesson: Board) -> None:
    for step in (0, 4):
        answer(client, lesson, "Pass", f"?step={step}")
    other = factories.board(seed=5, number=3, calls=" ".join(CALLS_OF_LESSON))
    assert "Readers" not in shown(client, other, "1C")
    board = Board.objects.get(pk=lesson.pk)
    board.auction = ["1NT", "Pass", "2D", *CALLS_OF_LESSON[3:]]
    board.save()
    assert "Readers said so far: Pass: 1" in shown(client, board, "2C")
    assert "Readers" not in shown(client, board, "2H", "?step=4")
    board.vulnerability = "None" if board.vulnerability != "None" else "All"
    board.save()
    assert "Readers" not in shown(client, board, "2C")
    board.delete()
    assert counted() == {}


def test_over_the_limit_the_reader_can_wait_or_go_on(client: Client, lesson: Board, settings: Any) -> None:
    settings.PRACTICE_RATE_PER_CLIENT = "2/h"
    answers = [answer(client, lesson, "1C") for _ in range(3)]
    assert [each.status_code for each in answers] == [303, 303, 429]
    refused = answers[-1]
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert refused["Cache-Control"] == "private, no-store"
    assert answers[0]["RateLimit-Policy"] == '"practice";q=2;w=3600'
    page = Document(refused)
    assert any("Answer again in" in text for text in page.texts("p", role="alert"))
    assert page.links()["Show the call"] == f"/practice/{lesson.pk}?said=-&step=0#answer"
    assert choices_on(page) and counted() == {"1C": 2}
    settings.PRACTICE_RATE_PER_CLIENT, settings.PRACTICE_RATE_IN_TOTAL = "", "1/h"
    assert [answer(client, lesson, "1C").status_code for _ in range(2)] == [303, 429]


# --- The opening lead ----------------------------------------------------------------------------------------


@pytest.fixture
def led(lesson: Board, db: None) -> Board:
    """Return the board with a lead, the first of West's cards."""
    led = Board.objects.get(pk=lesson.pk)
    led.opening_lead = leads_of(led)[0]
    led.save()
    return led


def test_the_opening_leader_alone_is_asked_for_a_card_and_sees_no_lead_before(client: Client, led: Board) -> None:
    page = open_page(client, f"/practice/{led.pk}{LEAD}")
    assert sorted(choices_on(page)) == leads_of(led)
    assert any(text.startswith("Contract: 4♠ by South") for text in page.texts("p"))
    assert "Opening lead" not in page.html
    assert page.links()["Show the lead"] == f"/practice/{led.pk}?seat=west&said=-&step=10#answer"
    for seat in ("north", "east", "south"):
        others = open_page(client, f"/practice/{led.pk}?step=10&seat={seat}")
        assert choices_on(others) == [] and "What happened" not in others.html
        assert any(text.startswith("Contract: 4♠ by South. Opening lead: ") for text in others.texts("p")), seat
    for calls in ("", "1NT Pass", "Pass Pass Pass Pass"):
        board = factories.board(number=3, calls=calls)
        for seat in SEAT_KEYS:
            unknown = open_page(client, f"/practice/{board.pk}?step={len(calls.split())}&seat={seat}")
            assert choices_on(unknown) == [], (calls, seat)


def test_the_reply_to_a_lead_tells_the_lead_at_the_table_and_what_each_lead_costs(client: Client, led: Board) -> None:
    cards = leads_of(led)
    waiting = reply_to(client, led, cards[5], LEAD)
    assert "At the table West led" in said_on(waiting) and "is being computed" in said_on(waiting)
    assert waiting.links()["Look again"] == f"/practice/{led.pk}?seat=west&said={cards[5]}&step=10"
    solve()
    reply = reply_to(client, led, cards[0], LEAD)
    assert ", as at the table. 1 of 1 as at the table. Next board" in said_on(reply)
    leads = next(each for each in reply.texts("p") if each.startswith("Each lead, with all cards seen: "))
    assert leads.endswith("no card costs a trick.") or leads.count(" of ") == 13
    assert all(hand.in_words in reply.html for hand in diagram_of(led).hands.values())
    assert counted() == {cards[0]: 1, cards[5]: 1}


def test_a_lead_or_costs_that_are_not_known_are_said_so(client: Client, lesson: Board, settings: Any) -> None:
    settings.EXPORT_RATE = "1/h"
    card = leads_of(lesson)[0]
    text = said_on(reply_to(client, lesson, card, LEAD))
    assert text.startswith("You said ") and "No lead is recorded at the table." in text
    texts = {SolverStatus.FAILED: "could not be computed", SolverStatus.UNAVAILABLE: "not available on this"}
    for status, words in texts.items():
        CardCosts.objects.update(status=status)
        assert words in shown(client, lesson, card, LEAD)
    other = factories.board(seed=6, number=3, calls=" ".join(CALLS_OF_LESSON))
    text = said_on(reply_to(client, other, leads_of(other)[0], LEAD))
    assert "not computed yet" in text and CardCosts.objects.count() == 1


def test_a_reply_takes_as_many_queries_whatever_readers_said(client: Client, lesson: Board) -> None:
    path = f"/practice/{lesson.pk}?step=0&said=1C"
    few = queries_of(client, path)
    for said in ("1C", "1D", "1H", "1S", "1NT", "Pass", "2C"):
        answer(client, lesson, said)
    assert queries_of(client, path) == few


def test_the_front_page_and_today_ask_the_hand_of_the_day_and_reply_themselves(client: Client, lesson: Board) -> None:
    stayman = "1NT Pass 2C Pass 2H Pass 4H Pass Pass Pass"
    boards = {leads_of(lesson)[0]: lesson, "Pass": factories.board(cards=DEAL, calls=stayman, number=12)}
    for (said, board), path in product(boards.items(), ("/", "/today")):
        BoardOfTheDay.objects.update_or_create(day=datetime.now(UTC).date(), defaults={"board": board})
        page = open_page(client, path)
        ((form, _),) = (each for each in page.all("form", method="post") if "/practice/" in each[0]["action"])
        back = next(found["value"] for found, _ in page.all("input", name="back"))
        reply = client.post(form["action"], {"said": said, "back": back})
        assert reply["Location"] == f"{path}?said={said}#answer"
        answered = open_page(client, f"{path}?said={said}")
        assert "You said" in said_on(answered) and not answered.is_indexed()
        assert "You said" not in open_page(client, f"{path}?said=8C").html, "which nobody can call"
    assert counted() == dict.fromkeys(boards, 2)
