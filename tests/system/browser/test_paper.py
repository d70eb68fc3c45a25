"""Pages on paper and in forced colours: what is cut, what is lost without backgrounds and colours."""

from typing import Any

import pytest
from playwright.sync_api import Page

from bridge.double_dummy import DoubleDummyTable
from bridge.vulnerability import Vulnerability
from deals.models import Deal
from tests import factories
from tests.boards.events.evenings import SLUG, table
from tests.system.browser.conftest import NewPage
from tests.system.browser.paper import MARGIN, MILLIMETRE, PAPERS, count_pages, find_cut_sheets
from tests.system.browser.visits import played_board

PAR = {"score": -1400, "contracts": ["NS 4SX-5", "NS 4HX-5", "N 3NTX-5", "S 5CX-5"]}


def solve_with_the_longest_numbers() -> None:
    tricks = DoubleDummyTable.from_tricks({seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 13) for seat in "NESW"})
    pars = dict.fromkeys(Vulnerability, PAR)
    Deal.objects.update(double_dummy_status="done", double_dummy=tricks.digits, par=pars)


def test_thirty_six_boards_fill_two_pages_and_none_is_cut(page: Page) -> None:
    for number in range(1, 37):
        factories.board(seed=number, number=number, event="A very long name of an event. " * (number % 6))
    solve_with_the_longest_numbers()
    page.goto("/boards/print")
    assert [sheet.locator(".record").count() for sheet in page.locator(".sheet").all()] == [18, 18]
    for paper in PAPERS:
        assert count_pages(page.pdf(format=paper)) == 2
        assert find_cut_sheets(page, paper) == []
        page.emulate_media(media="print")
        for record in page.locator(".record").all():
            overflow = "it => [it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight]"
            assert max(record.evaluate(overflow)) <= 0
            assert record.evaluate("it => parseFloat(getComputedStyle(it).fontSize)") >= 7 / 72 * 96 - 0.01


@pytest.mark.parametrize("has_teams", [True, False], ids=["teams", "pairs"])
def test_results_of_thirty_tables_are_whole_and_no_column_is_cut(has_teams: bool, page: Page) -> None:
    for number in range(1, 5):
        for place in range(30):
            teams = {"home_team": f"Netherlands {place // 2}", "visit_team": "Switzerland"} if has_teams else {}
            table(number, number, "4HXX", "NESW"[place % 4], 4 + place % 7, table=str(place), **teams)
    solve_with_the_longest_numbers()
    page.goto(f"/events/{SLUG}/results")
    for paper, (paper_width, _) in PAPERS.items():
        assert count_pages(page.pdf(format=paper)) <= (2 if has_teams else 1)
        width = round((paper_width - 2 * MARGIN) * MILLIMETRE)
        page.set_viewport_size({"width": width, "height": 1000})
        page.emulate_media(media="print")
        tables = page.locator(".results table").all()
        assert {it.evaluate("it => getComputedStyle(it).breakInside") for it in tables} == {"avoid"}
        columns = 2 if has_teams else 3
        column = (width - 5 * MILLIMETRE * (columns - 1)) / columns
        assert max(it.evaluate("it => it.getBoundingClientRect().width") for it in tables) <= column + 1


def test_a_board_with_its_whole_play_prints_on_two_pages_and_no_table_is_cut(page: Page) -> None:
    calls = "1C Pass 1H Pass 2NT Pass 3NT Pass Pass Pass"
    board = played_board(5, 1, calls, tricks=None, title="A title", commentary="One. " * 200)
    page.goto(f"/boards/{board.pk}")
    assert count_pages(page.pdf(format="A4")) <= 2
    page.emulate_media(media="print")
    for whole in (".diagram", "tr", ".facts div", ".board-parts section:not(.part-wide)"):
        found = page.locator(whole).all()
        assert found
        assert {it.evaluate("it => getComputedStyle(it).breakInside") for it in found} == {"avoid"}


LEAVE_OUT_BACKGROUNDS = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
        *, ::before, ::after { background: none !important; box-shadow: none !important; }
        html { filter: grayscale(1); }
    `);
    document.adoptedStyleSheets = [sheet];
}"""
"""Do what browsers do when they print without background graphics, in black and white."""

LOOKS: dict[str, dict[str, Any]] = {
    "forced colours": {"forced_colors": "active"},
    "forced colours, dark": {"forced_colors": "active", "dark": True},
    "paper": {},
}


@pytest.mark.parametrize("look", LOOKS)
def test_dealer_and_vulnerability_are_seen_on_paper_and_in_forced_colours(look: str, new_page: NewPage) -> None:
    page = new_page(**LOOKS[look])
    if look == "paper":
        page.emulate_media(media="print")
    pictures = []
    # The first four boards have all dealers and all vulnerabilities, the fifth the first's dealer and not its sides.
    for number in (1, 2, 3, 4, 5, 1):
        board = factories.board(seed=5, number=number)
        page.goto(f"/boards/{board.pk}")
        page.evaluate("document.fonts.ready")
        dealer = page.locator(".dealer")
        colour, ground = dealer.evaluate("it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]")
        assert colour != ground and dealer.evaluate("it => getComputedStyle(it).outlineWidth") == "2px"
        if look == "paper":
            assert (colour, ground) == ("rgb(20, 33, 27)", "rgba(0, 0, 0, 0)")
            page.evaluate(LEAVE_OUT_BACKGROUNDS)
        pictures.append(page.locator(".compass").screenshot())
        board.delete()
    assert len(set(pictures)) == 5 and pictures[0] == pictures[-1], "equal pictures cannot be told apart"
