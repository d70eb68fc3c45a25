"""Fixtures for tests in a real browser: Debian's chromium without its windows, driven by Playwright, on the service.

A test takes `page`, or `new_page` for a page with options, and opens paths of the service, whose address the page has.
Any error in the browser's console fails the test, and so does whatever the content security policy refuses.
"""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.system.browser.other_site import Handler, OtherSite

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the engine of the others alone. It opens a page for a third of the processor time."""
MISSING = "The browser tests need chromium on PATH: apt-get install -y chromium-headless-shell"

TRANSITION = ("ViewTransition opt-in disabled", "Transition was aborted", "Transition was skipped")
"""What chromium says where it moves to the next page without the transition. Nothing is wrong then.

The next page has none, such as the admin, or came too late, or the window changed its size meanwhile.
"""

PATIENCE = 60_000
"""The milliseconds after which a page does not come, or not become as expected. A busy machine takes many of them."""

NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(MISSING)
    expect.set_options(timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        # Playwright leaves an event loop in this thread, where Django would refuse to ask the database.
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Browser, live_server: LiveServer, transactional_db: None) -> Iterator[NewPage]:
    """Provide `new_page(width=375, dark=True, javascript=False, …)`, which opens a page with cookies of its own.

    Further arguments go to Playwright's `new_context`: locale, extra_http_headers …
    """
    pages: list[Page] = []
    errors: list[str] = []

    def open_page(*, width: int = 1280, dark: bool = False, javascript: bool = True, **more: Any) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            **more,
        )
        context.set_default_timeout(PATIENCE)
        pages.append(context.new_page())
        record_errors(pages[-1], errors)
        return pages[-1]

    yield open_page
    for each in pages:
        each.context.close()
    assert errors == []


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page()


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    """Return a page as wide as a phone, in a browser without JavaScript."""
    return new_page(width=375, javascript=False)


@pytest.fixture
def other_site() -> Iterator[OtherSite]:
    with OtherSite(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def record_errors(page: Page, errors: list[str]) -> None:
    """Append the page's errors to the list. A page that itself answers 404 is not one: the test asked for it."""
    opened_urls: set[str] = set()

    def record_navigation(response: Response) -> None:
        if response.request.is_navigation_request():
            opened_urls.add(response.url)

    def record_message(message: ConsoleMessage) -> None:
        is_status_of_page = (
            message.text.startswith("Failed to load resource") and message.location["url"] in opened_urls
        )
        if message.type == "error" and not is_status_of_page:
            errors.append(message.text)

    def record_error(error: Exception) -> None:
        if not any(reason in str(error) for reason in TRANSITION):
            errors.append(str(error))

    page.on("response", record_navigation)
    page.on("console", record_message)
    page.on("pageerror", record_error)
