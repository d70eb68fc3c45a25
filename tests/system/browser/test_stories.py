"""Two people with something to do, from the first page to the last: a club's webmaster, and a teacher with a phone."""

from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.paper import PAPERS, count_pages, find_cut_sheets

PASSWORD = "correct horse battery"
CALLS = "1NT Pass 2C X 2S Pass 4S Pass Pass Pass"
EVENING = 36
"""The boards of an evening that fill two sheets of paper."""


@pytest.fixture
def last_night(tmp_path: Path) -> Path:
    """Write the file of an evening, as a scoring program gives it to the webmaster."""
    records = (
        factories.record(
            number, number, CALLS, tricks=9, event="Club night", date="2026.11.21", site="Club house"
        )
        for number in range(1, EVENING + 1)
    )
    file = tmp_path / "last-night.pbn"
    file.write_bytes("".join([HEADER, *map(write_pbn, records)]).encode())
    return file


def log_in(page: Page, live_server: LiveServer) -> None:
    webmaster = factories.account("webmaster", role=Account.Role.ADMIN)
    webmaster.set_password(PASSWORD)
    webmaster.save()
    page.goto(f"{live_server.url}/admin/")
    page.locator("#id_username").fill("webmaster")
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_a_webmaster_uploads_last_nights_boards_and_prints_their_hand_records(
    page: Page, live_server: LiveServer, transactional_db: None, last_night: Path
) -> None:
    log_in(page, live_server)
    page.get_by_role("link", name="Boards", exact=True).last.click()
    page.get_by_role("link", name="Upload a file").click()
    page.locator("input[type=file]").set_input_files(last_night)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.locator("#content")).to_contain_text("36 new boards")
    assert not Board.objects.exists()
    page.get_by_role("button", name="Import and publish").click()
    expect(page.locator(".messagelist")).to_contain_text("36 new boards, published")

    page.goto(live_server.url)
    page.get_by_role("link", name="Events").first.click()
    page.get_by_role("link", name="Club night").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Club night")
    expect(page.locator("main")).to_contain_text("36 boards")
    expect(page.locator("table.evening tbody tr")).to_have_count(EVENING)
    assert find_problems(page) == []
    page.get_by_role("link", name="Print hand records").click()
    for number in range(1, EVENING + 1):
        expect(page.get_by_role("link", name=f"Board {number}", exact=True)).to_be_visible()
    assert find_problems(page) == []
    for paper in PAPERS:
        assert count_pages(page.pdf(format=paper)) == 2
        assert find_cut_sheets(page, paper) == []


def press_until_gone(page: Page, name: str) -> int:
    """Follow a link until no page has it any more, and return how often."""
    for presses in range(100):
        if not page.get_by_role("link", name=name, exact=True).count():
            return presses
        with page.expect_navigation():
            page.get_by_role("link", name=name, exact=True).click()
    raise AssertionError(f"There is always another {name!r}.")


def test_a_teacher_steps_through_a_board_of_a_theme_and_practises_the_next(
    new_page: NewPage, live_server: LiveServer, transactional_db: None
) -> None:
    call_command("load_reference_data", verbosity=0)
    call_command("load_demonstration", verbosity=0)
    page = new_page(width=375, javascript=False)
    heading = page.get_by_role("heading", level=1)
    page.goto(live_server.url)
    page.get_by_role("link", name="Themes", exact=True).first.click()
    page.get_by_role("link", name="Weak two", exact=True).click()
    expect(heading).to_have_text("Weak two")
    page.get_by_role("link", name="When a weak two is raised too high").last.click()
    expect(page.get_by_role("heading", name="The board at 2 tables")).to_be_visible()

    page.get_by_role("link", name="Step through it").click()
    expect(page.get_by_role("link", name="Next", exact=True)).to_be_visible()
    calls, tricks = 11, 13
    assert press_until_gone(page, "Next") == calls + tricks + 1  # and the lead
    expect(page.locator("main")).to_contain_text("made +1")
    page.get_by_role("link", name="Show everything").click()

    page.get_by_role("link", name="Weak two", exact=True).click()
    page.get_by_role("link", name="All 4 boards").click()
    page.get_by_role("link", name="Practise these boards").click()
    expect(heading).to_have_text("Practice board")
    expect(page.locator("main")).not_to_contain_text("weak two", ignore_case=True)
    assert press_until_gone(page, "Next call") >= 4
    page.get_by_role("link", name="Show all hands").click()
    expect(heading).to_contain_text("weak two")
    page.get_by_role("link", name="Next board of this theme").click()
    expect(heading).to_have_text("Practice board")
    expect(page.get_by_role("link", name="Next call")).to_be_visible()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
