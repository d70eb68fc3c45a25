"""A teacher with a phone: from a theme to questions about its boards, and from a board to a page of another site."""

import re
from random import Random

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board
from bridge.auction import Auction, Call
from bridge.seats import Seat
from tests import factories
from tests.bridge.strategies import random_play
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import problems_at
from tests.system.browser.other_site import OtherSite
from tests.system.browser.visits import ask_the_worker, open_menu, press

CALLS = "2S Pass 4S Pass Pass Pass"
LESSONS = {"beginner": "Lead from a sequence", "intermediate": "A quiet lead", "expert": "Who has the ace?"}
"""The titles of the boards by difficulty."""


@pytest.fixture
def lessons(transactional_db: None) -> list[Board]:
    """Store boards of a theme, from hard to easy and the newest without a difficulty. East declares, South leads."""
    weak_two = factories.theme(
        "weak_two", labels={"en": "Weak two"}, description={"en": "An opening with a six-card suit and few points."}
    )
    notes = {"2S": "Six spades, 6 to 10 points"}
    auction = Auction(Seat.EAST, tuple(Call(call, explanation=notes.get(call, "")) for call in CALLS.split()))
    boards = []
    for seed, (difficulty, title) in enumerate([*reversed(LESSONS.items()), ("", "Another one")], 1):
        cards = factories.record(seed, 2, CALLS)
        assert cards.contract
        texts = {"title": title, "difficulty": difficulty, "themes": (weak_two,)}
        play = random_play(cards.layout, cards.contract, 52, Random(seed))
        boards.append(factories.board(seed, number=2, auction=auction, play=play, **texts))
    return boards


def test_a_teacher_asks_pupils_for_calls_and_a_lead_and_shows_the_board_on_another_site(
    phone: Page,
    page: Page,
    live_server: LiveServer,
    other_site: OtherSite,
    lessons: list[Board],
    settings: LazySettings,
) -> None:
    settings.PUBLIC_BASE_URL = live_server.url
    ask_the_worker()
    heading, main = phone.get_by_role("heading", level=1), phone.locator("main")
    phone.goto("/")
    open_menu(phone)
    phone.get_by_role("link", name="Themes", exact=True).click()
    press(phone, "Weak two")
    expect(heading).to_have_text("Weak two")
    expect(phone.get_by_role("list", name="Difficulty")).to_have_text("Beginner 1 Intermediate 1 Expert 1")
    expect(main).to_contain_text("Of 4 contracts with a result 0 made and 4 went down")

    press(phone, "Practise from easy to hard")
    lead = answer(phone)
    expect(heading).to_have_text(LESSONS["beginner"])
    expect(phone.get_by_role("heading", name="With all cards seen")).to_be_visible()
    expect(phone.locator("ul.says li").first).to_be_visible()
    assert problems_at(page, lead, phone.url) == {}

    phone.get_by_text("More", exact=True).first.click()
    press(phone, "The board's own page")
    phone.get_by_text("Share", exact=True).click()
    phone.goto(other_site.show_frame(phone.get_by_label("Frame for your own website").input_value()))
    phone.locator("iframe").scroll_into_view_if_needed()
    frame = phone.frame_locator("iframe")
    for link, shown in (*(("Step through", "Before the auction"), ("Next", "Call 1 of 6."), ("Next", "Call 2 of 6.")),):
        frame.get_by_role("link", name=link).click()
        expect(frame.get_by_text(shown)).to_be_visible()
    expect(phone).to_have_url(other_site.url)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 375


def answer(phone: Page) -> str:
    """Answer a call twice, and a lead from another seat. Return the address of the reply, which shows all hands."""
    main = phone.locator("main")
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are East. What do you call?")
    for secret in LESSONS.values():
        expect(main).not_to_contain_text(secret)
    phone.get_by_role("button", name="two spades", exact=True).click()
    reply = phone.get_by_role("group", name="Your answer")
    expect(reply).to_contain_text(re.compile("You said 2.*, as at the table"))
    expect(reply).to_contain_text(re.compile("Readers said so far: .*two spades: 1"))
    press(phone, "Back")
    phone.get_by_role("button", name="three hearts", exact=True).click()
    expect(reply).to_contain_text(re.compile(r"You said 3\S*three hearts\.\s+At the table East called 2"))
    expect(reply).to_contain_text(re.compile("two spades: 1, .*three hearts: 1"))
    press(phone, "South", "Show the call")

    expect(main).to_contain_text("Which card do you lead?")
    phone.locator(".leads button").first.click()
    expect(reply).to_contain_text("What each lead costs is being computed.")
    ask_the_worker()
    press(phone, "Look again")
    expect(reply).to_contain_text(re.compile("Each lead, with all cards seen: .*cost"))
    return phone.url


# --- A board in a frame of another site ----------------------------------------------------------------------------


@pytest.fixture
def embedded(lessons: list[Board], live_server: LiveServer) -> str:
    """Return the address of a board for frames."""
    return f"{live_server.url}/boards/{lessons[0].pk}/embed"


@pytest.mark.parametrize("javascript", [True, False])
def test_a_reader_steps_through_a_board_in_a_frame_of_another_site(
    javascript: bool, new_page: NewPage, other_site: OtherSite, embedded: str
) -> None:
    page = new_page(javascript=javascript)
    page.goto(other_site.show(embedded))
    page.locator("iframe").scroll_into_view_if_needed()
    before = page.evaluate("scrollY") if javascript else 0
    frame = page.frame_locator("iframe")
    frame.get_by_role("link", name="Step through").click()
    expect(frame.get_by_text("Before the auction")).to_be_visible()
    frame.get_by_role("link", name="Next").click()
    expect(frame.get_by_text("Call 1 of 6.")).to_be_visible()
    frame.get_by_role("link", name="Next").focus()
    expect(frame.get_by_role("link", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(frame.get_by_text("Call 2 of 6.")).to_be_visible()
    assert not javascript or page.evaluate("scrollY") == before > 0, "a step does not move the page around the frame"
    frame.get_by_role("link", name="Back", exact=True).click()
    expect(frame.get_by_text("Call 1 of 6.")).to_be_visible()
    frame.get_by_role("link", name="Show everything").click()
    expect(frame.get_by_role("link", name="Step through")).to_be_visible()
    expect(page).to_have_url(other_site.url)
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="On Bridge Boards").click()
    assert opened.value.url == embedded.removesuffix("/embed")


def test_hands_and_auction_fit_into_a_frame(page: Page, embedded: str) -> None:
    for width, height in ((640, 620), (320, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for query in ("", "?step=6", "?step=end"):
            page.goto(embedded + query)
            size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            assert page.evaluate(size) == [width, height], query
