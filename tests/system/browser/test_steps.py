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


def test_the_enter_key_goes_on_and_on_since_the_same_link_has_the_focus(page: Page, board: Board) -> None:
    page.goto(f"/practice/{board.pk}")
    page.locator("#next").press("Enter")
    for step in (2, 3, 4):
        expect(page.locator("#next")).to_be_focused()
        expect(page.locator("#next")).to_have_accessible_description(re.compile(rf"^Call {step - 1}\. "))
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"step={step}#next$"))


def test_a_reader_answers_by_keyboard_and_the_reply_has_the_focus(phone: Page, board: Board) -> None:
    phone.goto(f"/practice/{board.pk}?step=4")
    phone.get_by_role("button", name="two spades", exact=True).press("Enter")
    reply = phone.get_by_role("group", name="Your answer")
    expect(reply).to_be_in_viewport()
    expect(reply).to_be_focused()
    expect(reply).to_contain_text(", as at the table")
    expect(phone.get_by_text("Arrow keys")).to_be_hidden()
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("link", name="Go on").last).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("Call 5. South: 2")).to_be_visible()


def test_the_arrow_keys_step_but_not_in_a_field_and_not_with_other_keys(page: Page, board: Board) -> None:
    for path in (f"/boards/{board.pk}?step=0", f"/practice/{board.pk}"):
        page.goto(path)
        for key, shown in (("ArrowRight", "Call 1"), ("ArrowRight", "Call 2"), ("ArrowLeft", "Call 1")):
            page.keyboard.press(key)
            expect(page.get_by_text(shown)).to_be_visible()
        page.keyboard.press("Control+ArrowRight")
        page.evaluate("document.querySelector('main').append(document.createElement('input'))")
        page.locator("main > input").press("ArrowRight")
        expect(page).to_have_url(re.compile("step=1#back$"))


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
