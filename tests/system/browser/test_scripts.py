"""The small scripts in a real browser: each does without loading the page again what its links and buttons do too."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Locator, Page, Route, expect

from accounts.models import Account
from boards.models import BoardOfTheDay, Collection
from tests import factories
from tests.boards.collections.stored import store
from tests.pages.practice.test_practice_quiz import DEAL
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import OVERFLOW, problems_at
from tests.system.browser.visits import played_board, sign_in

CALLS = "1NT Pass 2C Pass 2S Pass Pass Pass"
PRESSES = [
    *(("Next", "7", "next"), ("Next", "8", "next"), ("Next", "9", "next"), ("Back", "8", "back")),
    *(("End", "end", "back"), ("Back", "59", "back"), ("Start", "0", "next")),
]
"""The links that are pressed from step 6 on, the last before the lead, with the step and the focus afterwards."""


def mark(page: Page) -> None:
    page.evaluate("window.marked = true")


def is_marked(page: Page) -> bool:
    """Tell whether no page was loaded since `mark`."""
    return bool(page.evaluate("window.marked === true"))


def seen(page: Page) -> tuple[str, list[str]]:
    """Return what a reader sees of a page, and the addresses that it has to share."""
    return page.locator("main").inner_text(), page.eval_on_selector_all(
        "[id^=share-]", "all => all.map(it => it.value)"
    )


def press(page: Page, name: str, step: str, focused: str) -> None:
    page.get_by_role("link", name=name, exact=True).press("Enter")
    expect(page).to_have_url(re.compile(rf"\?step={step}#{focused}$"))
    expect(page.locator(f"#{focused}")).to_be_focused()
    expect(page.locator(f"#{focused}")).to_have_accessible_description(
        re.compile("^" + re.escape(page.locator("#moment").inner_text().split(":")[0]))
    )


@pytest.mark.parametrize("frame", ["", "/embed"])
def test_steps_are_the_same_with_a_script_which_loads_no_page_and_with_links_alone(
    new_page: NewPage, frame: str
) -> None:
    path = f"/boards/{played_board(5, 3, CALLS, themes=()).pk}{frame}?step=6"
    scripted, plain = new_page(width=375), new_page(width=375, javascript=False)
    for page in (scripted, plain):
        page.goto(path)
    mark(scripted)
    for each in PRESSES:
        press(scripted, *each)
        press(plain, *each)
        assert seen(scripted) == seen(plain), each
    for _, step, focused in reversed(PRESSES[:-1]):
        for page in (scripted, plain):
            page.go_back()
            expect(page).to_have_url(re.compile(rf"\?step={step}#{focused}$"))
        expect(scripted.locator("main")).to_have_text(plain.locator("main").inner_text(), use_inner_text=True)
        expect(scripted.locator(f"#{focused}")).to_be_focused()
    assert is_marked(scripted)


def test_a_step_that_cannot_be_fetched_or_is_another_page_is_opened_as_a_link(new_page: NewPage) -> None:
    board, other = played_board(5, 3, CALLS), played_board(6, 4, CALLS)
    page = new_page(reduced_motion="reduce")  # Chromium tells of each transition between pages that it breaks off

    def answer_nothing(route: Route) -> None:
        route.fulfill(body="nothing")

    def answer_another(route: Route) -> None:
        route.continue_(url=route.request.url.replace(str(board.pk), str(other.pk)))

    def unless_opened(answer: Callable[[Route], None]) -> Callable[[Route], None]:
        return lambda route: route.continue_() if route.request.is_navigation_request() else answer(route)

    for answer in (answer_another, answer_nothing):
        page.goto(f"/boards/{board.pk}?step=1")
        page.route("**/boards/**", unless_opened(answer))
        mark(page)
        page.locator("#next").click()
        expect(page).to_have_url(re.compile(r"step=2#next$"))
        expect(page.get_by_text("Call 2 of 8.")).to_be_visible()
        assert not is_marked(page), answer
        page.unroute("**/boards/**")


def test_a_page_that_looks_again_lets_a_reader_go_who_has_pressed_a_link(page: Page) -> None:
    board, looks = played_board(5, 3, CALLS), []
    page.clock.install()
    page.goto(f"/boards/{board.pk}?step=9")
    page.get_by_role("button", name="What does each card cost?").click()
    expect(page.locator("#costs")).to_contain_text("is being computed")
    page.on("request", lambda request: looks.append(request.url) if "costs=shown" in request.url else None)
    with page.expect_navigation():
        page.clock.run_for(1100)
    assert len(looks) == 1, "it looks again by itself"
    page.evaluate("dispatchEvent(new Event('beforeunload'))")  # as where a link is pressed and the next page is slow
    page.clock.run_for(60_000)
    page.wait_for_timeout(500)
    assert len(looks) == 1


def test_boards_are_dragged_and_saved_and_the_buttons_do_the_same_without_a_script(new_page: NewPage) -> None:
    for name, javascript in (("Anna", True), ("Bo", False)):
        page = new_page(width=375, javascript=javascript, reduced_motion="reduce")
        sign_in(page, "/boards", name)
        owner = Account.objects.get(display_name__startswith=name)
        boards = [factories.board(title=f"{name} {number}") for number in range(1, 6)]
        store(owner, *boards, title="Lesson")
        page.goto(f"/account/collections/{Collection.objects.get(owner=owner).pk}")
        page.get_by_role("textbox", name="Note on board 1").fill("First of all")
        handles = page.locator("#places .grip")
        if javascript:
            drag(page, handles.first, down=450)
            expect(page.get_by_role("status").filter(has_text="Not saved yet.")).to_be_in_viewport()
            moved = page.locator("#places h3 a").all_inner_texts()
            assert moved.index(f"{name} 1") > 0
            expect(page.get_by_role("spinbutton", name="Position of board 1", exact=True)).to_have_value("1")
            page.get_by_role("button", name="Save this order").click()
            expect(page.get_by_text("Not saved yet.")).to_have_count(0)
        else:
            expect(handles).to_have_count(0)
            moved = [f"{name} {number}" for number in (2, 1, 3, 4, 5)]
            page.get_by_role("button", name="Down with board 1").click()
        expect(page.locator("#places h3 a")).to_have_text(moved)
        entries = Collection.objects.get(owner=owner).entries.values_list("board__title", "note")
        assert list(entries) == [(title, "First of all" if title == f"{name} 1" else "") for title in moved]
        page.wait_for_load_state()
        assert page.evaluate(OVERFLOW) == []


def drag(page: Page, handle: Locator, *, down: int) -> None:
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box and box["height"] >= 44 and box["width"] >= 44
    x, y = box["x"] + 20, box["y"] + 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, min(y + down, 700), steps=20)
    expect(page.locator("#places > li").first.get_by_role("link")).not_to_have_text("Anna 1")
    page.mouse.up()


def test_each_script_is_smaller_than_2_kb() -> None:
    scripts = [
        path
        for name in ("steps.js", "share.js", "reorder.js", "look-again.js", "our-seat.js", "streak.js")
        if (path := finders.find(f"site/{name}"))
    ]
    assert {Path(str(path)).name: size for path in scripts if (size := Path(str(path)).stat().st_size) >= 2000} == {}


def test_the_browser_alone_knows_on_how_many_days_in_a_row_its_reader_answered(new_page: NewPage) -> None:
    """Make the days that are gone by what the browser has stored."""
    today = datetime.now(UTC).date()
    stayman = "1NT Pass 2C Pass 2H Pass 4H Pass Pass Pass"
    for age, board in enumerate((factories.board(cards=DEAL, number=12, calls=stayman), factories.board(calls=CALLS))):
        BoardOfTheDay.objects.create(day=today - timedelta(days=age), board=board)
    day = int(datetime.now(UTC).timestamp()) // 86_400
    page, sent = new_page(), []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    for stored, before, after in (
        (None, "", ""), ({"last": day - 1, "days": 6}, "6 days in a row. Today’s is the next.", "7 days in a row."),
        ({"last": day, "days": 7}, "7 days in a row.", "7 days in a row."), ({"last": day - 2, "days": 6}, "", ""),
        ("nonsense", "", ""),
    ):  # fmt: skip
        page.goto("/today")
        page.evaluate("it => localStorage.setItem('streak', JSON.stringify(it))", stored)
        page.reload()
        expect_streak(page, before)
        page.locator('button[name="said"]').first.click()
        expect(page).to_have_url(re.compile("said="))
        expect_streak(page, after)
    assert {*sent} == {"", "back=today&said=2C"}
    plain = new_page(javascript=False)
    plain.goto("/")
    expect(plain.locator("#streak")).to_be_hidden()
    assert problems_at(new_page(width=375), "/", "/today", "/today?said=2C") == {}


def expect_streak(page: Page, days: str) -> None:
    streak = page.locator("#streak")
    expect(streak).to_have_text(f"You have answered the hand of the day on {days}" if days else "")
    expect(streak).to_be_visible(visible=bool(days))
