"""The inbox and the start page of the admin in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from forms.models import Submission
from tests import factories
from tests.browser.conftest import NewPage
from tests.browser.looks import ALL_RULES, LOOKS, RULES_OF_COLOUR, describe
from tests.config.admin.conftest import submission
from tests.forms.bodies import ORGANISATION

OURS = {"include": ["#content"], "exclude": [".paginator", "#changelist-filter ul"]}
"""What is ours of a page. The rest is Django's: its navigation, and parts of its lists."""


def log_in(page: Page, live_server: LiveServer) -> Page:
    client = Client()
    client.force_login(factories.account("boss", role="admin", display_name="Carla"))
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}])
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    return page


def find_problems(page: Page) -> list[str]:
    """Return the problems in every look. The admin's links take a moment for another colour, which is waited for."""
    page.evaluate(Axe().axe_script)
    problems = []
    for look in LOOKS:
        page.set_viewport_size({"width": look["width"], "height": 800})
        page.emulate_media(color_scheme="dark" if look["dark"] else "light")
        page.evaluate("Promise.all(document.getAnimations().map(each => each.finished)).then(() => null)")
        run = "([part, options]) => axe.run(part, options).then(results => results.violations)"
        found = page.evaluate(run, [OURS, RULES_OF_COLOUR if look["dark"] else ALL_RULES])
        problems += [f"{look}: {describe(violation)}" for violation in found]
    return problems


def test_the_pages_of_the_inbox_look_right(page: Page, live_server: LiveServer) -> None:
    board = factories.board(number=7, themes=(factories.theme(),))
    report = {"boardId": str(board.pk), "problem": "wrong_cards", "message": "Two aces.\nOf spades."}
    one = submission("board-report", data={**report, "email": "ann@example.org"})
    submission("organisation", data={**ORGANISATION, "website": "https://club.example"})
    log_in(page, live_server)
    for path in ("", "forms/submission/", f"forms/submission/{one.pk}/change/"):
        page.goto(f"{live_server.url}/admin/{path}")
        assert find_problems(page) == [], path


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without"])
def test_a_message_is_handled_and_the_next_is_one_click_away(
    javascript: bool, new_page: NewPage, live_server: LiveServer
) -> None:
    first = submission(data={"name": "Ann", "subject": "First", "message": "m"})
    submission(data={"name": "Bo", "subject": "Second", "message": "m"})
    page = log_in(new_page(javascript=javascript), live_server)
    page.goto(f"{live_server.url}/admin/")
    page.get_by_role("link", name="Messages to handle").click()
    page.get_by_role("link", name="First").click()
    page.get_by_role("button", name="Mark as handled").click()
    expect(page.get_by_role("button", name="Not handled yet")).to_be_visible()
    page.get_by_role("link", name="Next message").click()
    expect(page.get_by_role("heading", name="Second")).to_be_visible()
    assert list(Submission.objects.handled()) == [first]
