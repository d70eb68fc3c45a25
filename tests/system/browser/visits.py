"""What many tests in a browser do: sign somebody in, follow a link, let the worker work, publish a board with play."""

from random import Random
from typing import Any

from django.test import Client
from playwright.sync_api import Page, expect

from boards.models import Board
from config.worker.runner import ShutdownRequest
from deals.solver.worker import Worker
from tests import factories
from tests.bridge.strategies import random_play
from tests.deals.solver.solvers import real_solver


def entered(page: Page, client: Client) -> Page:
    """Give a page the cookies of a client that is signed in, and return it."""
    for cookie in client.cookies.values():
        page.context.add_cookies(
            [{"name": cookie.key, "value": cookie.value, "domain": "localhost", "path": "/"}],
        )
    return page


def sign_in(page: Page, path: str, name: str = "Anna") -> None:
    """Sign in as a demonstration member by the link of a page, which the sign-in leads back to."""
    page.goto(path)
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_role("button", name=f"{name}, who").click()
    expect(page).to_have_url(path)


def press(page: Page, *names: str) -> None:
    """Follow the links with these names, one after the other."""
    for name in names:
        with page.expect_navigation():
            page.get_by_role("link", name=name, exact=True).last.click()


def open_menu(page: Page) -> None:
    """Open the menu of the band by keyboard. It has all pages on a phone, and the reader's own everywhere."""
    page.locator(".menu > summary").filter(visible=True).press("Enter")


def ask_the_worker() -> None:
    Worker(real_solver(), ShutdownRequest()).run(once=True)


def played_board(seed: int, number: int, calls: str, **values: Any) -> Board:
    """Publish a board whose cards are all played, by chance."""
    record = factories.record(seed, number, calls)
    play = random_play(record.layout, record.contract, 52, Random(seed))
    return factories.board(seed, number=number, calls=calls, play=play, **values)
