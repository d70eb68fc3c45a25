"""Members with something to do: a player votes, support looks as a member, somebody goes.

How a member's board is reviewed is in test_own_boards, collections are in test_collections.
"""

import json
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.mail_of_the_week import stop_link
from accounts.models import Account
from accounts.roles import ensure_support_group
from tests import factories
from tests.config.admin.conftest import staff_client
from tests.members import signed_in
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, problems_at
from tests.system.browser.visits import entered, open_menu, press, sign_in
from voting.models import Vote

VOTES_FOR, VOTES_AGAINST = "votes for this board", "votes against this board"


def test_a_player_signs_in_votes_takes_it_back_and_signs_a_lost_phone_out(new_page: NewPage, page: Page) -> None:
    for seed in (1, 2, 3):
        factories.board(seed=seed, calls="1NT Pass 3NT Pass Pass Pass", title=f"Board of {seed} tricks")
    phone = new_page(width=375, javascript=False, user_agent="Mozilla/5.0 (iPhone) Version/19.0 Safari/605.1")
    sign_in(phone, "/boards")
    vote(phone)
    phone.get_by_role("link", name="Board of").first.click()
    up = phone.get_by_role("button", name=VOTES_FOR).first
    up.click()
    expect(up).to_have_attribute("aria-pressed", "true")

    sign_in(page, f"/boards/{Vote.objects.get().board_id}")
    expect(page.get_by_role("button", name=VOTES_FOR)).to_have_attribute("aria-pressed", "true")
    page.goto("/account/devices")
    assert find_problems(page) == []
    page.get_by_role("button", name="Sign out of Safari on iPhone").click()
    expect(page.get_by_text("1 device signed out.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    expect(up).to_have_count(0)

    page.goto("/boards")
    assert find_problems(page) == []
    open_menu(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    assert find_problems(page) == []
    page.go_back()
    page.reload()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def vote(phone: Page) -> None:
    """Vote by keyboard for the first board of the list, then against it, and take it back. The focus stays."""
    up, down = (phone.get_by_role("button", name=name).first for name in (VOTES_FOR, VOTES_AGAINST))
    up.focus()
    phone.keyboard.press("Enter")
    expect(up).to_have_attribute("aria-pressed", "true")
    expect(up).to_be_focused()
    expect(up).to_have_accessible_name("1 votes for this board. One is yours. Press to take it back")
    assert Vote.objects.get().account_id == "demo-anna"
    phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(down).to_have_attribute("aria-pressed", "true")
    expect(down).to_be_focused()
    phone.keyboard.press("Space")
    expect(down).to_have_attribute("aria-pressed", "false")
    assert not Vote.objects.exists()


def test_support_looks_as_a_member_and_is_seen_in_the_record(phone: Page, page: Page) -> None:
    sign_in(phone, "/boards", "Chris")
    chris = Account.objects.get(pk="demo-chris")
    draft = factories.board(owner=chris, published=False, title="Not for everybody yet")

    ensure_support_group()
    desk, account = entered(page, staff_client("support")), "/admin/accounts/account/demo-chris/change/"
    desk.goto(account)
    press(desk, "View the site as this member…")
    expect(desk.get_by_role("textbox", name="Account")).to_have_value("demo-chris")
    assert find_problems(desk) == []
    desk.get_by_role("textbox", name="Reason").fill("too short")
    desk.get_by_role("button", name="Begin").click()
    assert find_problems(desk) == []
    desk.get_by_role("textbox", name="Reason").fill("He asks why nobody sees his board.")
    desk.get_by_role("button", name="Begin").click()
    banner = desk.get_by_role("region", name="Looking as a member")
    expect(banner).to_contain_text("You are viewing the site as Chris")
    desk.goto(f"/boards/{draft.pk}")
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Not for everybody yet")
    expect(banner).to_be_visible()
    assert find_problems(desk) == []
    open_menu(desk)
    desk.get_by_role("link", name="My boards").click()
    desk.get_by_text("Tables (1)").click()
    expect(desk.get_by_role("link", name="Not for everybody yet").first).to_be_visible()
    expect(banner).to_be_visible()
    banner.get_by_role("button", name="Stop").click()
    expect(desk).to_have_url(account)
    desk.goto("/boards")
    expect(banner).to_have_count(0)

    open_menu(phone)
    phone.get_by_role("link", name="Chris").click()
    phone.get_by_role("link", name="Staff who viewed the site as you").click()
    expect(phone.get_by_text("Reason: He asks why nobody sees his board.")).to_be_visible()
    expect(phone.get_by_text("3 pages and requests on record")).to_be_visible()


# --- The pages of one's own account ----------------------------------------------------------------------------------


@pytest.fixture
def zia(transactional_db: None) -> Account:
    return factories.account("zia", email="zia@example.org", display_name="Zia")


def test_the_pages_look_right_and_so_do_those_with_errors(page: Page, zia: Account) -> None:
    sue, begun = (factories.account("sue", role="support", display_name="Sue"), timezone.now() - timedelta(days=2))
    factories.impersonation(sue, zia, started_at=begun, expires_at=begun + timedelta(minutes=30), ended_at=begun)
    factories.impersonation(sue, zia, ticket="T-1")
    with time_machine.travel(timezone.now() - timedelta(minutes=6)):
        entered(page, signed_in(zia))
    page.goto("/account/data.json")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in again first")
    assert find_problems(page) == []
    entered(page, signed_in(zia))
    stop = stop_link("zia").removeprefix("http://testserver")
    pages = ("/account", "/account/looks", "/account/delete", "/account/deleted", "/account/devices")
    assert problems_at(page, *pages, "/account/mail", stop) == {}
    page.goto("/account")
    page.get_by_label("Address of your picture").fill("http://example.org/a.png")
    page.get_by_label("Language").fill("none")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    assert find_problems(page) == []
    page.get_by_role("link", name="Language:").click()
    expect(page.get_by_label("Language")).to_be_focused()
    page.goto("/account/delete")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_label("Type DELETE")).to_be_focused()
    assert find_problems(page) == []


def test_a_member_changes_its_account_takes_its_data_and_goes_by_keyboard_alone(
    phone: Page, zia: Account, tmp_path: Path
) -> None:
    page, heading = entered(phone, signed_in(zia)), phone.get_by_role("heading", level=1)
    page.goto("/")
    open_menu(page)
    page.get_by_role("link", name="Zia").press("Enter")
    page.get_by_label("Name that others see").fill("Zia of the club")
    page.get_by_label("Country").select_option(label="Netherlands")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_role("status")).to_have_text("Saved.")
    open_menu(page)
    expect(page.get_by_role("link", name="Zia of the club")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").press("Enter")
    download.value.save_as(tmp_path / "data.json")
    assert json.loads((tmp_path / "data.json").read_text())["account"]["country"] == "NL"
    page.get_by_role("link", name="Delete my account").press("Enter")
    page.get_by_label("Type DELETE").fill("DELETE")
    page.get_by_role("button", name="Delete my account for good").press("Enter")
    expect(heading).to_have_text("The account is deleted")
    page.goto("/account")
    expect(heading).to_have_text("Sign in")
    assert Account.objects.get(pk="zia").erased_at
