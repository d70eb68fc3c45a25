"""Stepping and practice in a real browser: by links, by keyboard and by the arrow keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from boards.models import Board
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.visits import ask_the_worker, played_board

CALLS = "1NT Pass 2C Pass 2S Pass Pass Pass"


@pytest.fixture
def board(transactional_db: None) -> Board:
    return factories.board(seed=5, number=3, calls=CALLS)


def test_one_press_is_one_answer_to_the_end_of_a_board_by_keyboard(phone: Page, board: Board) -> None:
    """South is asked at the steps 0 and 4, and leads nothing: two presses, and the next board."""
    phone.goto(f"/practice/{board.pk}?step=0")
    phone.get_by_role("button", name="one no trump", exact=True).press("Enter")
    reply = phone.get_by_role("group", name="Your answer")
    expect(reply).to_be_in_viewport()
    expect(reply).to_be_focused()
    expect(reply).to_contain_text(", as at the table")
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are South. What do you call?")
    phone.get_by_role("button", name="Pass", exact=True).press("Enter")
    expect(reply).to_contain_text("1 of 2 as at the table.")
    expect(phone.get_by_role("link", name="Next board")).to_be_visible()
    expect(phone.get_by_text("Arrow keys")).to_be_hidden()


def test_the_arrow_keys_step_but_not_in_a_field_and_not_with_other_keys(page: Page, board: Board) -> None:
    steps = (f"/boards/{board.pk}?step=0", "Call 1", "Call 2", "step=1#back$")
    practice = (f"/practice/{board.pk}?step=0", "South called 1", "South called 2", "said=-&step=0#back$")
    for path, first, second, end in (steps, practice):
        page.goto(path)
        for key, shown in (("ArrowRight", first), ("ArrowRight", second), ("ArrowLeft", first)):
            page.keyboard.press(key)
            expect(page.get_by_text(shown)).to_be_visible()
        page.keyboard.press("Control+ArrowRight")
        page.evaluate("document.querySelector('main').append(document.createElement('input'))")
        page.locator("main > input").press("ArrowRight")
        expect(page).to_have_url(re.compile(end))


@pytest.mark.parametrize("width", [375, 1280])
def test_the_controls_stay_where_they_are_while_one_steps_and_while_cards_are_played_and_costs_appear(
    width: int, new_page: NewPage, board: Board
) -> None:
    def place() -> tuple[int, int]:
        return tuple(page.locator("#next").evaluate("it => [it.offsetLeft, it.offsetTop]"))

    page = new_page(width=width)
    places = set()
    for step in range(1, 8):
        page.goto(f"/boards/{board.pk}?step={step}")
        places.add(place())
    assert len(places) == 1

    played = played_board(5, 3, CALLS)
    page.goto(f"/boards/{played.pk}?step=8")
    places = set()
    for step in range(9, 25):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(f"step={step}#next$"))
        places.add(place())
    page.get_by_role("button", name="What does each card cost?").click()
    expect(page.get_by_text("What each card costs is being computed.")).to_be_visible()
    ask_the_worker()
    expect(page.get_by_text(re.compile("to play. With all cards seen"))).to_be_visible()
    places.add(place())
    assert len(places) == 1
