"""The pages of one's own account in a real browser."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from tests import factories
from tests.members import signed_in
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems


def sign_in(page: Page, live_server: LiveServer, account: Account) -> Page:
    name = settings.SESSION_COOKIE_NAME
    value = signed_in(account).cookies[name].value
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    return page


@pytest.fixture
def zia(live_server: LiveServer) -> Account:
    return factories.account("zia", email="zia@example.org", display_name="Zia")


def test_the_pages_look_right(page: Page, live_server: LiveServer, zia: Account) -> None:
    sue, begun = (factories.account("sue", role="support", display_name="Sue"), timezone.now() - timedelta(days=2))
    factories.impersonation(sue, zia, started_at=begun, expires_at=begun + timedelta(minutes=30), ended_at=begun)
    factories.impersonation(sue, zia, ticket="T-1")
    sign_in(page, live_server, zia)
    for path in ("/account", "/account/looks", "/account/delete", "/account/deleted", "/account/devices"):
        page.goto(live_server.url + path)
        assert find_problems(page) == [], path


def test_a_page_with_errors_looks_right(page: Page, live_server: LiveServer, zia: Account) -> None:
    sign_in(page, live_server, zia).goto(f"{live_server.url}/account")
    page.get_by_label("Address of your picture").fill("http://example.org/a.png")
    page.get_by_label("Language").fill("none")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    assert find_problems(page) == []
    page.get_by_role("link", name="Language:").click()
    expect(page.get_by_label("Language")).to_be_focused()
    page.goto(f"{live_server.url}/account/delete")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_label("Type DELETE")).to_be_focused()
    assert find_problems(page) == []


def test_who_signed_in_a_while_ago_is_asked_to_do_it_again(page: Page, live_server: LiveServer, zia: Account) -> None:
    with time_machine.travel(timezone.now() - timedelta(minutes=6)):
        sign_in(page, live_server, zia)
    page.goto(f"{live_server.url}/account")
    page.get_by_role("link", name="Download my data").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in again first")
    page.goto(f"{live_server.url}/account/delete")
    page.get_by_label("Type DELETE").fill("DELETE")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in again first")
    assert find_problems(page) == []
    page.get_by_role("link", name="Sign in again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert not Account.objects.get(pk="zia").erased_at


def test_a_member_changes_its_account_takes_its_data_and_goes_by_keyboard_alone(
    new_page: NewPage, live_server: LiveServer, zia: Account, tmp_path: Path
) -> None:
    page = sign_in(new_page(width=375, javascript=False), live_server, zia)
    page.goto(live_server.url)
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
    expect(page.get_by_role("heading", level=1)).to_have_text("The account is deleted")
    page.goto(f"{live_server.url}/account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert Account.objects.get(pk="zia").erased_at
