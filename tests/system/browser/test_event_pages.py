"""The pages about events in a real browser, and a board's page with its traveller."""

import pytest
from playwright.sync_api import Page

from boards.models import Board
from bridge.board import ROOMS
from tests.boards.events.evenings import board, table
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, problems_at

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


def test_each_page_looks_right(played: Board, page: Page) -> None:
    event = f"/events/{played.event_slug}"
    of_event = [event + more for more in ("", "/print", "/results", f"/match?home={LONG}&visit=Bears")]
    boards = (f"/boards/{played.pk}", f"/boards?event={played.event_slug}", "/boards?event=nothing&dateFrom=x")
    assert problems_at(page, "/events", *of_event, *boards) == {}


def test_a_traveller_fits_on_a_phone(played: Board, new_page: NewPage) -> None:
    page = new_page(width=375)
    for teams in ([("", "")] * 4, [("Netherlands", "Switzerland"), ("Owls", "Bears")] * 2):
        for number, (home, visit) in enumerate(teams, 1):
            Board.objects.filter(table=str(number)).update(home_team=home, visit_team=visit)
        page.goto(f"/boards/{played.pk}")
        assert page.locator(".traveller").evaluate("it => it.scrollWidth - it.clientWidth") <= 0
        assert page.get_by_text("Cross-IMPs").count() == (2 if any(teams[0]) else 0)
        assert find_problems(page) == []
        page.set_viewport_size({"width": 375, "height": 800})
