"""The admin in a real browser: a file is uploaded, boards are changed by the hundred, and no list is too wide."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import AccountChange
from boards.files import previews
from boards.models import Board
from impersonation.models import ImpersonationEvent
from tests import factories
from tests.boards.admin.pages import LIST, UPLOAD, pbn
from tests.boards.admin.uploading import BAD_RECORD, work
from tests.boards.events.evenings import table
from tests.config.admin.conftest import one_of_everything, staff_client, submission
from tests.forms.bodies import ORGANISATION
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems_in_parts
from tests.system.browser.visits import entered, played_board

LONG_ID = "auth0|6470f0b8c1d2e3f4a5b6c7d8"
REQUEST_ID = "0b8c1d2e-3f4a-45b6-87d8-9e0f1a2b3c4d"


@pytest.fixture
def desk(page: Page) -> Page:
    """Return a page of 1280 px in which an admin is logged in."""
    call_command("load_reference_data", verbosity=0)
    return entered(page, staff_client("admin"))


def fill_with_long_values() -> None:
    """Store rows as wide as those of a real service: ids of identity providers, uuids, long names."""
    one_of_everything()
    factories.board(
        number=27,
        calls="1NT X XX Pass Pass Pass",
        title="A squeeze without the count, and how to see it at trick five",
        event="Regional championship for mixed teams of four",
        site="Deventer, Denksportcentrum",
        date="2026.11.20",
        owner=factories.account(LONG_ID, display_name="The Bridge Club of the Long Name"),
    )
    address = "wilhelmina.van-der-berg@bridgeclub-deventer.example"
    factories.account(LONG_ID[:-1], display_name="Wilhelmina van der Berg", email=address, role="support")
    routes = {"route": "api/deals/<any_uuid:deal_id>/boards/<any_uuid:pk>", "request_id": REQUEST_ID}
    ids = {"actor_id": LONG_ID, "subject_id": LONG_ID}
    AccountChange.objects.create(field="role", old="member", new="support", **ids, **routes)
    event = {"kind": "request", "method": "GET", "status": 200, "impersonation_id": factories.NOBODYS_ID}
    ImpersonationEvent.objects.create(**event, **ids, **routes)
    factories.board(
        number=27,
        calls="6NT X XX Pass Pass Pass",
        event="World championship for open, women's, senior and mixed teams of national federations",
        stage="Quarter-final, segment 3",
        room="Closed",
        table="12",
        date="2026.11.20",
    )


BROKEN_WORDS = r"""() => [...document.querySelectorAll('#result_list td, #result_list th')].flatMap(cell => {
    const found = [], texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange()
        range.setStart(texts.currentNode, word.index)
        range.setEnd(texts.currentNode, word.index + word[0].length)
        if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) found.push(word[0])
    }
    return found
})"""
"""The words in a list of the admin that stand on more than one line."""


def test_no_list_is_wider_than_a_window_of_1280_pixels_no_word_is_broken_and_rows_of_boards_have_one_or_two_lines(
    desk: Page,
) -> None:
    fill_with_long_values()
    wide: dict[str, int] = {}
    broken: dict[tuple[str, int], list[str]] = {}
    for model in admin.site._registry:
        desk.set_viewport_size({"width": 1280, "height": 800})
        desk.goto(reverse(admin_urlname(model._meta, "changelist")))
        table = desk.locator("#changelist-form .results")
        if excess := table.evaluate("each => each.scrollWidth - each.clientWidth"):
            wide[model._meta.label] = excess
        for width in (1280, 375):
            desk.set_viewport_size({"width": width, "height": 800})
            if words := desk.evaluate(BROKEN_WORDS):
                broken[model._meta.label, width] = words
    assert (wide, broken) == ({}, {})
    desk.set_viewport_size({"width": 1280, "height": 800})
    desk.goto(LIST)
    rows = desk.locator("#result_list tbody tr")
    expect(rows.filter(has_text="closed room, table 12")).to_have_count(1)
    lines = rows.evaluate_all(
        """rows => rows.map(row => {
            const style = getComputedStyle(row.cells[1])
            const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom)
            return (row.getBoundingClientRect().height - padding) / parseFloat(style.lineHeight)
        })"""
    )
    assert 1 < max(lines) < 2.5
    assert find_problems_in_parts(desk, ".object-tools", ".board-filter") == []


def test_the_page_that_is_shown_is_the_one_that_the_paginator_fills(desk: Page) -> None:
    for number in range(120):
        factories.account(f"account-of-{number}")
    desk.goto("/admin/accounts/account/?p=2")
    for scheme in ("light", "dark"):
        desk.emulate_media(color_scheme=scheme)
        grounds = "all => all.map(it => getComputedStyle(it).backgroundColor)"
        (current,) = desk.locator(".paginator .this-page").evaluate_all(grounds)
        others = desk.locator(".paginator a").evaluate_all(grounds)
        assert {*others} == {"rgba(0, 0, 0, 0)"} != {current}, scheme
        assert find_problems_in_parts(desk, ".paginator") == []


def test_last_nights_boards_are_uploaded_looked_at_and_published(desk: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbn"
    file.write_bytes(pbn(*(factories.record(number=number, event="Friday pairs") for number in (2, 3, 1))) + BAD_RECORD)
    desk.goto("/admin/")
    assert find_problems_in_parts(desk, "#content-main") == []
    desk.get_by_role("link", name="Upload a file").click()
    expect(desk.get_by_role("heading", name="Upload a file")).to_be_visible()
    assert find_problems_in_parts(desk, "#content") == []
    desk.locator("#id_file").set_input_files(file)
    desk.get_by_role("button", name="Look at the file").click()
    expect(desk.get_by_role("heading", name="Preview of evening.pbn")).to_be_visible()
    expect(desk.get_by_text("3 new boards.")).to_be_visible()
    expect(desk.get_by_text(", refused: ")).to_be_visible()
    assert find_problems_in_parts(desk, "#content") == []
    desk.get_by_label("Theme").select_option(label="Stayman (convention)")
    desk.get_by_label("Date played").fill("2026-11-20")
    desk.get_by_role("button", name="Import and publish").click()
    expect(desk.get_by_text("evening.pbn: 3 new boards, published. Refused: 1 record.")).to_be_visible()
    assert find_problems_in_parts(desk, ".messagelist") == []
    boards = Board.objects.newest_first()
    assert [(board.board_number, board.date, board.themes.get().identifier) for board in boards] == [
        (number, "2026.11.20", "stayman") for number in (2, 3, 1)
    ]


def test_without_javascript_a_large_file_is_read_by_the_worker_and_an_event_is_set(
    new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "MAX_SMALL", 0)
    board = factories.board()
    page = entered(new_page(javascript=False), staff_client("admin"))
    page.goto(UPLOAD)
    file = {"name": "congress.pbn", "mimeType": "text/plain", "buffer": pbn(factories.record())}
    page.locator("#id_file").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_role("heading", name="Reading congress.pbn")).to_be_visible()
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("Reading has not begun yet")).to_be_visible()
    work()
    expect(page.get_by_text("1 new board.")).to_be_visible()  # the page reloads itself

    page.goto(LIST)
    page.locator("input[name=_selected_action]").check()
    page.get_by_label("Action:").select_option("Set the event of selected boards")
    page.get_by_role("button", name="Go", exact=True).click()
    page.get_by_label("Event:").fill("Friday pairs")
    page.get_by_role("button", name="Set the event").click()
    expect(page.locator(".messagelist")).to_contain_text("1 board")
    board.refresh_from_db()
    assert board.event == "Friday pairs"


def test_all_boards_of_a_theme_are_found_and_unpublished(desk: Page) -> None:
    theme = factories.theme("a_squeeze", labels={"en": "A squeeze"})
    for number in range(1, 61):
        factories.board(number=number, themes=(theme,))
    factories.board(number=99)
    desk.goto(LIST)
    desk.get_by_label("Theme:").select_option(label="A squeeze (convention)")
    desk.get_by_role("button", name="Filter").click()
    expect(desk.locator("#result_list tbody tr")).to_have_count(50)
    desk.locator("#action-toggle").check()
    desk.get_by_text("Select all 60 boards").click()
    desk.get_by_label("Action:").select_option("Unpublish selected boards")
    desk.get_by_role("button", name="Go", exact=True).click()
    expect(desk.get_by_role("heading", name="Unpublish 60 boards?")).to_be_visible()
    expect(desk.get_by_text("60 boards will be hidden from readers")).to_be_visible()
    assert find_problems_in_parts(desk, "#content") == []
    desk.get_by_role("button", name="Unpublish").click()
    expect(desk.get_by_text("Unpublished 60 boards.")).to_be_visible()
    assert [board.board_number for board in Board.objects.published()] == [99]


def test_the_page_of_a_board_shows_hands_auction_and_play_and_looks_right(desk: Page) -> None:
    board = played_board(7, 7, "1C Pass 1NT Pass Pass Pass", event="Friday pairs", date="2026.11.20", tricks=None)
    desk.goto(f"{LIST}{board.pk}/change/")
    hands = desk.locator(".readonly .hands")
    width = hands.evaluate("each => each.querySelector('.diagram').scrollWidth - each.clientWidth")
    assert width <= 0, "the hands fit into their card"
    expect(desk.locator(".calls")).to_contain_text("one club")
    expect(desk.locator(".tricks li")).to_have_count(13)
    assert find_problems_in_parts(desk, ".readonly", ".submit-row", "#nav-sidebar") == []


def test_the_start_page_the_inbox_and_the_login_with_a_code_look_right(desk: Page, settings: Any) -> None:
    board = factories.board(number=7, themes=(factories.theme(),))
    report = {"boardId": str(board.pk), "problem": "wrong_cards", "message": "Two aces.\nOf spades."}
    one = submission("board-report", data={**report, "email": "ann@example.org"})
    submission("organisation", data={**ORGANISATION, "website": "https://club.example"})
    inbox = "/admin/forms/submission/"
    played = [table(1, 1, "1NT", "S", 7, event=event, site="") for event in ("Friday pairs", "Friday Pairs B")]
    rename = f"/admin/boards/event/{played[0].event_slug}/change/?event=Friday+Pairs+B&date=2026.11.20&site="
    pages = {"/admin/": "#content", inbox: "#result_list tbody", f"{inbox}{one.pk}/change/": "#content"}
    pages[rename] = "#content"
    for path, part in pages.items():
        desk.goto(path)
        assert find_problems_in_parts(desk, part) == [], path
    settings.ADMIN_ONE_TIME_CODES = True
    desk.context.clear_cookies()
    desk.goto("/admin/")
    expect(desk.get_by_label("One-time code")).to_be_visible()
    assert find_problems_in_parts(desk, "#content") == []
