"""GET /boards/{id}?step=n: the auction call by call, then the play card by card; ?show=south: some hands are hidden."""

from random import Random

import pytest
from django.test import Client

from boards.models import Board
from boards.records import diagram_of
from bridge.names import SUIT_SYMBOLS
from tests import factories
from tests.bridge.strategies import random_play
from tests.pages.documents import Document
from tests.pages.opening import CALLS, SEATS, page_of, rows

pytestmark = pytest.mark.django_db

RESULT = "<summary><h2>The result</h2></summary>"
"""What stands after it is folded."""


def moment(page: Document) -> str:
    (text,) = page.texts("p", id="moment")
    return text.replace("\ufe0e", "")


def test_each_step_says_what_happened_and_shows_the_auction_so_far(client: Client, board: Board) -> None:
    start, third = (page_of(client, board, f"?step={step}") for step in (0, 3))
    assert moment(start) == "Before the auction"
    assert rows(start, "auction")[2:] == [["", "?next", "", ""]]
    assert moment(third) == "Call 3 of 6. South: 3NTthree no trump"
    assert rows(third, "auction")[2:] == [["", "1NTone no trump", "Pass", "3NTthree no trump"], ["?next", "", "", ""]]
    for page in (start, third):
        assert not page.is_indexed() and page.canonical() == f"http://testserver/boards/{board.pk}"
        unfolded = page.html.partition(RESULT)[0]
        assert "What happened." not in unfolded and "9 tricks" not in unfolded
        assert rows(page, "play") == []


def test_after_the_auction_come_the_cards_one_by_one(client: Client, board: Board) -> None:
    hands = diagram_of(board).hands
    before, lead, second, first, last = (page_of(client, board, f"?step={step}") for step in (6, 7, 8, 10, 58))
    assert hands["east"].in_words in before.html
    assert "Opening lead" not in before.html.partition(RESULT)[0]
    assert moment(lead).startswith("Opening lead. East: ") and "wins" not in moment(lead)
    assert hands["east"].in_words not in lead.html and hands["south"].in_words in lead.html
    assert moment(second).startswith("Trick 1. South: ") and hands["south"].in_words not in second.html
    assert moment(first).startswith("Trick 1. North: ") and moment(first).endswith(" wins.")
    assert (len(rows(first, "play")), len(rows(last, "play"))) == (3, 15)
    assert "What happened." in last.html and "The result" not in last.texts("summary")
    for step in ("59", "999", "end"):
        other = page_of(client, board, f"?step={step}")
        assert (moment(other), rows(other, "play")) == (moment(last), rows(last, "play")), step


def on_table(page: Document) -> tuple[dict[str, str], list[str]]:
    """Return the cards that lie before their players, and whose card has won the trick."""
    cards, winners = {}, []
    for seat in SEATS:
        for suffix in ("", " wins"):
            for text in page.texts("span", **{"class": f"played played-{seat}{suffix}"}):
                cards[seat] = text.replace("\ufe0e", "")
                winners += [seat] if suffix else []
    return cards, winners


def test_the_trick_lies_on_the_table_and_the_tricks_won_below(client: Client, board: Board) -> None:
    pages = {step: page_of(client, board, f"?step={step}") for step in ("6", "9", "10", "end")}
    tricks_won = {step: page.texts("p", **{"class": "tricks-won"}) for step, page in pages.items()}
    assert on_table(pages["6"]) == ({}, []) and tricks_won["6"] == [""]
    cards, winners = on_table(pages["9"])
    assert list(cards) == ["east", "south", "west"] and winners == []
    cards, winners = on_table(pages["10"])
    assert len(cards) == 4 and len(winners) == 1
    played = {f"{SUIT_SYMBOLS[card[0]]}{card[1]}" for card in (board.play or [])[:4]}
    assert {card.replace("10", "T") for card in cards.values()} == played
    assert tricks_won["end"][0].startswith("NS 7 – EW 6On the table, trick 13: ")


def test_a_claim_is_said_after_the_last_card(client: Client, board: Board) -> None:
    play = board.play or []
    claimed = factories.board(seed=5, number=1, calls=CALLS, play=play[:10], tricks=11, title="Claimed")
    lead = factories.board(seed=5, number=1, calls=CALLS, play=play[:1], tricks=4)
    for stored, said in (
        (claimed, "The rest was claimed: North-South 11, East-West 2 in all."),
        (lead, "No other card is recorded: North-South 4, East-West 9 in all."),
    ):
        assert moment(page_of(client, stored, "?step=end")).endswith(f" {said}")
    assert "claimed" not in moment(page_of(client, claimed, "?step=15"))


def test_links_lead_to_the_steps_beside_this_one_and_keep_the_hidden_hands(client: Client, board: Board) -> None:
    path = f"/boards/{board.pk}"
    assert page_of(client, board).links()["Step through"] == f"{path}?step=0#next"
    links = page_of(client, board, "?show=south&step=3").links()
    steps = {"Back": "&step=2#back", "Next": "&step=4#next", "Show everything": "", "»End": "&step=end#back"}
    assert {name: links[name] for name in steps} == {name: f"{path}?show=south{end}" for name, end in steps.items()}
    assert page_of(client, board, "?step=1").links()["Back"] == f"{path}?step=0#next"
    assert "Back" not in page_of(client, board, "?step=0").links()
    assert "Next" not in page_of(client, board, "?step=58").links()


def test_hidden_hands_stay_hidden_at_every_step(client: Client, board: Board) -> None:
    """Dummy's opens after the lead (Law 41), since every player sees it then."""
    hands = {name: hand.in_words for name, hand in diagram_of(board).hands.items()}
    for step in range(59):
        page = client.get(f"/boards/{board.pk}?show=west&step={step}").content.decode()
        shown = page.partition(RESULT)[0]
        assert 'id="moment"' in page and not any(hands[seat] in shown for seat in ("north", "east")), step
        assert (hands["south"] in shown) is (step in (7, 58)), step
    assert moment(page_of(client, board, "?show=south&step=1")) == "Call 1. North: 1NTone no trump"


def test_a_board_with_nothing_to_step_through_has_no_link_and_a_lead_alone_one_step(client: Client) -> None:
    record = factories.record(seed=5, number=1, calls=CALLS)
    lead = {"contract": record.contract, "opening_lead": random_play(record.layout, record.contract, 1, Random(1))[0]}
    for number, (known, said) in enumerate((({}, "Before the lead"), (lead, "Opening lead. East: ")), 1):
        board = factories.board(seed=5, number=1, table=str(number), **known)
        assert ("Step through" in page_of(client, board).links()) is bool(known)
        assert moment(page_of(client, board, "?step=1")).startswith(said)


# --- Hidden hands --------------------------------------------------------------------------------------------


def seats_shown(page: Document) -> set[str]:
    """Return the seats of which screen readers read a hand."""
    hands = dict(text.split(": ", 1) for text in page.texts("p") if text.split(":")[0].lower() in SEATS)
    return {seat.lower() for seat, hand in hands.items() if hand != "hidden"}


def test_the_query_hides_hands_and_folds_the_result(client: Client, board: Board) -> None:
    in_words = diagram_of(board).hands
    for shown in ("south", "south,north", "north,east,west,north", "", "north,east,south,west"):
        page = page_of(client, board, f"?show={shown}")
        seen = seats_shown(page)
        assert seen == ({*shown.split(",")} if shown else {*SEATS})
        is_hidden = len(seen) < 4
        assert page.is_indexed() is not is_hidden, shown
        assert page.canonical() == f"http://testserver/boards/{board.pk}"
        assert ("High-card points" in page.html) is not is_hidden, shown
        assert ("The result" in page.texts("summary")) is ("Show all hands" in page.links()) is is_hidden, shown
        unfolded = page.html.partition(RESULT)[0]
        assert not is_hidden or not [seat for seat in {*SEATS} - seen if in_words[seat].in_words in unfolded], shown
    page = page_of(client, board, "?show=south,north")
    assert page.texts("a", **{"aria-current": "true", "rel": "nofollow"})[-1] == "North-South, show only this"


REFUSED = {
    "show": ("me", "North", "south;north", "%00", "a&show=b"),
    "step": ("-1", "x", "END", "1000", "٣", "1.0", "%00", "1&step=2"),
}


def test_an_unknown_hand_and_a_step_that_is_no_number_are_refused(client: Client, board: Board) -> None:
    for name, value in ((name, value) for name, values in REFUSED.items() for value in values):
        response = client.get(f"/boards/{board.pk}?{name}={value}")
        assert response.status_code == 400 and f"{name}: " in response.content.decode(), value
        assert Document(response).texts("h1") == ["This request has a mistake"]
