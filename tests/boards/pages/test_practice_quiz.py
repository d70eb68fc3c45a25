"""The questions of practice: what may be called or led, the reply, and the counts of all readers."""

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.models import Board, CardCosts, PracticeAnswer
from boards.records import diagram_of
from config.worker.shutdown import ShutdownRequest
from deals.bridge.auction import BIDS, Auction, Call
from deals.bridge.names import SEAT_KEYS
from deals.bridge.seats import Seat
from deals.models import SolverStatus
from deals.solver.worker import Worker
from tests import factories
from tests.boards.pages.test_board_page import logged_in
from tests.config.site.documents import Document
from tests.deals.solver.solvers import real_solver

pytestmark = pytest.mark.django_db

NOW = timezone.now()
CALLS = ("1NT", "Pass", "2C", "X", "2S", "Pass", "4S", "Pass", "Pass", "Pass")
"""South deals. South is asked at the steps 0, 4 and 8, and West leads."""

SECRETS = ("A title", "What happened", "Friday pairs", "Stayman", "down 1")


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    calls = [Call(call, explanation="11–13 points, they say" if call == "1NT" else "") for call in CALLS]
    return factories.board(
        seed=5,
        number=3,
        auction=Auction(Seat.SOUTH, tuple(calls)),
        tricks=9,
        title="A title",
        commentary="What happened.",
        event="Friday pairs",
        themes=(factories.theme("stayman", labels={"en": "Stayman"}),),
    )


def answer(client: Client, board: Board, said: str, query: str = "?step=0", **headers: Any) -> Any:
    return client.post(f"/practice/{board.pk}{query}", {"said": said}, headers=headers)


def reply_to(client: Client, response: HttpResponse) -> Document:
    """Return the page that an answer leads to."""
    assert response.status_code == 303, response.content
    path, _, fragment = response["Location"].partition("#")
    assert fragment == "answer"
    return Document(client.get(path))


def said_on(page: Document) -> str:
    (text,) = page.texts("div", id="answer")
    return " ".join(text.replace("\ufe0e", "").split())


def choices_on(page: Document) -> list[str]:
    return [attributes["value"] for attributes, _ in page.all("button")]


def counted() -> dict[str, int]:
    return dict(PracticeAnswer.objects.values_list("answer", "count"))


# --- What may be called --------------------------------------------------------------------------------------


def test_the_calls_that_are_legal_are_offered_in_words_when_it_is_the_readers_turn(
    client: Client, board: Board
) -> None:
    expected = {0: ["Pass", *BIDS], 4: ["Pass", "XX", *BIDS[BIDS.index("2D") :]], 8: ["Pass", *BIDS[19:]]}
    pages = [Document(client.get(f"/practice/{board.pk}?step={step}")) for step in range(12)]
    assert [choices_on(page) for page in pages] == [expected.get(step, []) for step in range(12)]
    west = Document(client.get(f"/practice/{board.pk}?step=1&seat=west"))
    assert choices_on(west) == ["Pass", "X", *BIDS[BIDS.index("2C") :]]
    names = [re.sub(r"^.*[♠♥♦♣NTX]\ufe0e?", "", text) for text in pages[4].texts("button")]
    assert names[:4] == ["Pass", "redouble", "two diamonds", "two hearts"]
    assert names[-1] == "seven no trump"


def test_what_is_not_possible_is_refused_with_what_is_and_not_counted(client: Client, board: Board) -> None:
    for said in ("1C", "X", "2c", "1N", "8C", "", "\x00", "HK", "<b>"):
        refused = answer(client, board, said, "?step=4")
        assert refused.status_code == 400, said
        if said.isalnum():
            assert "Pass, XX, 2D, 2H" in refused.content.decode(), said
            assert client.get(f"/practice/{board.pk}", {"step": "4", "said": said}).status_code == 400
    assert counted() == {}


def test_an_answer_to_a_moment_at_which_nothing_is_asked_is_refused(client: Client, board: Board) -> None:
    for query in ("?step=1", "?step=10", "?step=end", "?step=0&seat=west", "?step=x", "?step=0&dealer=Z"):
        assert answer(client, board, "Pass", query).status_code == 400
        assert client.get(f"/practice/{board.pk}{query}&said=Pass").status_code == 400
    path = f"/practice/{board.pk}?step=0"
    twice = client.post(path, "said=Pass&said=1C", content_type="application/x-www-form-urlencoded")
    assert (twice.status_code, client.post(path).status_code) == (400, 400)
    assert client.post(path, "{}", content_type="application/json").status_code == 400
    assert client.post(f"/practice/{factories.NOBODYS_ID}", {"said": "Pass"}).status_code == 404
    assert counted() == {}


# --- The reply -----------------------------------------------------------------------------------------------


def test_the_reply_tells_the_call_at_the_table_what_it_meant_and_what_readers_said(
    client: Client, board: Board
) -> None:
    answer(client, board, "1C")
    answer(client, board, "1NT")
    page = reply_to(client, answer(client, board, "1C"))
    text = said_on(page)
    assert text.startswith("At the table South called 1NT")
    assert "You said 1♣one club." in text
    assert "means: 11–13 points, they say" in text
    assert "Readers said so far: 1♣one club: 2, 1NTone no trump: 1" in text
    assert page.links()["Go on"] == f"/practice/{board.pk}?step=1#next"
    same = said_on(reply_to(client, answer(client, board, "1NT")))
    assert same.startswith("You said 1NTone no trump, the same as South called at the table.")


def test_a_reply_is_a_public_page_with_an_address_and_counts_nothing(client: Client, board: Board) -> None:
    query = f"?theme={board.themes.get().pk}&order=easy&seat=west&step=1"
    response = answer(client, board, "X", query)
    address = f"/practice/{board.pk}{query.replace('&step', '&said=X&step')}"
    assert response["Location"] == f"{address}#answer"
    assert response["Cache-Control"] == "private, no-store" and not response.cookies
    for _ in range(3):
        shown = client.get(address)
        assert shown["Cache-Control"].startswith("public") and "Cookie" not in shown["Vary"]
        assert client.get(address, headers={"if-none-match": shown["ETag"]}).status_code == 304
    assert not shown.cookies and counted() == {"X": 1}
    page = Document(shown)
    assert not page.is_indexed() and page.canonical() == f"http://testserver/practice/{board.pk}"
    assert page.links()["Go on"] == f"/practice/{board.pk}{query.replace('step=1', 'step=2')}#next"
    assert page.links()["South"] == f"/practice/{board.pk}{query.replace('&seat=west', '')}"


def test_an_answer_needs_no_cookie_and_other_methods_are_refused(board: Board) -> None:
    client = Client(enforce_csrf_checks=True)
    assert answer(client, board, "1C").status_code == 303 and not client.cookies
    for method in ("PUT", "PATCH", "DELETE"):
        refused = client.generic(method, f"/practice/{board.pk}")
        assert (refused.status_code, refused["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")


def test_a_link_without_an_answer_shows_that_nobody_has_answered(client: Client, board: Board) -> None:
    text = said_on(Document(client.get(f"/practice/{board.pk}?step=0&said=1C")))
    assert "You said" in text and "Readers said" not in text


def test_nothing_is_told_early_by_a_question_a_reply_or_a_redirect(client: Client, board: Board) -> None:
    hands = {name: hand.in_words for name, hand in diagram_of(board).hands.items()}
    for step in (0, 4, 8):
        response = answer(client, board, "Pass", f"?step={step}")
        page = reply_to(client, response)
        told = page.html + response["Location"]
        assert not [secret for secret in SECRETS if secret in told]
        assert [name for name in hands if hands[name] in told] == ["south"]
        assert f"/boards/{board.pk}" not in page.links().values()


def test_a_reply_is_the_same_whatever_calls_are_to_come(client: Client) -> None:
    endings = ("Pass Pass Pass", "3C X 3D Pass Pass Pass", "Pass")
    boards = [factories.board(seed=5, number=3, calls=f"{' '.join(CALLS[:5])} {each}") for each in endings]
    for said in ("Pass", "2S"):
        replies = {
            reply_to(client, answer(client, board, said, "?step=4")).html.replace(str(board.pk), "") for board in boards
        }
        assert len(replies) == 1, said


# --- The counts ----------------------------------------------------------------------------------------------


def test_a_board_whose_auction_or_cards_change_begins_anew(client: Client, board: Board) -> None:
    for step in (0, 4):
        answer(client, board, "Pass", f"?step={step}")
    board = Board.objects.get(pk=board.pk)
    board.auction = ["1NT", "Pass", "2D", *CALLS[3:]]
    board.save()
    assert "Readers said so far: Pass: 1" in said_on(Document(client.get(f"/practice/{board.pk}?step=0&said=2C")))
    assert "Readers" not in said_on(Document(client.get(f"/practice/{board.pk}?step=4&said=2H")))
    board.vulnerability = "None" if board.vulnerability != "None" else "All"
    board.save()
    assert "Readers" not in said_on(Document(client.get(f"/practice/{board.pk}?step=0&said=2C")))


def test_answers_to_two_boards_are_counted_apart_and_go_with_their_board(client: Client, board: Board) -> None:
    other = factories.board(seed=5, number=3, calls=" ".join(CALLS))
    answer(client, board, "1C")
    assert "Readers" not in said_on(Document(client.get(f"/practice/{other.pk}?step=0&said=1C")))
    Board.objects.get(pk=board.pk).delete()
    assert counted() == {}


def test_answers_of_staff_to_a_draft_are_not_counted_and_strangers_cannot_answer(client: Client) -> None:
    draft = factories.board(number=3, calls=" ".join(CALLS), published=False)
    assert answer(client, draft, "1C").status_code == 404
    staff = logged_in(factories.account("support", role="support"))
    response = answer(staff, draft, "1C")
    assert "You said" in said_on(reply_to(staff, response))
    assert staff.get(response["Location"])["Cache-Control"] == "private, no-store"
    assert counted() == {}


def test_another_site_cannot_answer_for_its_visitors(client: Client, board: Board) -> None:
    allowed = {"same-origin": 303, "none": 303, "same-site": 403, "cross-site": 403}
    sites = {site: answer(client, board, "1C", **{"sec-fetch-site": site}).status_code for site in allowed}
    assert sites == allowed
    assert counted() == {"1C": 2}


def test_over_the_limit_the_reader_can_wait_or_go_on(client: Client, board: Board, settings: LazySettings) -> None:
    settings.PRACTICE_RATE_PER_CLIENT = "2/h"
    answers = [answer(client, board, "1C") for _ in range(3)]
    assert [each.status_code for each in answers] == [303, 303, 429]
    refused = answers[-1]
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert refused["Cache-Control"] == "private, no-store"
    assert answers[0]["RateLimit-Policy"] == '"practice";q=2;w=3600'
    page = Document(refused)
    assert any("Answer again in" in text for text in page.texts("p", role="alert"))
    assert page.links()["Show the call"] == f"/practice/{board.pk}?step=1#next"
    assert choices_on(page) and counted() == {"1C": 2}
    settings.PRACTICE_RATE_PER_CLIENT, settings.PRACTICE_RATE_IN_TOTAL = "", "1/h"
    assert [answer(client, board, "1C").status_code for _ in range(2)] == [303, 429]


# --- The opening lead ----------------------------------------------------------------------------------------


@pytest.fixture
def led(board: Board, db: None) -> Board:
    """Return the board with a lead, the first of West's cards."""
    led = Board.objects.get(pk=board.pk)
    led.opening_lead = sorted(led.deal.layout.cards_held_by(Seat.WEST))[0]
    led.save()
    return led


def test_the_opening_leader_is_asked_for_a_card_and_sees_no_lead_before(client: Client, led: Board) -> None:
    page = Document(client.get(f"/practice/{led.pk}?step=10&seat=west"))
    assert sorted(choices_on(page)) == sorted(led.deal.layout.cards_held_by(Seat.WEST))
    assert any(text.startswith("Contract: 4♠ by South") for text in page.texts("p"))
    assert "Opening lead" not in page.html
    assert page.links()["Show all hands"] == f"/practice/{led.pk}?seat=west&step=end#back"
    for seat in ("north", "east", "south"):
        shown = Document(client.get(f"/practice/{led.pk}?step=10&seat={seat}"))
        assert choices_on(shown) == [] and "Opening lead: " in shown.html


def test_no_lead_is_asked_for_where_the_auction_is_not_known_to_its_end(client: Client) -> None:
    for calls in ("", "1NT Pass", "Pass Pass Pass Pass"):
        board = factories.board(number=3, calls=calls)
        for seat in SEAT_KEYS:
            page = Document(client.get(f"/practice/{board.pk}?step={len(calls.split())}&seat={seat}"))
            assert choices_on(page) == [], (calls, seat)


def test_the_reply_to_a_lead_tells_the_lead_at_the_table_and_what_each_lead_costs(client: Client, led: Board) -> None:
    cards = sorted(led.deal.layout.cards_held_by(Seat.WEST))
    query = "?step=10&seat=west"
    waiting = reply_to(client, response := answer(client, led, cards[5], query))
    assert "At the table West led" in said_on(waiting) and "is being computed" in said_on(waiting)
    assert waiting.links()["Look again"] == response["Location"].removesuffix("#answer")
    Worker(real_solver(), ShutdownRequest()).run(once=True)
    reply = reply_to(client, answer(client, led, cards[0], query))
    text = said_on(reply)
    assert text.count("the same as West led at the table") == 1
    leads = next(each for each in reply.texts("p") if each.startswith("Each lead, with all cards seen: "))
    assert leads.endswith("no card costs a trick.") or leads.count(" of ") == 13
    assert reply.links()["Show all hands"] == f"/practice/{led.pk}?seat=west&step=end#back"
    hands = {name: hand.in_words for name, hand in diagram_of(led).hands.items()}
    assert [name for name in hands if hands[name] in reply.html] == ["west"]
    assert counted() == {cards[0]: 1, cards[5]: 1}


def test_a_lead_that_was_not_recorded_or_whose_costs_are_not_known_is_said_so(
    client: Client, board: Board, settings: LazySettings
) -> None:
    settings.EXPORT_RATE = "1/h"
    card = sorted(board.deal.layout.cards_held_by(Seat.WEST))[0]
    text = said_on(reply_to(client, answer(client, board, card, "?step=10&seat=west")))
    assert text.startswith("No lead is recorded at the table. You said")
    texts = {SolverStatus.FAILED: "could not be computed", SolverStatus.UNAVAILABLE: "not available on this"}
    for status, words in texts.items():
        CardCosts.objects.update(status=status)
        shown = client.get(f"/practice/{board.pk}?step=10&seat=west&said={card}")
        assert words in said_on(Document(shown))
    other = factories.board(seed=6, number=3, calls=" ".join(CALLS))
    card = sorted(other.deal.layout.cards_held_by(Seat.WEST))[0]
    text = said_on(reply_to(client, answer(client, other, card, "?step=10&seat=west")))
    assert "not computed yet" in text and CardCosts.objects.count() == 1


def test_a_reply_takes_as_many_queries_whatever_readers_said(client: Client, board: Board) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/practice/{board.pk}?step=0&said=1C")
        return len(captured)

    queries()
    few = queries()
    for said in ("1C", "1D", "1H", "1S", "1NT", "Pass", "2C"):
        answer(client, board, said)
    assert queries() == few
