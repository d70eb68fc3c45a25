"""A member of staff at a browser, who counts what she does and sees nothing but the page."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Download, Locator, Page, Request, expect

SETTLING_MS = 50


class NotPossible(Exception):
    """The pages offer no way to do this."""


class Staff:
    """A browser, the clicks and fields of the present task, and what all lists of the admin have in common.

    A click is one on a link, a button or a box; Enter counts as one. A choice from a list that opens counts as two, and
    so does a file that is chosen. A field that is typed into is counted for itself, however long the text is.
    """

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base
        self.clicks = 0
        self.fields = 0
        self.requested: list[Request] = []
        page.on("request", self.remember)
        page.on("requestfinished", self.forget)
        page.on("requestfailed", self.forget)  # such as a page that turns out to be a download

    def begin(self) -> None:
        """Open the admin's start page, where every task begins, and count anew."""
        self.page.goto(f"{self.base}/admin/")
        self.clicks = self.fields = 0

    def remember(self, request: Request) -> None:
        self.requested.append(request)

    def forget(self, request: Request) -> None:
        if request in self.requested:
            self.requested.remove(request)

    def wait_for_page(self) -> None:
        """Wait for the page that a click has asked for, if it did, and for what that page asks for."""
        self.page.wait_for_timeout(SETTLING_MS)
        while self.requested:
            self.page.wait_for_timeout(SETTLING_MS)
        self.page.wait_for_load_state()

    # --- What counts

    def click(self, target: Locator) -> None:
        target.first.click()
        self.clicks += 1
        self.wait_for_page()

    def type(self, target: Locator, text: str) -> None:
        target.first.fill(text)
        self.fields += 1

    def enter(self, target: Locator) -> None:
        target.first.press("Enter")
        self.clicks += 1
        self.wait_for_page()

    def go_back(self) -> None:
        self.page.go_back()
        self.clicks += 1

    def choose(self, target: Locator, pattern: str) -> None:
        """Choose the first option of a list whose text matches."""
        options = target.first.locator("option")
        texts = options.all_inner_texts()
        place = next((number for number, text in enumerate(texts) if re.search(pattern, text)), None)
        if place is None:
            raise NotPossible(f"No option is like {pattern}: {texts}")
        target.first.select_option(index=place)
        self.clicks += 2

    def choose_file(self, target: Locator, path: str) -> None:
        target.first.set_input_files(path)
        self.clicks += 2

    def look_up(self, field: str, words: str) -> None:
        """Choose from a list, or from a field that searches while one types: open it, type, take the first result."""
        plain = self.page.locator(f"select[name^={field}]:not(.select2-hidden-accessible)")
        if self.offers(plain):
            self.choose(plain, f"(?i){words}")
            return
        boxes = self.page.locator(f".field-{field} .select2-selection")
        self.click(boxes if self.offers(boxes) else self.page.locator("#content .select2-selection"))
        self.type(self.page.locator(".select2-search__field:focus"), words)
        self.click(self.page.locator(".select2-results__option", has_text=re.compile(words, re.IGNORECASE)))

    # --- What the page offers

    def offers(self, target: Locator) -> bool:
        """Tell whether the page has this now. Nobody waits for what may not come."""
        return target.first.is_visible()

    def link(self, pattern: str) -> Locator:
        return self.page.locator("#content a").filter(has_text=re.compile(pattern, re.IGNORECASE))

    def button(self, pattern: str) -> Locator:
        """Return the buttons of the content whose name matches."""
        name = re.compile(pattern, re.IGNORECASE)
        return self.page.locator("#content").get_by_role("button", name=name)

    def see(self, pattern: str) -> None:
        expect(self.page.locator("#container")).to_contain_text(re.compile(pattern, re.IGNORECASE))

    @contextmanager
    def download(self) -> Iterator[None]:
        """Expect the block to begin a download."""
        with self.page.expect_download() as info:
            yield
        downloaded: Download = info.value
        assert downloaded.path().stat().st_size > 0

    # --- The lists of the admin

    def open_list(self, model: str) -> None:
        self.click(self.page.locator(f"#content-main tr.model-{model} th a"))

    def search(self, words: str) -> None:
        box = self.page.locator("#searchbar")
        self.type(box, words)
        self.enter(box)

    def open_row(self, text: str = "") -> None:
        self.click(self.rows(text))

    def rows(self, text: str = "") -> Locator:
        """Return the links to the pages of the rows."""
        return self.page.locator("#result_list tbody a[href*='/change/']", has_text=text)

    def tick(self, rows: int = 0) -> None:
        """Tick the first rows, or all that are shown, which is one click."""
        boxes = self.page.locator("#result_list tbody input.action-select")
        expect(boxes.first).to_be_visible()
        for box in boxes.all()[:rows] if rows else [self.page.locator("#action-toggle")]:
            self.click(box)

    def run(self, action: str) -> None:
        """Run an action on the ticked rows."""
        self.choose(self.page.locator("select[name=action]"), action)
        self.click(self.page.locator("button[name=index]"))

    def confirm(self, pattern: str) -> None:
        """Press the button of the page that asks before it acts, if there is one."""
        if not self.page.locator("#result_list").count() and self.offers(self.button(pattern)):
            self.click(self.button(pattern))

    def save(self) -> None:
        self.click(self.page.locator("input[name=_save]"))
        self.see("changed successfully|added successfully")
