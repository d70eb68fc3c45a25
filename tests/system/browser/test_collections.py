"""A teacher makes a lesson of a search, reorders it by keyboard, prints it, shares it by link and practises it."""

import re

import pytest
from playwright.sync_api import Page, expect

from boards.models import Board, Collection
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, problems_at
from tests.system.browser.paper import count_pages
from tests.system.browser.visits import sign_in

CALLS = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"


@pytest.fixture
def boards(transactional_db: None) -> list[Board]:
    return [
        factories.board(seed=number, number=number, calls=CALLS, title=f"Lesson board {number}")
        for number in (1, 5, 9, 13, 17, 21)
    ]


def expect_order(page: Page, *numbers: int) -> None:
    expect(page.locator("#places h3 a")).to_have_text([f"Lesson board {number}" for number in numbers])


def press(page: Page, name: str) -> None:
    """Press a button by keyboard, and before the one that folds it, where it is under "More"."""
    if not name.startswith(("Up", "Down")):
        page.locator("summary").filter(has_text=f"More to do with {name[name.index('board') :]}").press("Enter")
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_a_teacher_makes_a_lesson_of_a_search_reorders_prints_shares_and_practises_it(
    phone: Page, new_page: NewPage, boards: list[Board]
) -> None:
    factories.board(seed=99, number=2, title="Not of this lesson")
    sign_in(phone, "/boards")
    phone.get_by_label("Search", exact=True).fill("dealer=N")
    phone.get_by_role("button", name="Search").click()
    phone.locator("main summary").filter(has_text="More").click()
    phone.get_by_role("link", name="Make a collection of these boards").click()
    expect(phone.get_by_text("It starts with 6 boards. A collection can have 300.")).to_be_visible()
    phone.get_by_label("Lesson board 21").uncheck()
    phone.get_by_label("Title").fill("Stayman on Tuesday")
    phone.get_by_label("Language of these texts").fill("en")
    phone.get_by_role("button", name="Make the collection").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Stayman on Tuesday")
    expect_order(phone, 17, 13, 9, 5, 1)
    order(phone, boards)
    exchange(phone, boards)

    path = f"/collections/{Collection.objects.get().pk}"
    student = new_page(width=375, javascript=False)
    student.goto(path)
    expect(student.get_by_role("heading", level=1)).to_have_text("There is no such page")
    phone.get_by_text("Title, description, and who may read it").click()
    phone.get_by_label("Who may read it").select_option("link")
    phone.get_by_role("button", name="Save these texts").click()
    expect(phone.get_by_text("Saved.")).to_be_visible()
    expect(phone.get_by_label("Link to share")).to_have_value(f"http://testserver{path}")
    learn(student, path, [boards[number] for number in (0, 1, 3, 4, 5)])


def order(phone: Page, boards: list[Board]) -> None:
    """Write notes and move boards by each of the buttons, which keep the place and the focus."""
    phone.get_by_role("textbox", name="Note on board 4").fill("Then this one.")
    phone.get_by_role("textbox", name="Note on board 5").fill("Begin here: 4-4 fits.")
    press(phone, "To the top with board 5")
    expect(phone).to_have_url(re.compile(f"#board-{boards[0].pk}$"))
    expect(phone.locator(f"#board-{boards[0].pk}")).to_be_in_viewport()
    expect_order(phone, 1, 17, 13, 9, 5)
    expect(phone.get_by_role("textbox", name="Note on board 5")).to_have_value("Then this one.")
    press(phone, "Down with board 2")
    expect_order(phone, 1, 13, 17, 9, 5)
    expect(phone.get_by_role("button", name="Down with board 3")).to_be_focused()  # the same board's, where it is now
    phone.keyboard.press("Enter")
    expect_order(phone, 1, 13, 9, 17, 5)
    press(phone, "Up with board 4")
    phone.get_by_role("spinbutton", name="Position of board 5").fill("2")
    press(phone, "Save, and come back here to board 5")
    expect_order(phone, 1, 5, 13, 17, 9)


def exchange(phone: Page, boards: list[Board]) -> None:
    """Take a board out, put it back with its note, and take another one for the last."""
    press(phone, "Remove board 1")
    expect_order(phone, 5, 13, 17, 9)
    phone.get_by_role("button", name="Put it back").press("Enter")
    expect_order(phone, 1, 5, 13, 17, 9)
    expect(phone.get_by_role("textbox", name="Note on board 1")).to_have_value("Begin here: 4-4 fits.")
    press(phone, "Remove board 5")
    phone.get_by_text("Add a board").click()
    phone.get_by_label("Its address, or words to search for").fill(f"http://testserver/boards/{boards[5].pk}?step=2")
    phone.get_by_role("button", name="Find").click()
    phone.get_by_role("button", name="Add Lesson board 21").click()
    expect(phone.get_by_text("In this collection")).to_be_visible()
    expect_order(phone, 1, 5, 13, 17, 21)


def learn(student: Page, path: str, boards: list[Board]) -> None:
    """Open a collection by its link as a stranger, practise all of it, and print it."""
    student.goto(path)
    expect(student.get_by_role("heading", level=1)).to_have_text("Stayman on Tuesday")
    expect(student.get_by_text("Begin here: 4-4 fits.")).to_be_visible()
    expect(student.get_by_role("link", name="Change this collection")).to_have_count(0)
    student.get_by_role("link", name="Practise these boards").click()
    for board in boards:
        expect(student).to_have_url(re.compile(f"/practice/{board.pk}"))
        student.goto(f"{student.url}&step=end")
        student.get_by_role("link", name="Next board of this collection").click()
    student.get_by_role("link", name="Back to the collection").click()
    expect(student).to_have_url(path)
    student.goto("/collections")
    expect(student.get_by_text("There are no public collections yet.")).to_be_visible()
    student.goto(path)
    student.locator("main summary").filter(has_text="More").click()
    student.get_by_role("link", name="Print hand records").click()
    expect(student.locator(".record")).to_have_count(5)
    assert count_pages(student.pdf(format="A4")) == 1


def test_the_pages_of_collections_look_right(new_page: NewPage, boards: list[Board]) -> None:
    page = new_page(reduced_motion="reduce")
    sign_in(page, "/collections")
    own = "/account/collections"
    assert problems_at(page, f"{own}/new?board={boards[0].pk}", own, f"{own}/add?board={boards[1].pk}") == {}
    page.goto(f"{own}/new?search=dealer%3DN")
    page.get_by_label("Title").fill("A lesson " * 20)
    page.get_by_label("Language of these texts").fill("not a language")
    page.get_by_role("button", name="Make the collection").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert find_problems(page) == []
    page.get_by_label("Language of these texts").fill("fr")
    page.get_by_label("Who may read it").select_option("public")
    page.get_by_label("Description").fill("Un\n\ndeux")
    page.get_by_role("button", name="Make the collection").click()
    assert find_problems(page) == []
    page.locator("summary").filter(has_text="More to do with board 2").click()
    page.get_by_role("button", name="Remove board 2").click()
    expect(page.get_by_role("button", name="Put it back")).to_be_visible()
    page.goto(f"{page.url.partition('#')[0]}?find=lesson#add")
    assert find_problems(page) == []
    public = f"/collections/{Collection.objects.get().pk}"
    pages = (f"/account{public}/delete", public, "/collections", f"{public}/print", f"{public}/embed", own)
    assert problems_at(page, *pages) == {}
