"""After an answer the next step is on the screen of a phone, on every page that asks: the next question or board.

The boards have what makes a reply long: a field of many answers, readers who said everything, and calls with meanings.
"""

from itertools import product

import pytest
from playwright.sync_api import Page

from boards.models import Board, PracticeAnswer
from boards.records import record_of
from bridge.auction import Auction, Call
from bridge.seats import Seat
from pages.practice.quiz import question_at
from tests.pages.practice.test_answers import store
from tests.pages.practice.test_to_the_end import ways_to_questions
from tests.system.browser.conftest import NewPage

PHONES = ((667, True), (812, False))
"""Heights, and whether scripts run."""

MEANINGS = {"2C": "Asks for majors", "2H": "Four or five hearts, and perhaps four spades too", "3H": "Invites to game"}
CALLS = "1NT Pass 2C Pass 2H Pass 3H Pass 4H Pass Pass Pass"
FIELD = ("2D", "2H", "2S", "2NT", "3C", "3D", "3H", "3S", "3NT")
"""What East calls at the other tables."""

OUT_OF_SIGHT = """all => all.filter(where => {
    const found = [...document.querySelectorAll(where)].find(it => it.checkVisibility())
    const box = found?.getBoundingClientRect()
    return !box || box.top < 0 || box.bottom > innerHeight
})"""
"""Those of the selectors whose first element that is shown is not wholly in the window."""


@pytest.fixture
def boards(transactional_db: None) -> list[Board]:
    """Return a board that asks East three times, and one that asks West for a call and then for the lead."""
    for number, call in enumerate(FIELD, 3):
        store(f"1NT Pass {call} Pass Pass Pass", 7, table=str(number))
    calls = tuple(Call(call, explanation=MEANINGS.get(call, "")) for call in CALLS.split())
    first = store("", auction=Auction(Seat.WEST, calls), table="1", opening_lead="")
    second = store("1NT X XX 2S X Pass Pass Pass", 7, number=16, table="1")
    for board, step in ((first, 2), (second, 4)):
        question = question_at(record_of(board), (Seat.EAST, Seat.WEST)[step // 4], step)
        assert question
        rows = ({"board": board, "question": question.key, "answer": said, "count": 7} for said in question.choices)
        PracticeAnswer.objects.bulk_create(PracticeAnswer(**row) for row in rows)
    return [first, second]


def answer(page: Page) -> None:
    """Press the last button that is in sight, and wait for the page that replies."""
    with page.expect_navigation(wait_until="load"):
        page.locator(".hero form button").filter(visible=True).last.click()
    page.evaluate("document.fonts.ready.then(() => null)")


def test_the_next_question_or_the_next_board_is_in_sight_after_each_answer(
    new_page: NewPage, boards: list[Board]
) -> None:
    problems = []
    for board, (height, javascript) in product(boards, PHONES):
        page = new_page(width=375, javascript=javascript, reduced_motion="reduce")
        page.set_viewport_size({"width": 375, "height": height})
        for path, links in ways_to_questions(board).items():
            page.goto(path)
            for name in links:
                page.goto(page.get_by_role("link", name=name).first.get_attribute("href") or "")
            answers = 0
            while page.locator(".hero form").count():
                answer(page)
                answers += 1
                is_asked = page.locator(".hero form").count()
                needed = [".reply .headline", *([".hero h1", ".hero form > div"] if is_asked else ["#next"])]
                hidden = page.evaluate(OUT_OF_SIGHT, needed)
                problems += [(path, height, answers, *hidden)] * bool(hidden)
            assert answers == {12: 3, 16: 2}[board.board_number or 0], path
    assert not problems, "\n".join(map(str, problems))
