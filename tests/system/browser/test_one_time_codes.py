"""The admin's login with a one-time code in a real browser."""

from typing import Any

from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.signing_in.one_time_codes import enrol
from tests import factories
from tests.accounts.enrolled import code_at, secret_of
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems_in_parts


def test_an_admin_logs_in_on_a_phone_without_javascript(
    new_page: NewPage, live_server: LiveServer, settings: Any
) -> None:
    settings.ADMIN_ONE_TIME_CODES = True
    settings.AUTHENTICATION_BACKENDS = ["accounts.backends.OneTimeCodeBackend"]
    boss = factories.account("boss", role="admin")
    boss.set_password("correct horse battery")
    boss.save()
    secret = secret_of(enrol("boss"))
    page = new_page()
    page.goto(f"{live_server.url}/admin/")
    assert find_problems_in_parts(page, "#content") == []
    phone = new_page(width=375, javascript=False)
    phone.goto(f"{live_server.url}/admin/")
    for code in (code_at(secret, 20), code_at(secret)):
        phone.get_by_label("Id", exact=False).first.fill("boss")
        phone.get_by_label("Password").fill("correct horse battery")
        phone.get_by_label("One-time code").fill(code)
        phone.get_by_role("button", name="Log in").click()
    expect(phone.get_by_role("heading", name="Administration")).to_be_visible()
