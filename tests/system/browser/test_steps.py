"""Stepping and practice in a real browser: by links, by keyboard and by the arrow keys."""

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board
from config.worker.shutdown import ShutdownRequest
from deals.solver.worker import Worker
from tests import factories
from tests.bridge_strategies import random_play
from tests.deals.solver.solvers import real_solver
from tests.system.browser.conftest import NewPage

CALLS = "1NT Pass 2C Pass 2S Pass Pass Pass"


@pytest.fixture
def board(transactional_db: None) -> Board:
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    factories.board(seed=6, number=3, calls=CALLS, title="An older board", themes=(theme,))
    return factories.board(seed=5, number=3, calls=CALLS, title="A spoiler", themes=(theme,))


def test_a_reader_practises_a_board_and_goes_on_to_the_next_without_javascript(
    new_page: NewPage, live_server: LiveServer, board: Board
) -> None:
    page = new_page(width=375, javascript=False)
    page.goto(f"{live_server.url}/boards?theme=stayman")
    page.get_by_role("link", name="Practise these boards").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Practice board")
    expect(page.get_by_text("It is your turn.")).to_be_visible()
    for _ in CALLS.split():
        expect(page.get_by_text("A spoiler")).to_have_count(0)
        page.locator("#next").click()
    expect(page.get_by_text("Contract: 2")).to_be_visible()
    expect(page.get_by_text("Arrow keys")).to_be_hidden()
    page.get_by_role("link", name="Show all hands").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A spoiler")
    page.get_by_role("link", name="Next board of this theme").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Practice board")
    page.get_by_role("link", name="End").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("An older board")
    page.get_by_role("link", name="Next board of this theme").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("That was the last board")


def test_the_enter_key_goes_on_and_on_since_the_same_link_has_the_focus(
    page: Page, live_server: LiveServer, board: Board
) -> None:
    page.goto(f"{live_server.url}/practice/{board.pk}")
    page.locator("#next").press("Enter")
    for step in (2, 3, 4):
        expect(page.locator("#next")).to_be_focused()
        expect(page.locator("#next")).to_have_accessible_description(re.compile(rf"^Call {step - 1}\. "))
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"step={step}#next$"))


def test_a_reader_answers_by_keyboard_and_the_reply_has_the_focus(
    new_page: NewPage, live_server: LiveServer, board: Board
) -> None:
    page = new_page(width=375, javascript=False)
    page.goto(f"{live_server.url}/practice/{board.pk}?step=4")
    page.get_by_role("button", name="two spades", exact=True).press("Enter")
    reply = page.get_by_role("group", name="Your answer")
    expect(reply).to_be_in_viewport()
    expect(reply).to_be_focused()
    expect(reply).to_contain_text("the same as South called at the table")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Go on").last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Call 5. South: 2")).to_be_visible()


@pytest.mark.parametrize("path", ["/boards/{}?step=0", "/practice/{}"])
def test_the_arrow_keys_step_but_not_in_a_field_and_not_with_other_keys(
    path: str, page: Page, live_server: LiveServer, board: Board
) -> None:
    page.goto(live_server.url + path.format(board.pk))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Call 1")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Call 2")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Call 1")).to_be_visible()
    page.keyboard.press("Control+ArrowRight")
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    page.locator("main > input").press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1#back$"))


@pytest.mark.parametrize("width", [375, 1280])
def test_the_controls_of_the_steps_stay_where_they_are(
    width: int, new_page: NewPage, live_server: LiveServer, board: Board
) -> None:
    page = new_page(width=width)
    places = set()
    for step in range(1, 8):
        page.goto(f"{live_server.url}/boards/{board.pk}?step={step}")
        box = page.locator("#next").bounding_box()
        assert box
        places.add((box["x"], box["y"]))
    assert len(places) == 1


@pytest.mark.parametrize("width", [375, 1280])
def test_the_controls_stay_where_they_are_while_cards_are_played_and_costs_appear(
    width: int, new_page: NewPage, live_server: LiveServer, transactional_db: None
) -> None:
    record = factories.record(seed=5, number=3, calls=CALLS)
    play = random_play(record.layout, record.contract, 52, Random(1))
    board = factories.board(seed=5, number=3, calls=CALLS, play=play)
    page = new_page(width=width)
    page.goto(f"{live_server.url}/boards/{board.pk}?step=8")
    places = set()
    for step in range(9, 25):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(f"step={step}#next$"))
        box = page.locator("#next").evaluate("it => [it.offsetLeft, it.offsetTop]")
        places.add(tuple(box))
    assert len(places) == 1
    page.get_by_role("button", name="What does each card cost?").click()
    expect(page.get_by_text("What each card costs is being computed.")).to_be_visible()
    ask_the_worker()
    expect(page.get_by_text(re.compile("to play. With all cards seen"))).to_be_visible()
    places.add(tuple(page.locator("#next").evaluate("it => [it.offsetLeft, it.offsetTop]")))
    assert len(places) == 1


def ask_the_worker() -> None:
    Worker(real_solver(), ShutdownRequest()).run(once=True)


def test_filters_are_folded_on_a_phone_and_open_on_a_desk(
    new_page: NewPage, live_server: LiveServer, board: Board
) -> None:
    phone, desk = (new_page(width=width, javascript=False) for width in (375, 1280))
    for page in (phone, desk):
        page.goto(f"{live_server.url}/boards")
    dealer = phone.get_by_role("combobox", name="Dealer")
    expect(dealer).to_be_hidden()
    phone.get_by_text("Filter and sort").focus()
    phone.keyboard.press("Enter")
    expect(dealer).to_be_visible()
    expect(desk.get_by_role("combobox", name="Dealer")).to_be_visible()
    expect(desk.get_by_text("Filter and sort")).to_be_hidden()
    desk.get_by_role("link", name="How to search").focus()
    desk.keyboard.press("Tab")
    expect(desk.get_by_role("combobox", name="Event", exact=True)).to_be_focused()
    phone.goto(f"{live_server.url}/boards?dealer=Z")
    expect(phone.get_by_role("combobox", name="Dealer")).to_be_visible()
