"""Checks of pages that belong to no app."""

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.looks import find_problems


def test_the_page_for_an_unknown_path_looks_right(page: Page, live_server: LiveServer) -> None:
    answer = page.goto(f"{live_server.url}/nothing")
    assert answer and answer.status == 404
    assert find_problems(page) == []


def test_the_first_link_reached_by_keyboard_skips_the_navigation(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/nothing")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
