"""The pages about events in a real browser, and a board's page with its traveller."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board
from deals.bridge.board import ROOMS
from tests.boards.events.evenings import board, table
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems

PATHS = (
    "/events",
    "/events/{event}",
    "/events/{event}/results",
    "/events/{event}/match?home={long}&visit=Bears",
    "/boards/{board}",
    "/boards?event={event}",
    "/boards?event=nothing&dateFrom=x",
)
LONG = "Verylongwordindeed" * 6


@pytest.fixture
def played(transactional_db: None) -> Board:
    """Store an evening of four deals: one with a long title, one at several tables, one of a match."""
    board(1), board(3, title=f"A title with a very long word: {LONG}")
    board(1, event=LONG, site=LONG, date="")
    for room in ROOMS:
        table(4, 4, "4SX", "S", 4 + len(room), home_team=LONG, visit_team="Bears", room=room)
    results = (("4S", "S", 10), ("3NT", "W", 3), ("4SX", "S", 8), ("Pass", "N", None))
    tables = [
        table(2, 2, contract, declarer, tricks, table=str(number), home_team=LONG, visit_team=str(number))
        for number, (contract, declarer, tricks) in enumerate(results, 1)
    ]
    return tables[0]


@pytest.mark.parametrize("path", PATHS)
def test_a_page_looks_right(path: str, played: Board, page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + path.format(board=played.pk, event=played.event_slug, long=LONG))
    assert find_problems(page) == []


def test_a_reader_leafs_through_an_evening_without_javascript(
    played: Board, new_page: NewPage, live_server: LiveServer
) -> None:
    page = new_page(width=375, javascript=False)
    page.goto(live_server.url)
    page.get_by_role("link", name="Events").click()
    page.get_by_role("link", name="Friday pairs").click()
    page.get_by_role("link", name="Board 1").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Board 1 of Friday pairs, 20 November 2026")
    page.get_by_role("link", name="Board 2").click()
    expect(page.get_by_role("heading", name="The board at 4 tables")).to_be_visible()
    page.get_by_role("link", name="Board 3").click()
    expect(heading).to_contain_text("A title")
    page.get_by_role("link", name="All boards of Friday pairs").click()
    expect(heading).to_have_text("Friday pairs")


@pytest.mark.parametrize("teams", [[("", "")] * 4, [("Netherlands", "Switzerland"), ("Owls", "Bears")] * 2])
def test_a_traveller_fits_on_a_phone(
    teams: list[tuple[str, str]], played: Board, new_page: NewPage, live_server: LiveServer
) -> None:
    for number, (home, visit) in enumerate(teams, 1):
        Board.objects.filter(table=str(number)).update(home_team=home, visit_team=visit)
    page = new_page(width=375)
    page.goto(f"{live_server.url}/boards/{played.pk}")
    hidden = page.evaluate(
        "(() => { const box = document.querySelector('.traveller .scrolled');"
        " return box.scrollWidth - box.clientWidth; })()"
    )
    assert hidden <= 0
    assert page.get_by_text("Cross-IMPs").count() == (2 if any(map(any, teams)) else 0)
    assert find_problems(page) == []
