"""Each question of a board is answered to its end on every page that asks, by the links and forms of these pages.

tests/system/test_demonstration_to_the_end.py does the same with all boards of the demonstration.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from boards.collections.classes import open_class
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Board, BoardOfTheDay
from boards.records import record_of
from bridge.decisions import turns_of
from bridge.seats import Seat
from pages.practice.daily import format_answer
from pages.practice.quiz import Question, question_at
from tests import factories
from tests.pages.documents import Document
from tests.pages.practice.test_practice_quiz import DEAL, choices_on

pytestmark = pytest.mark.django_db

HEADINGS = {"What do you call?", "Which card do you lead?"}
AUCTIONS = {
    "1NT Pass 2C Pass 2H Pass 3H Pass 4H Pass Pass Pass": 3,
    "1NT X XX 2S X Pass Pass Pass": 2,  # a call, and then the lead
    "1NT Pass Pass Pass": 1,
}
"""Auctions of DEAL, with the number of questions to the seat that is asked."""


def ways_to_questions(board: Board) -> dict[str, Sequence[str]]:
    """Return the pages from which readers come to the questions of a board, with the links that they follow there.

    It is the hand of the day, the only one of a lesson and a class, and the first of its event.
    """
    BoardOfTheDay.objects.update_or_create(day=datetime.now(UTC).date(), defaults={"board": board})
    owner = factories.account()
    texts = Texts(f"Lesson {board.pk}", visibility="public")
    lesson, _ = create_collection(owner=owner, texts=texts, places=[CollectionEntry(board.pk)])
    school = open_class(owner=owner, collection_id=lesson.pk)
    return {
        "/": (),
        "/today": (),
        "/today/embed": ["Answer it (opens a new tab)"],
        f"/boards/{board.pk}": ["Practise it"],
        f"/practice/{board.pk}?event={board.event_slug}": (),
        f"/collections/{lesson.pk}": ["Practise these boards"],
        f"/class/{school.code}": (),
    }


def open_links(client: Client, path: str, *links: str) -> Document:
    """Open a page, and these links one after the other."""
    page = Document(client.get(path, follow=True))
    for name in links:
        page = Document(client.get(page.links()[name], follow=True))
    return page


def reply_on(page: Document) -> str:
    """Return what a page says of the last answer, "" where it does not reply."""
    return " ".join(page.texts("div", id="answer")).replace("\ufe0e", "")


def form_on(page: Document) -> str:
    """Return the address that the question's form is sent to, "" where nothing is asked."""
    forms = (form for form, _ in page.all("form", method="post"))
    return next((form["action"] for form in forms if form.get("aria-label") in HEADINGS), "")


def questions_on(page: Document, board: Board) -> list[Question]:
    """Return what a page asks, and what its seat is asked after that."""
    record, (heading,) = record_of(board), page.texts("h1")
    seat = next(seat for seat in Seat if heading.startswith(f"You are {seat.full_name}."))
    calls = [text for text in page.texts("td") if text and text != "?next"]
    questions = (question_at(record, seat, turn) for turn in turns_of(record, seat) if turn >= len(calls))
    return [question for question in questions if question]


def answer(client: Client, page: Document, said: str) -> Document:
    """Press a button of the question, as a browser does, and return the page that replies."""
    assert said in choices_on(page)
    back = {name: value for name, value in page.form_values().items() if name == "back"}
    response = client.post(form_on(page), {"said": said, **back})
    assert response.status_code == 303, response.content
    return Document(client.get(response["Location"].partition("#")[0]))


def faults_of(client: Client, page: Document, questions: Sequence[Question], *, is_right: bool) -> Iterator[str]:
    """Answer as the table did, or otherwise, to the end. Yield what a page says wrongly."""
    for number, question in enumerate(questions, 1):
        other = next(choice for choice in choices_on(page) if choice != question.at_table)
        said = question.at_table if is_right and question.at_table else other
        page = answer(client, page, said)
        reply = reply_on(page)
        verb = "led" if question.is_lead else "called"
        told = f"At the table {question.seat.full_name} {verb} {format_answer(question, question.at_table or said)}"
        if said == question.at_table:
            told = f"✓ You said {format_answer(question, said)}"
        if question.at_table and told not in reply:
            yield f"the reply to {said}, answer {number} of {len(questions)}, is: {reply[:60]}"
            return
    known = sum(bool(question.at_table) for question in questions)
    if form_on(page):
        yield f"it asks after {len(questions)} questions"
    elif known and f"{known * is_right} of {known} as at the table" not in reply_on(page):
        yield f"the sum is: {reply_on(page)[-60:]}"
    links = page.links()
    end = open_links(client, links["Show all hands"]) if "Show all hands" in links else page
    if not any(name.startswith("Next board") for name in end.links()):
        yield "nothing leads to the next board"


def faults(client: Client, board: Board, ways: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield what goes wrong on these ways to a board's end."""
    for path, links in ways:
        page = open_links(client, path, *links)
        questions = questions_on(page, board)
        assert questions and form_on(page), path
        for is_right in (True, False):
            for fault in faults_of(client, page, questions, is_right=is_right):
                yield f"{path}, board {board.board_number} of {board.event}: {fault}"


def test_each_question_of_a_board_is_answered_to_its_end_on_every_page_that_asks(client: Client, settings: Any) -> None:
    settings.PRACTICE_RATE_PER_CLIENT = ""
    boards = {factories.board(cards=DEAL, calls=calls, number=4, event=calls): n for calls, n in AUCTIONS.items()}
    for board, count in boards.items():
        page = open_links(client, f"/practice/{board.pk}")
        assert len(questions_on(page, board)) == count, board.event
    found: list[str] = []
    for board, count in boards.items():
        ways = list(ways_to_questions(board).items())
        # Two questions, a call and a lead, on every way. Three and one on the board's own page and within its event.
        found += faults(client, board, ways if count == 2 else ways[3:5])
    assert not found, "\n".join(found)
