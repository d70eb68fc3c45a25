"""A board in a frame on another site, in a real browser."""

from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board
from tests import factories
from tests.bridge_strategies import random_play
from tests.system.browser.conftest import NewPage
from tests.system.browser.other_site import OtherSite


@pytest.fixture
def board(transactional_db: None) -> Board:
    calls = "1NT Pass 3NT Pass Pass Pass"
    record = factories.record(seed=5, number=1, calls=calls)
    play = random_play(record.layout, record.contract, 52, Random(1))
    return factories.board(seed=5, number=1, calls=calls, play=play, title="A board that travels")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_reader_steps_through_a_board_in_a_frame_of_another_site(
    javascript: bool, new_page: NewPage, live_server: LiveServer, other_site: OtherSite, board: Board
) -> None:
    page = new_page(javascript=javascript)
    page.goto(other_site.show(f"{live_server.url}/boards/{board.pk}/embed"))
    frame = page.frame_locator("iframe")
    page.locator("iframe").scroll_into_view_if_needed()
    frame.get_by_role("link", name="Step through it").click()
    expect(frame.get_by_text("Before the auction")).to_be_visible()
    frame.get_by_role("link", name="Next").click()
    expect(frame.get_by_text("Call 1 of 6.")).to_be_visible()
    frame.get_by_role("link", name="Next").focus()
    expect(frame.get_by_role("link", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(frame.get_by_text("Call 2 of 6.")).to_be_visible()
    frame.get_by_role("link", name="Back").click()
    expect(frame.get_by_text("Call 1 of 6.")).to_be_visible()
    frame.get_by_role("link", name="Show everything").click()
    expect(frame.get_by_role("link", name="Step through it")).to_be_visible()
    expect(page).to_have_url(other_site.url)
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="On Bridge Boards").click()
    assert opened.value.url.endswith(f"/boards/{board.pk}")


def test_a_step_does_not_move_the_page_around_the_frame(
    page: Page, live_server: LiveServer, other_site: OtherSite, board: Board
) -> None:
    page.goto(other_site.show(f"{live_server.url}/boards/{board.pk}/embed?step=1"))
    page.locator("iframe").scroll_into_view_if_needed()
    frame = page.frame_locator("iframe")
    before = page.evaluate("scrollY")
    frame.get_by_role("link", name="Next").click()
    expect(frame.get_by_text("Call 2 of 6.")).to_be_visible()
    assert page.evaluate("scrollY") == before > 0


@pytest.mark.parametrize("ending", ["", "?step=1", ".txt"])
def test_no_other_page_of_a_board_is_shown_in_a_frame(
    ending: str, browser: Browser, live_server: LiveServer, other_site: OtherSite, board: Board
) -> None:
    page = browser.new_context().new_page()
    refusals: list[str] = []
    page.on("console", lambda message: refusals.append(message.text))
    page.goto(other_site.show(f"{live_server.url}/boards/{board.pk}{ending}"))
    expect(page.frame_locator("iframe").get_by_text("A board that travels")).to_have_count(0)
    page.context.close()
    assert any("frame-ancestors 'none'" in text or "X-Frame-Options" in text for text in refusals)


@pytest.mark.parametrize(("width", "height"), [(640, 620), (320, 900)])
def test_hands_and_auction_fit_into_a_frame(
    width: int, height: int, new_page: NewPage, live_server: LiveServer, board: Board
) -> None:
    page = new_page(width=width)
    page.set_viewport_size({"width": width, "height": height})
    for query in ("", "?step=6", "?step=end"):
        page.goto(f"{live_server.url}/boards/{board.pk}/embed{query}")
        size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(size) == [width, height]
