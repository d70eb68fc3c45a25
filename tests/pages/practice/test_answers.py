"""A board from its first question to its sum: one press is one answer, and what the other tables did."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Board, BoardOfTheDay
from boards.practice import read_field, read_fields
from bridge.contract import Contract
from bridge.layout import Layout
from bridge.seats import Seat
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of
from tests.pages.practice.test_practice_quiz import said_on

pytestmark = pytest.mark.django_db

DEAL = Layout.parse("W:AJ5.AK42.A42.843 97632.7.J753.AJ6 4.QT83.K86.KT975 KQT8.J965.QT9.Q2")
"""West opens 1NT, and East has a decision: it has eight points and four hearts."""

STAYMAN = "1NT Pass 2C Pass 2H Pass 4H Pass Pass Pass"
OTHERS = (
    *(("1NT Pass 2C Pass 2H Pass 3H Pass Pass Pass", 9),) * 2,
    ("1NT Pass 3NT Pass Pass Pass", 8),
    ("1NT Pass Pass Pass", 8),
)
FRIDAY = {"number": 12, "cards": DEAL, "event": "Friday pairs", "date": "2026.11.20"}


def store(calls: str = STAYMAN, tricks: int | None = 10, **values: Any) -> Board:
    return factories.board(**{**FRIDAY, "calls": calls, "tricks": tricks, **values})


@pytest.fixture
def evening(db: None) -> Board:
    """Return the board of table 1. Those of the others differ from the first call of East on."""
    for number, (calls, tricks) in enumerate(OTHERS, 2):
        store(calls, tricks, table=str(number))
    return store(table="1")


def press(client: Client, page: Document, said: str) -> Document:
    """Answer the question of a page, as a browser does."""
    ((form, _),) = page.all("form", method="post", **{"aria-label": "What do you call?"})
    return open_page(client, client.post(form["action"], {"said": said})["Location"].partition("#")[0])


def test_a_board_takes_a_press_for_each_answer_and_ends_with_a_sum_and_the_next_board(
    client: Client, evening: Board
) -> None:
    later = store(number=13, seed=3, cards=None, table="1")
    page = open_page(client, f"/practice/{evening.pk}?event={evening.event_slug}")
    assert page.texts("h1") == ["You are East. What do you call?"]
    assert [text for text in page.texts("td") if text] == ["1NTone no trump", "Pass", "?next"]
    page = press(client, page, "2C")
    assert said_on(page).startswith("✓ You said 2♣two clubs, as at the table.")
    assert page.texts("h1") == ["You are East. What do you call?"] and "?next" in page.texts("td")
    assert "of 1 as at the table" not in page.html
    page = press(client, page, "3H")
    assert ". 1 of 2 as at the table; 2 of 2 as most of the field. Next board of this event " in said_on(page)
    assert not page.all("form", method="post", **{"aria-label": "What do you call?"})
    assert page.texts("h1") == ["Board 12 of Friday pairs, 20 November 2026"]
    following = client.get(page.links()["Next board of this event"])
    assert following["Location"].startswith(f"/practice/{later.pk}?")


def test_the_reply_says_what_the_field_did_and_what_became_of_it(client: Client, evening: Board) -> None:
    path = f"/practice/{evening.pk}?step=2&said=3NT"
    page = open_page(client, path)
    assert "At 5 tables with this hand and the same calls before, scores for East-West:" in page.texts("p")
    cells = [text.replace("\ufe0e", "") for text in page.texts("td")]
    assert cells[:9] == [
        *("3", "3♥ Wthree hearts by West (2), 4♥ Wfour hearts by West (1)", "+233"),
        *("1", "3NT Wthree no trump by West (1)", "−50"),
        *("1", "1NT Wone no trump by West (1)", "+120"),
    ]
    assert [text.replace("\ufe0e", "") for text in page.texts("th", scope="row")] == [
        *("2♣two clubs", "3NTthree no trump", "Pass"),
    ]
    assert len(page.all("tr", **{"class": "here"})) == 1
    few = queries_of(client, path)
    for number in range(6, 30):
        store(table=str(number))
    assert queries_of(client, path) == few


def test_nothing_is_claimed_of_tables_without_an_auction_of_another_deal_or_in_a_draft(client: Client) -> None:
    board = store(table="1")
    played = {"auction": None, "contract": Contract.parse("4H", Seat.WEST), "tricks": 10}
    factories.board(**{**FRIDAY, **played, "table": "2"})
    store(table="3", date="2026.11.27")
    store(table="4", number=13)
    store(table="5", published=False)
    assert len(read_field(board)) == 1
    page = said_on(open_page(client, f"/practice/{board.pk}?step=6&said=2C.4H"))
    assert "tables" not in page and " 2 of 2 as at the table. " in page
    others = [*Board.objects.exclude(pk=board.pk).select_related("deal")]
    assert read_fields([board, *others]) == {
        each.pk: read_field(each) for each in (board, *others) if each.published_at
    }
    board.unpublish()
    assert read_field(board) == []


def test_what_was_left_out_counts_in_no_sum(client: Client, evening: Board) -> None:
    path = f"/practice/{evening.pk}"
    skipped = open_page(client, f"{path}?step=2").links()["Show the call"]
    page = open_page(client, skipped.partition("#")[0])
    assert said_on(page).startswith("At the table East called 2♣two clubs.") and "You said" not in page.html
    assert "1 of 1 as at the table; 0 of 1 as" in said_on(open_page(client, f"{path}?step=6&said=-.4H"))
    assert "as at the table" not in open_page(client, f"{path}?step=6&said=-.-").html
    back = page.links()["Back"]
    assert back == f"{path}?step=2#back"


def test_a_collection_says_whom_its_practice_asks_from_which_call_on(client: Client, evening: Board) -> None:
    owner: Account = factories.account()
    asked = {("", None): "East", ("W", None): "West", ("W", 4): "West", ("", 4): "West", ("S", 319): "South"}
    steps = {("W", 4): 4, ("", 4): 4, ("W", None): 0, ("", None): 2}
    for (seat, step), name in asked.items():
        places = [CollectionEntry(evening.pk, "", seat, step)]
        texts = Texts(f"Lesson {seat} {step}", visibility="public")
        collection, _ = create_collection(owner=owner, texts=texts, places=places)
        page = open_page(client, client.get(f"/practice?collection={collection.pk}")["Location"])
        assert page.texts("h1") == [f"You are {name}. What do you call?"], (seat, step)
        ((form, _),) = page.all("form", method="post", **{"aria-label": "What do you call?"})
        assert f"step={steps.get((seat, step), 3)}" in form["action"]
        chosen = open_page(client, f"/practice/{evening.pk}?collection={collection.pk}&seat=south")
        assert chosen.texts("h1")[0].startswith("You are South."), "the reader's own choice comes first"


def test_other_tables_tell_of_a_decision_that_points_alone_do_not(client: Client) -> None:
    deal = Layout.parse("W:A95.KQ42.A42.J43 KQ632.J7.J75.Q96 874.T83.K86.T875 JT.A965.QT93.AK2")
    board = store("1NT Pass Pass Pass", 8, table="1", cards=deal)
    path = f"/practice/{board.pk}"
    assert open_page(client, path).texts("h1") == ["You are North. Which card do you lead?"]
    store("1NT 2S Pass Pass Pass", 6, table="2", cards=deal)
    assert open_page(client, path).texts("h1") == ["You are North. What do you call?"]
    places = [CollectionEntry(board.pk)]
    lesson, _ = create_collection(owner=factories.account(), texts=Texts("A", visibility="link"), places=places)
    assert "What do you call?" in open_page(client, f"/lessons/{lesson.pk}/hand-out").html, (
        "paper asks as the screen does"
    )


def test_readers_lead_to_what_they_disagree_on_and_move_no_lesson_and_no_day(client: Client) -> None:
    deal = Layout.parse("W:A95.KQ42.A42.J43 KQ632.J7.J75.Q96 874.T83.K86.T875 JT.A965.QT93.AK2")
    board = store("1NT Pass Pass Pass", 8, cards=deal)
    places = [CollectionEntry(board.pk)]
    lesson, _ = create_collection(owner=factories.account(), texts=Texts("A", visibility="link"), places=places)
    BoardOfTheDay.objects.create(day=datetime.now(UTC).date(), board=board)
    path, api = f"/practice/{board.pk}", f"/api/boards/{board.pk}/practice"
    steady = (f"{path}?collection={lesson.pk}", f"/lessons/{lesson.pk}/hand-out", "/today", "/today/embed", "/")
    few = queries_of(client, path, api)
    for said in ("Pass", "Pass", "Pass", "2S", "2S"):
        assert {asked_on(client, each) for each in (path, *steady)} == {LEAD}, "four are too few"
        assert client.get(api).json()["step"] == 4
        assert client.post(f"{path}?step=1", {"said": said}).status_code == 303
    assert asked_on(client, path) == CALL
    assert client.get(api).json().items() >= {"seat": "N", "step": 1}.items()
    assert {asked_on(client, each) for each in steady} == {LEAD}
    for step, said in ((2, "2H"), (2, "3NT"), (3, "X"), (3, "Pass")):
        client.post(f"{path}?step={step}", {"said": said})
    assert queries_of(client, path, api) == few


LEAD, CALL = QUESTIONS = ("Which card do you lead?", "What do you call?")


def asked_on(client: Client, path: str) -> str:
    html = open_page(client, path).html
    (found,) = (question for question in QUESTIONS if question in html)
    return found
