"""A teacher with a phone: from a theme to questions about its boards, and from a board to a page of another site."""

import re
from random import Random

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.days import keep_board_of_the_day
from boards.models import Board
from config.worker.shutdown import ShutdownRequest
from deals.bridge.auction import Auction, Call
from deals.bridge.seats import Seat
from deals.solver.worker import Worker
from tests import factories
from tests.bridge_strategies import random_play
from tests.deals.solver.solvers import real_solver
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.other_site import OtherSite

CALLS = "2S Pass 4S Pass Pass Pass"
LESSONS = {"beginner": "Lead from a sequence", "intermediate": "A quiet lead", "expert": "Who has the ace?"}
"""The titles of the boards by difficulty."""


@pytest.fixture
def lessons(transactional_db: None) -> list[Board]:
    """Store boards of a theme, from hard to easy and the newest without a difficulty. East declares, South leads."""
    weak_two = factories.theme(
        "weak_two", labels={"en": "Weak two"}, description={"en": "An opening with a six-card suit and few points."}
    )
    auction = Auction(
        Seat.EAST,
        tuple(Call(call, explanation="Six spades, 6 to 10 points" * (call == "2S")) for call in CALLS.split()),
    )
    boards = []
    for seed, (difficulty, title) in enumerate([*reversed(LESSONS.items()), ("", "Another one")], 1):
        cards = factories.record(seed, 2, CALLS)
        assert cards.contract
        play = random_play(cards.layout, cards.contract, 52, Random(seed))
        board = factories.board(
            seed, number=2, auction=auction, play=play, title=title, difficulty=difficulty, themes=(weak_two,)
        )
        boards.append(board)
    return boards


def ask_the_worker() -> None:
    Worker(real_solver(), ShutdownRequest()).run(once=True)


def problems_of(page: Page, address: str) -> list[str]:
    """Return the problems of a page. It takes a browser with JavaScript, in which they are looked for."""
    page.goto(address)
    return find_problems(page)


def press(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("link", name=name, exact=True).last.click()


def step_in_a_frame(page: Page, other_site: OtherSite, frame_markup: str) -> None:
    """Show a board in a frame of another site, and make two steps there."""
    page.goto(other_site.show_frame(frame_markup))
    page.locator("iframe").scroll_into_view_if_needed()
    frame = page.frame_locator("iframe")
    frame.get_by_role("link", name="Step through it").click()
    expect(frame.get_by_text("Before the auction")).to_be_visible()
    frame.get_by_role("link", name="Next").click()
    expect(frame.get_by_text("Call 1 of 6.")).to_be_visible()
    frame.get_by_role("link", name="Next").click()
    expect(frame.get_by_text("Call 2 of 6.")).to_be_visible()
    expect(page).to_have_url(other_site.url)


def test_a_teacher_asks_pupils_for_calls_and_a_lead_and_shows_the_board_on_another_site(
    new_page: NewPage, live_server: LiveServer, other_site: OtherSite, lessons: list[Board], settings: LazySettings
) -> None:
    settings.PUBLIC_BASE_URL = live_server.url
    ask_the_worker()
    page = new_page(width=375, javascript=False)
    heading, main = page.get_by_role("heading", level=1), page.locator("main")
    page.goto(live_server.url)
    page.get_by_role("link", name="Themes", exact=True).first.click()
    page.get_by_role("link", name="Weak two", exact=True).click()
    expect(heading).to_have_text("Weak two")
    expect(main).to_contain_text("Difficulty: beginner 1, intermediate 1, expert 1")
    expect(main).to_contain_text("Of 4 contracts with a result 0 made and 4 went down")

    page.get_by_role("link", name="Practise from easy to hard").click()
    expect(heading).to_have_text("Practice board")
    for secret in LESSONS.values():
        expect(main).not_to_contain_text(secret)
    press(page, "Next call")
    page.get_by_role("button", name="Pass", exact=True).click()
    reply = page.get_by_role("group", name="Your answer")
    expect(reply).to_contain_text("the same as South called at the table")
    expect(reply).to_contain_text("Readers said so far: Pass: 1")
    page.get_by_role("link", name="Back", exact=True).click()
    press(page, "Next call")
    page.get_by_role("button", name="three hearts", exact=True).click()
    expect(reply).to_contain_text("At the table South called Pass. You said 3")
    expect(reply).to_contain_text(re.compile("Pass: 1, .*three hearts: 1"))
    press(page, "Go on")
    for name in ("Next call", "Next call", "Next call", "Show the call"):
        press(page, name)

    expect(main).to_contain_text("You lead. Which card?")
    page.locator("form.question button").first.click()
    expect(reply).to_contain_text("What each lead costs is being computed.")
    ask_the_worker()
    press(page, "Look again")
    expect(reply).to_contain_text(re.compile("Each lead, with all cards seen: .*cost"))
    assert problems_of(new_page(), page.url) == []
    press(page, "Show all hands")
    expect(heading).to_have_text(LESSONS["beginner"])
    expect(page.locator("ul.verdict")).to_contain_text("With all cards seen")
    assert problems_of(new_page(), page.url) == []

    press(page, "The board's own page")
    page.get_by_text("Share", exact=True).click()
    frame_markup = page.get_by_label("For a page of yours, a frame").input_value()
    step_in_a_frame(page, other_site, frame_markup)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_the_board_of_the_day_leads_to_practice(
    new_page: NewPage, live_server: LiveServer, lessons: list[Board]
) -> None:
    assert keep_board_of_the_day()
    page = new_page(width=375, javascript=False)
    page.goto(live_server.url)
    page.get_by_role("link", name="Board of the day", exact=True).click()
    expect(page.locator("main")).to_contain_text("You are South.")
    for secret in (*LESSONS.values(), "Another one"):
        expect(page.locator("main")).not_to_contain_text(secret)
    page.get_by_role("link", name="Practise it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Practice board")
    press(page, "Next call")
    expect(page.get_by_text("It is your turn.")).to_be_visible()
