"""A teacher makes a lesson of a search, reorders it by keyboard, prints it, shares it by link and practises it."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board, Collection
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.paper import count_pages
from tests.system.browser.test_members import sign_in

CALLS = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"


@pytest.fixture
def boards(transactional_db: None) -> list[Board]:
    return [
        factories.board(seed=number, number=number, calls=CALLS, title=f"Lesson board {number}")
        for number in (1, 5, 9, 13, 17, 21)
    ]


def expect_order(page: Page, *numbers: int) -> None:
    expect(page.locator(".rows h3 a")).to_have_text([f"Lesson board {number}" for number in numbers])


def press(page: Page, name: str) -> None:
    """Press a button by keyboard."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_a_teacher_makes_a_lesson_reorders_prints_shares_and_practises_it(
    new_page: NewPage, live_server: LiveServer, boards: list[Board]
) -> None:
    factories.board(seed=99, number=2, title="Not of this lesson")
    page = new_page(width=375, javascript=False)
    sign_in(page, live_server, "/boards?dealer=N")
    page.get_by_role("link", name="Make a collection of these boards").click()
    expect(page.get_by_text("It begins with 6 boards. A collection has 300 at most.")).to_be_visible()
    page.get_by_label("Title").fill("Stayman on Tuesday")
    page.get_by_label("Language of these texts").fill("en")
    page.get_by_role("button", name="Make the collection").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Stayman on Tuesday")
    expect_order(page, 21, 17, 13, 9, 5, 1)

    page.get_by_role("textbox", name="Note on board 5").fill("Then this one.")
    page.get_by_role("textbox", name="Note on board 6").fill("Begin here: 4-4 fits.")
    press(page, "Move board 6 to the top")
    row = page.locator(f"#board-{boards[0].pk}")
    expect(page).to_have_url(re.compile(f"#top-{boards[0].pk}$"))
    expect(row).to_be_in_viewport()
    expect_order(page, 1, 21, 17, 13, 9, 5)
    expect(page.get_by_role("textbox", name="Note on board 6")).to_have_value("Then this one.")
    page.get_by_role("button", name="Move board 2 down").focus()
    page.keyboard.press("Enter")
    expect_order(page, 1, 17, 21, 13, 9, 5)
    moved = page.get_by_role("button", name="Move board 3 down")
    expect(moved).to_be_focused()  # the same board's, where it is now
    page.keyboard.press("Enter")
    expect_order(page, 1, 17, 13, 21, 9, 5)
    press(page, "Move board 4 up")
    page.get_by_role("spinbutton", name="Position of board 6").fill("2")
    press(page, "Save all notes and positions, then board 6 again")
    expect_order(page, 1, 5, 17, 21, 13, 9)
    press(page, "Take board 6 out")
    expect_order(page, 1, 5, 17, 21, 13)

    page.get_by_text("Title, description, and who may read it").click()
    page.get_by_label("Who may read it").select_option("link")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    address = page.get_by_label("Its address, to share").input_value()
    path = address.removeprefix("http://testserver")
    assert path == f"/collections/{Collection.objects.get().pk}"

    learn(new_page(width=375, javascript=False), live_server.url, path, [boards[n] for n in (0, 1, 4, 5, 3)])


def learn(student: Page, site: str, path: str, boards: list[Board]) -> None:
    """Open a collection by its link as a stranger, practise all of it, and print it."""
    student.goto(site + path)
    expect(student.get_by_role("heading", level=1)).to_have_text("Stayman on Tuesday")
    expect(student.get_by_text("Begin here: 4-4 fits.")).to_be_visible()
    expect(student.get_by_role("link", name="Change this collection")).to_have_count(0)
    student.get_by_role("link", name="Practise these boards").click()
    seen = []
    while "/practice/" in student.url:
        seen.append(student.url.split("/practice/")[1].split("?")[0])
        student.goto(f"{student.url}&step=end")
        student.get_by_role("link", name="Next board of this collection").click()
    assert seen == [str(board.pk) for board in boards]
    student.get_by_role("link", name="Back to the collection").click()
    expect(student).to_have_url(site + path)
    student.goto(f"{site}/collections")
    expect(student.get_by_text("There are no public collections yet.")).to_be_visible()
    student.goto(f"{site}{path}/print")
    assert student.locator(".record").count() == 5 and count_pages(student.pdf(format="A4")) == 1


def test_the_pages_of_collections_look_right(new_page: NewPage, live_server: LiveServer, boards: list[Board]) -> None:
    page = new_page()
    sign_in(page, live_server, "/collections")
    for path in (
        f"/account/collections/new?board={boards[0].pk}",
        "/account/collections",
        f"/account/collections/add?board={boards[1].pk}",
    ):
        page.goto(live_server.url + path)
        assert find_problems(page) == []
    page.goto(f"{live_server.url}/account/collections/new?search=dealer%3DN")
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
    key = Collection.objects.get().pk
    paths = (f"/account/collections/{key}/delete", f"/collections/{key}", "/collections", f"/collections/{key}/print")
    for path in (*paths, f"/collections/{key}/embed", "/account/collections"):
        page.goto(live_server.url + path)
        assert find_problems(page) == []
