"""The admin in a real browser: a file is uploaded, boards are changed by the hundred, and no list is too wide."""

from pathlib import Path

import pytest
from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import AccountChange
from boards.files import previews
from boards.models import Board
from config.worker.runner import Runner
from config.worker.shutdown import ShutdownRequest
from impersonation.models import ImpersonationEvent
from tests import factories
from tests.boards.admin.pages import LIST, UPLOAD, pbn
from tests.config.admin.conftest import one_of_everything, staff_client
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems_in_parts

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
LONG_ID = "auth0|6470f0b8c1d2e3f4a5b6c7d8"
REQUEST_ID = "0b8c1d2e-3f4a-45b6-87d8-9e0f1a2b3c4d"


def log_in(page: Page, client: Client, live_server: LiveServer) -> Page:
    (cookie,) = client.cookies.values()
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    return page


@pytest.fixture
def desk(page: Page, live_server: LiveServer, transactional_db: None) -> Page:
    """Return a page of 1280 px in which an admin is logged in."""
    call_command("load_reference_data", verbosity=0)
    return log_in(page, staff_client("admin"), live_server)


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
    routes = {"route": "api/deals/<any_uuid:deal_id>/boards/<any_uuid:pk>", "request_id": REQUEST_ID}
    ids = {"actor_id": LONG_ID, "subject_id": LONG_ID}
    AccountChange.objects.create(field="role", old="member", new="support", **ids, **routes)
    event = {"kind": "request", "method": "GET", "status": 200, "impersonation_id": factories.NOBODYS_ID}
    ImpersonationEvent.objects.create(**event, **ids, **routes)


def test_no_list_is_wider_than_a_window_of_1280_pixels(desk: Page, live_server: LiveServer) -> None:
    fill_with_long_values()
    wide: dict[str, int] = {}
    for model in MODELS:
        desk.goto(live_server.url + list_of(model))
        table = desk.locator("#changelist-form .results")
        if excess := table.evaluate("each => each.scrollWidth - each.clientWidth"):
            wide[model._meta.label] = excess
    assert wide == {}


def test_a_row_of_the_list_of_boards_is_one_or_two_lines_high(desk: Page, live_server: LiveServer) -> None:
    fill_with_long_values()
    factories.board(
        number=27,
        calls="6NT X XX Pass Pass Pass",
        event="World championship for open, women's, senior and mixed teams of national federations",
        stage="Quarter-final, segment 3",
        room="Closed",
        table="12",
        date="2026.11.20",
    )
    desk.goto(live_server.url + LIST)
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


def list_of(model: type[Model]) -> str:
    return reverse(admin_urlname(model._meta, "changelist"))


def test_last_nights_boards_are_uploaded_looked_at_and_published(
    desk: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    file = tmp_path / "evening.pbn"
    file.write_bytes(
        pbn(*(factories.record(number=number, event="Friday pairs") for number in (2, 3, 1)))
        + b'[Board "4"]\r\n[Deal "N:AKQJ.T98.765.432 - - -"]\r\n\r\n'
    )
    desk.goto(f"{live_server.url}/admin/")
    assert find_problems_in_parts(desk, "#content-main") == []
    desk.get_by_role("link", name="Upload a file").click()
    expect(desk.get_by_role("heading", name="Upload a file")).to_be_visible()
    assert find_problems_in_parts(desk, "#content") == []
    desk.get_by_label("File").set_input_files(file)
    desk.get_by_role("button", name="Look at the file").click()
    expect(desk.get_by_role("heading", name="Preview of evening.pbn")).to_be_visible()
    expect(desk.get_by_text("3 new boards.")).to_be_visible()
    expect(desk.get_by_role("cell", name="refused")).to_be_visible()
    assert find_problems_in_parts(desk, "#content") == []
    desk.get_by_label("Theme").select_option(label="Stayman (convention)")
    desk.get_by_label("Date played").fill("2026-11-20")
    desk.get_by_role("button", name="Import and publish").click()
    expect(desk.get_by_text("evening.pbn: 3 new boards, published. Refused: 1 record.")).to_be_visible()
    assert find_problems_in_parts(desk, ".messagelist") == []
    assert [board.board_number for board in Board.objects.newest_first()] == [2, 3, 1]
    assert {board.date for board in Board.objects.all()} == {"2026.11.20"}
    assert {board.themes.get().identifier for board in Board.objects.all()} == {"stayman"}


def test_the_page_of_a_large_file_shows_what_the_worker_has_read_without_javascript(
    new_page: NewPage, live_server: LiveServer, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previews, "MAX_SMALL", 0)
    page = log_in(new_page(javascript=False), staff_client("admin"), live_server)
    page.goto(live_server.url + UPLOAD)
    file = {"name": "congress.pbn", "mimeType": "text/plain", "buffer": pbn(factories.record())}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_role("heading", name="Reading congress.pbn")).to_be_visible()
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("It has not begun yet")).to_be_visible()
    Runner(ShutdownRequest()).run(once=True)
    expect(page.get_by_text("1 new board.")).to_be_visible(timeout=30_000)  # the page reloads itself


def test_all_boards_of_a_theme_are_found_and_unpublished(desk: Page, live_server: LiveServer) -> None:
    theme = factories.theme("a_squeeze", labels={"en": "A squeeze"})
    for number in range(1, 61):
        factories.board(number=number, themes=(theme,))
    factories.board(number=99)
    desk.goto(live_server.url + LIST)
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


def test_an_event_is_set_without_javascript(new_page: NewPage, live_server: LiveServer, transactional_db: None) -> None:
    board = factories.board()
    page = log_in(new_page(javascript=False), staff_client("admin"), live_server)
    page.goto(live_server.url + LIST)
    page.locator("input[name=_selected_action]").check()
    page.get_by_label("Action:").select_option("Set the event of selected boards")
    page.get_by_role("button", name="Go", exact=True).click()
    page.get_by_label("Event:").fill("Friday pairs")
    page.get_by_role("button", name="Set the event").click()
    expect(page.locator(".messagelist")).to_contain_text("1 board")
    board.refresh_from_db()
    assert board.event == "Friday pairs"


def test_what_is_ours_of_the_list_of_boards_looks_right(desk: Page, live_server: LiveServer) -> None:
    fill_with_long_values()
    desk.goto(live_server.url + LIST)
    assert find_problems_in_parts(desk, ".object-tools", ".board-filter") == []
