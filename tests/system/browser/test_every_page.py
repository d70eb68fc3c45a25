"""Checks of pages that belong to no app."""

from playwright.sync_api import Page, expect

from pages.site.guides import LANGUAGES, NAMES
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import problems_at


def test_the_page_for_an_unknown_path_and_each_guide_look_right(page: Page) -> None:
    assert problems_at(page, "/nothing", *(f"/api/docs/{name}" for name in NAMES)) == {}


def test_the_first_link_reached_by_keyboard_skips_the_navigation(page: Page) -> None:
    answer = page.goto("/nothing")
    assert answer and answer.status == 404
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_a_reader_of_a_guide_chooses_one_language_without_javascript_and_prints_all(new_page: NewPage) -> None:
    page = new_page(width=390, javascript=False)
    page.goto("/api/docs/first-request")
    commands = {kind: page.locator(f".in-{kind}") for kind in LANGUAGES}
    assert {commands[kind].count() for kind in LANGUAGES} == {3}
    for chosen, language in LANGUAGES.items():
        page.get_by_role("radio", name=language).check()
        for kind in LANGUAGES:
            expect(commands[kind].filter(visible=True)).to_have_count(3 if kind == chosen else 0)
    page.emulate_media(media="print")
    expect(page.locator(".command").filter(visible=True)).to_have_count(9)
    page.emulate_media(media="null")
    page.get_by_role("link", name="Next: Bearer tokens").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bearer tokens")


def test_the_interactive_page_leads_to_the_guides(page: Page) -> None:
    page.goto("/api/docs")
    expect(page.get_by_text("List boards")).to_be_visible()
    page.get_by_role("link", name="Limits").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Limits")
