"""A teacher opens a class, two pupils answer on their phones, and the teacher sees exactly what they said."""

import re

import pytest
from playwright.sync_api import Page, expect

from boards.models import Board, Collection
from tests import factories
from tests.boards.collections.stored import store
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import problems_at
from tests.system.browser.paper import count_pages
from tests.system.browser.visits import press, sign_in

CALLS = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"
SECRETS = re.compile("Lesson board|Stayman|Fourth best")


@pytest.fixture
def boards(transactional_db: None) -> list[Board]:
    texts = {"calls": CALLS, "student": "S"}
    return [factories.board(seed, number=11, title=f"Lesson board {seed}", **texts) for seed in range(1, 15)]


def lesson_of(desk: Page, boards: list[Board]) -> Collection:
    """Sign a teacher in who has a lesson of these boards by link."""
    sign_in(desk, "/collections")
    owner = factories.Account.objects.get(display_name__startswith="Anna")
    return store(owner, *boards, title="Stayman on Tuesday", note="Fourth best", visibility="link", language="en")


def begin(pupil: Page, code: str) -> Page:
    """Type the code of a class, and see the first question, which tells nothing."""
    pupil.goto("/class")
    pupil.get_by_label("The code that your teacher gave you").fill(code)
    pupil.get_by_role("button", name="Begin").click()
    expect(pupil.get_by_text("Board 1 of 14 of this collection")).to_be_visible()
    assert not SECRETS.search(pupil.content())
    return pupil


def say(pupil: Page, call: str) -> None:
    pupil.get_by_role("button", name=call, exact=True).click()
    expect(pupil.get_by_role("group", name="Your answer")).to_be_visible()


def test_a_teacher_sees_what_two_pupils_answer_on_their_phones(
    page: Page, phone: Page, new_page: NewPage, boards: list[Board]
) -> None:
    lesson = lesson_of(page, boards)
    page.goto(f"/collections/{lesson.pk}")
    page.locator("main summary").filter(has_text="More").click()
    press(page, "Teach a class")
    expect(page.get_by_label("Link for pupils")).to_have_value(f"http://testserver/lessons/{lesson.pk}")
    page.get_by_role("button", name="Open a class").click()
    code = page.get_by_label("The link for the class").input_value().rpartition("/")[2]

    pupils = begin(phone, f" {code[:4].lower()} {code[4:].lower()}"), begin(new_page(width=375), code)
    for pupil, call in zip(pupils, ("one no trump", "one club"), strict=True):
        say(pupil, call)
        pupil.reload()
        pupil.goto(f"/practice/{boards[0].pk}?collection={lesson.pk}&code={code}&step=4")
        say(pupil, "two spades")
    press(page, "Look again")
    first, second = page.locator("table.bars").all()
    expect(first.locator("caption")).to_contain_text(re.compile("South calls first.*At the table: 1NT.*2 answers"))
    expect(first.locator("tr")).to_have_text([re.compile(r"1NT.*✓ at the table\s*1"), re.compile(r"1♣.*\s*1")])
    expect(second.locator("tr")).to_have_text([re.compile(r"2♠.*✓ at the table\s*2")])

    page.locator("main summary").filter(has_text="More").click()
    page.get_by_role("button", name="Close the class").click()
    expect(page.get_by_text("The class is closed")).to_be_visible()
    late = new_page(width=375)
    late.goto(f"/class/{code}")
    expect(late.get_by_text(f"No open class has the code “{code}”.")).to_be_visible()


def test_the_pages_of_a_class_look_right_and_a_hand_out_has_its_answers_overleaf(
    page: Page, boards: list[Board]
) -> None:
    lesson = lesson_of(page, boards)
    page.goto(f"/account/collections/{lesson.pk}/classes")
    page.get_by_role("button", name="Open a class").click()
    code = page.get_by_label("The link for the class").input_value().rpartition("/")[2]
    desk = page.url
    begin(page, code)
    say(page, "one club")
    handout = f"/lessons/{lesson.pk}/hand-out"
    pages = ("/class", "/class/NOSUCHCODE", f"/account/collections/{lesson.pk}/classes", desk, handout)
    assert problems_at(page, *pages) == {}
    page.goto(handout)
    assert [count_pages(page.pdf(format=paper)) for paper in ("A4", "Letter")] == [4, 4]
