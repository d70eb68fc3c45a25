"""The forms in a real browser: in every look, with and without JavaScript."""

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from forms import robots
from forms.declarations import FORMS
from forms.models import Submission
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems

PAGES = ["/forms", *(f"/forms/{name}{more}" for name in FORMS for more in ("", "/thanks"))]


@pytest.fixture(autouse=True)
def _no_minimum_typing_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a form that is filled in at once: a driven browser types faster than the service expects of a person."""
    monkeypatch.setattr(robots, "MIN_AGE", timedelta(0))


def fill_in(page: Page) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Your e-mail address").fill("ann@example.org")
    page.get_by_label("Subject").fill("Hello")
    page.get_by_label("Message").fill("Is there a club in Delft?\nOr in Leiden?")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_of_the_forms_looks_right(path: str, page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + path)
    assert find_problems(page) == []


@pytest.mark.parametrize("name", FORMS)
def test_a_form_with_errors_looks_right(name: str, page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/forms/{name}")
    page.get_by_label("Your e-mail address").fill("nobody")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator("[aria-invalid]").count() >= 2
    assert find_problems(page) == []


def test_a_report_about_a_board_looks_right(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/forms/board-report?board={factories.board(number=7).pk}")
    expect(page.get_by_role("link", name="Board 7")).to_be_visible()
    assert find_problems(page) == []


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without"])
def test_a_visitor_corrects_a_mistake_and_sends_the_form(
    javascript: bool, new_page: NewPage, live_server: LiveServer
) -> None:
    page = new_page(javascript=javascript)
    page.goto(f"{live_server.url}/forms/contact")
    fill_in(page)
    page.get_by_label("Your e-mail address").fill("nobody")
    page.get_by_role("button", name="Send").click()

    expect(page.get_by_role("alert")).to_contain_text("Enter a valid email address.")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("Message")).to_have_value("Is there a club in Delft?\nOr in Leiden?")
    page.get_by_role("link", name="Your e-mail address: Enter a valid email address.").click()
    expect(page.get_by_label("Your e-mail address")).to_be_focused()
    expect(page.get_by_label("Your e-mail address")).to_have_accessible_description(
        "We answer to this address. Error: Your e-mail address: Enter a valid email address."
    )
    page.keyboard.press("Control+A")
    page.keyboard.type("ann@example.org")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    stored = Submission.objects.get()
    assert (stored.data["message"], stored.is_suspected) == ("Is there a club in Delft?\nOr in Leiden?", False)


def test_a_club_joins_and_a_board_is_reported(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/forms")
    page.get_by_role("link", name="Join as an organisation").click()
    page.get_by_label("Name of the organisation").fill("Bridge Club Delft")
    page.get_by_label("Country").select_option("Netherlands")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Your e-mail address").fill("ann@example.org")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()

    board = factories.board(number=7)
    page.goto(f"{live_server.url}/forms/board-report?board={board.pk}")
    page.get_by_label("What is wrong").select_option("The cards")
    page.get_by_label("Tell us more").fill("Two aces of spades.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()

    joined, reported = Submission.objects.order_by("created_at")
    assert (joined.form, joined.data["country"]) == ("organisation", "NL")
    assert (reported.form, reported.data["boardId"]) == ("board-report", str(board.pk))


def test_the_trap_cannot_be_seen_or_focused(page: Page, live_server: LiveServer) -> None:
    """Hide the trap from the eye, the keyboard and screen readers: only a robot fills it in."""
    page.goto(f"{live_server.url}/forms/contact")
    trap = page.locator(f"[name={robots.HONEYPOT}]")
    expect(trap).not_to_be_in_viewport()
    assert page.get_by_role("textbox").count() == 4
    for _ in range(20):
        page.keyboard.press("Tab")
        expect(trap).not_to_be_focused()


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without"])
def test_a_visitor_who_sends_too_often_is_told_when_to_send_again(
    javascript: bool, new_page: NewPage, live_server: LiveServer, settings: Any
) -> None:
    settings.FORM_RATE_PER_CLIENT = "1/h"
    page = new_page(javascript=javascript)
    for _ in range(2):
        page.goto(f"{live_server.url}/forms/contact")
        fill_in(page)
        page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text("Too many")
    expect(page.get_by_role("alert")).to_contain_text("Send this form again in")
    expect(page.get_by_label("Your name")).to_have_value("Ann")
