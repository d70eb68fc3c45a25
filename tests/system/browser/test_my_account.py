"""The pages of one's own account in a real browser."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Account
from tests import factories
from tests.members import signed_in
from tests.system.browser.looks import find_problems, problems_at
from tests.system.browser.visits import entered


@pytest.fixture
def zia(transactional_db: None) -> Account:
    return factories.account("zia", email="zia@example.org", display_name="Zia")


def test_the_pages_look_right_and_so_do_those_with_errors(page: Page, zia: Account) -> None:
    sue, begun = (factories.account("sue", role="support", display_name="Sue"), timezone.now() - timedelta(days=2))
    factories.impersonation(sue, zia, started_at=begun, expires_at=begun + timedelta(minutes=30), ended_at=begun)
    factories.impersonation(sue, zia, ticket="T-1")
    entered(page, signed_in(zia))
    pages = ("/account", "/account/looks", "/account/delete", "/account/deleted", "/account/devices")
    assert problems_at(page, *pages) == {}
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


def test_who_signed_in_a_while_ago_is_asked_to_do_it_again(page: Page, zia: Account) -> None:
    with time_machine.travel(timezone.now() - timedelta(minutes=6)):
        entered(page, signed_in(zia))
    heading = page.get_by_role("heading", level=1)
    page.goto("/account")
    page.get_by_role("link", name="Download my data").click()
    expect(heading).to_have_text("Sign in again first")
    page.goto("/account/delete")
    page.get_by_label("Type DELETE").fill("DELETE")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(heading).to_have_text("Sign in again first")
    assert find_problems(page) == []
    page.get_by_role("link", name="Sign in again").click()
    expect(heading).to_have_text("Sign in")
    assert not Account.objects.get(pk="zia").erased_at


def test_a_member_changes_its_account_takes_its_data_and_goes_by_keyboard_alone(
    phone: Page, zia: Account, tmp_path: Path
) -> None:
    page, heading = entered(phone, signed_in(zia)), phone.get_by_role("heading", level=1)
    page.goto("/")
    page.get_by_role("link", name="Zia").press("Enter")
    page.get_by_label("Name that others see").fill("Zia of the club")
    page.get_by_label("Country").select_option(label="Netherlands")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_role("status")).to_have_text("Saved.")
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
