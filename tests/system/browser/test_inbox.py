"""The inbox and the start page of the admin in a real browser."""

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from forms.models import Submission
from tests import factories
from tests.config.admin.conftest import submission
from tests.forms.bodies import ORGANISATION
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems_in_parts


def log_in(page: Page, live_server: LiveServer) -> Page:
    client = Client()
    client.force_login(factories.account("boss", role="admin", display_name="Carla"))
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}])
    return page


def test_the_pages_of_the_inbox_look_right(page: Page, live_server: LiveServer) -> None:
    board = factories.board(number=7, themes=(factories.theme(),))
    report = {"boardId": str(board.pk), "problem": "wrong_cards", "message": "Two aces.\nOf spades."}
    one = submission("board-report", data={**report, "email": "ann@example.org"})
    submission("organisation", data={**ORGANISATION, "website": "https://club.example"})
    log_in(page, live_server)
    pages = {
        "": "#content",
        "forms/submission/": "#result_list tbody",
        f"forms/submission/{one.pk}/change/": "#content",
    }
    for path, part in pages.items():
        page.goto(f"{live_server.url}/admin/{path}")
        assert find_problems_in_parts(page, part) == [], path


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
