"""A real browser on the real service: Debian's chromium, driven by Playwright.

Ask for `new_page` (or `page`, the plain one), open `live_server.url + path`, and look. Any error in the browser's
console fails the test: so does whatever the content security policy refuses.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
MISSING = "The browser tests need chromium on PATH: apt-get install -y chromium"

NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(MISSING)
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        # Playwright leaves an event loop in this thread, where Django would refuse to ask the database.
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """`new_page(width=375, dark=True, javascript=False, …)`: a page with cookies of its own.

    Further arguments go to Playwright's `new_context`: locale, extra_http_headers …
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_one(*, width: int = 1280, dark: bool = False, javascript: bool = True, **more: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        watch(page, errors)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def page(new_page: NewPage) -> Page:
    return new_page()


def watch(page: Page, errors: list[str]) -> None:
    """Notes what goes wrong in the page. That a page itself answers 404 is no error: the test asked for it."""
    opened: set[str] = set()

    def note_opened(response: Response) -> None:
        if response.request.is_navigation_request():
            opened.add(response.url)

    def note_message(message: ConsoleMessage) -> None:
        its_own_status = (
            message.text.startswith("Failed to load resource") and message.location["url"] in opened
        )
        if message.type == "error" and not its_own_status:
            errors.append(message.text)

    page.on("response", note_opened)
    page.on("console", note_message)
    page.on("pageerror", lambda error: errors.append(str(error)))
