"""The forms in a real browser: in every look, with and without JavaScript."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from forms.declarations import FORMS
from forms.models import Submission
from pages.forms import views
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, problems_at

MESSAGE = "Is there a club in Delft?\nOr in Leiden?"


@pytest.fixture(autouse=True)
def _no_minimum_typing_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a form that is filled in at once: a driven browser types faster than the service expects of a person."""
    monkeypatch.setattr(views, "MIN_AGE", timedelta(0))


def test_every_page_of_the_forms_looks_right_and_so_does_each_form_with_errors(page: Page) -> None:
    board = factories.board(number=7)
    pages = ("/forms", *(f"/forms/{name}{more}" for name in FORMS for more in ("", "/thanks")))
    assert problems_at(page, *pages, f"/forms/board-report?board={board.pk}") == {}
    expect(page.get_by_role("link", name="Board 7")).to_be_visible()
    for name in FORMS:
        page.goto(f"/forms/{name}")
        page.get_by_label("Your e-mail address").fill("nobody")
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("alert")).to_be_visible()
        assert find_problems(page) == [], name
        assert page.locator("[aria-invalid]").count() >= 2


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without"])
def test_a_visitor_corrects_a_mistake_and_sends_the_form(javascript: bool, new_page: NewPage) -> None:
    page = new_page(javascript=javascript)
    page.goto("/forms/contact")
    values = {"Your name": "Ann", "Subject": "Hello", "Message": MESSAGE, "Your e-mail address": "nobody"}
    for label, value in values.items():
        page.get_by_label(label).fill(value)
    page.get_by_role("button", name="Send").click()

    expect(page.get_by_role("alert")).to_contain_text("Enter a valid email address.")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("Message")).to_have_value(MESSAGE)
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
    assert (stored.data["message"], stored.is_suspected) == (MESSAGE, False)


def test_the_trap_cannot_be_seen_or_focused(page: Page) -> None:
    """Hide the trap from the eye, the keyboard and screen readers: only a robot fills it in."""
    page.goto("/forms/contact")
    trap = page.locator(f"[name={views.HONEYPOT}]")
    expect(trap).not_to_be_in_viewport()
    assert page.get_by_role("textbox").count() == 4
    for _ in range(20):
        page.keyboard.press("Tab")
        expect(trap).not_to_be_focused()
