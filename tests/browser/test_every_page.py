"""What holds for pages that belong to no app."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import NewPage
from tests.browser.looks import LOOKS, problems


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_page_that_is_not_there_looks_right(look: dict, new_page: NewPage, live_server: LiveServer) -> None:
    page = new_page(**look)
    answer = page.goto(f"{live_server.url}/nothing")
    assert answer and answer.status == 404
    assert problems(page) == []


def test_the_first_stop_of_the_keyboard_skips_the_navigation(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/nothing")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
