"""A webmaster's week: an evening goes up, is corrected, and gets an adjusted score. The page agrees with the club's
sheet at each step."""

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, expect

from boards.models import Board
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.seats import Seat
from tests import factories
from tests.boards.admin.pages import UPLOAD, pbn
from tests.config.admin.conftest import staff_client
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.visits import entered, press

EVENING = {"event": "Friday pairs", "site": "Delft", "date": "2026.11.20", "scoring": "MP"}
ONE_NOTRUMP = Contract.parse("1NT", Seat.NORTH)


def evening() -> list[BoardRecord]:
    """Return eight boards at three tables: one notrump just made by pair 1, with an overtrick by 2, with two by 3."""
    return [
        factories.record(
            number, number, contract=ONE_NOTRUMP, tricks=6 + pair, pair_ns=f"{pair}", pair_ew=f"{pair + 3}", **EVENING
        )
        for number in range(1, 9)
        for pair in (1, 2, 3)
    ]


def send(desk: Page, file: Path, records: list[BoardRecord], preview: str, done: str) -> None:
    """Upload and publish an evening. `preview` and `done` are what the admin says of it before and after."""
    file.write_bytes(pbn(*records))
    desk.goto(UPLOAD)
    desk.locator("#id_file").set_input_files(file)
    desk.get_by_role("button", name="Look at the file").click()
    expect(desk.get_by_text(preview)).to_be_visible()
    desk.get_by_role("button", name="Import and publish").click()
    expect(desk.get_by_text(done)).to_be_visible()


def sheet_of(page: Page) -> dict[str, str]:
    """Return the matchpoints of the first board by pairs, as the sheet of results prints them."""
    page.goto("/events")
    page.get_by_role("link", name="Friday pairs").first.click()
    page.locator("summary", has_text="More").click()
    press(page, "Print results")
    rows = page.locator("table").first.locator("tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    return {row[0]: row[-1] for row in cells}


def test_an_evening_is_uploaded_corrected_and_adjusted_and_agrees_with_the_clubs_sheet(
    page: Page, new_page: NewPage, tmp_path: Path
) -> None:
    desk, file, records = entered(new_page(), staff_client("admin")), tmp_path / "friday.pbn", evening()
    send(desk, file, records, "24 new boards.", "friday.pbn: 24 new boards, published.")
    assert sheet_of(page) == {"1 v 4": "0", "2 v 5": "2", "3 v 6": "4"}
    assert find_problems(page) == []

    records[0] = replace(records[0], tricks=9)
    send(desk, file, records, "1 corrected, 0 new boards, 23 the same.", "Corrected: 1. Already stored: 23.")
    assert sheet_of(page) == {"1 v 4": "3", "2 v 5": "0", "3 v 6": "3"}

    records[1] = replace(records[1], contract=None, tricks=None, adjustment="A60-40")
    send(desk, file, records, "1 corrected, 0 new boards, 23 the same.", "Corrected: 1. Already stored: 23.")
    assert sheet_of(page) == {"1 v 4": "2", "2 v 5": "2.4", "3 v 6": "2"}
    expect(page.get_by_text("A60-40")).to_be_visible()
    assert Board.objects.count() == 24
