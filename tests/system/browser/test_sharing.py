"""Somebody shows an evening elsewhere: the fields of "Share" and their buttons, frames on another site, one table."""

import re

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board
from tests.boards.events.evenings import SLUG, table
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, problems_at
from tests.system.browser.other_site import OtherSite
from tests.system.browser.visits import press

PAGE = f"/events/{SLUG}"
SHARE = "navigator.share = async (shared) => { window.shared = shared; }"


@pytest.fixture
def tables(transactional_db: None, live_server: LiveServer, settings: LazySettings) -> list[Board]:
    settings.PUBLIC_BASE_URL = live_server.url
    return [table(1, 1, "4S", "S", tricks, table=str(number)) for number, tricks in enumerate((10, 8, 11), 1)]


def test_buttons_copy_what_a_field_has_and_share_the_address(tables: list[Board], new_page: NewPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(SHARE)
    for path, number in ((PAGE, 2), (f"/boards/{tables[0].pk}", 3), ("/today", 1)):
        page.goto(path)
        page.evaluate("document.querySelectorAll('details.share').forEach(each => each.open = true)")
        buttons = page.get_by_role("button", name=re.compile("^Copy "))
        expect(buttons).to_have_count(number)
        buttons.last.click()
        expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
        frame = page.locator("textarea[id^=share-]").last.input_value()
        assert page.evaluate("navigator.clipboard.readText()") == frame != ""
    page.goto(PAGE)
    page.get_by_text("Share", exact=True).click()
    page.get_by_role("button", name="Share… The address").click()
    shared = page.evaluate("window.shared")
    assert shared["url"] == page.get_by_label("The address").first.input_value() and "Friday pairs" in shared["title"]
    assert find_problems(page) == []


def test_a_browser_that_may_not_copy_marks_the_text(tables: list[Board], page: Page) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'))")
    page.goto(PAGE)
    page.get_by_text("Share", exact=True).click()
    page.get_by_role("button", name="Copy The address").click()
    expect(page.get_by_role("status").first).to_have_text("Copy the marked text")
    assert page.evaluate("getSelection().toString()") == page.get_by_label("The address").first.input_value()


def test_without_a_script_the_fields_stand_alone_and_a_link_leads_to_ones_own_table(
    tables: list[Board], phone: Page, page: Page, other_site: OtherSite
) -> None:
    phone.goto(PAGE)
    phone.get_by_text("Share", exact=True).click()
    expect(phone.get_by_label("The address")).to_be_visible()
    expect(phone.locator("details.share button")).to_have_count(0)
    phone.goto(f"{PAGE}?table=2")
    expect(phone.locator(".notice")).to_contain_text("Table 2: each board leads to this table")
    own = phone.url
    phone.get_by_text("Share", exact=True).click()
    markup = phone.get_by_label("Frame for your own website").input_value()
    press(phone, "Board 1")
    assert phone.url.endswith(f"/boards/{tables[1].pk}")

    phone.goto(other_site.show_frame(markup))
    phone.locator("iframe").scroll_into_view_if_needed()
    frame = phone.frame_locator("iframe")
    with phone.context.expect_page() as opened:
        frame.get_by_role("link", name="Board 1").click()
    assert opened.value.url.endswith(f"/boards/{tables[1].pk}")
    expect(phone).to_have_url(other_site.url)
    assert problems_at(page, own, f"{PAGE}?table=9", f"{PAGE}/embed", f"/boards/{tables[0].pk}/traveller/embed") == {}
