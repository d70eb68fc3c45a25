"""Pages on paper and in forced colours: what is cut, what is lost without backgrounds and colours."""

from random import Random

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from deals.bridge.vulnerability import Vulnerability
from deals.double_dummy import Table
from deals.models import Deal
from tests import factories
from tests.boards.events.evenings import SLUG, table
from tests.bridge_strategies import random_play
from tests.system.browser.conftest import NewPage
from tests.system.browser.paper import MARGIN, MILLIMETRE, PAPERS, count_pages

PAR = {"score": -1400, "contracts": ["NS 4SX-5", "NS 4HX-5", "N 3NTX-5", "S 5CX-5"]}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("paper", PAPERS)
def test_thirty_six_boards_fill_two_pages_and_none_is_cut(paper: str, page: Page, live_server: LiveServer) -> None:
    for number in range(1, 37):
        factories.board(seed=number, number=number, event="A very long name of an event. " * (number % 6))
    tricks = {seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 13) for seat in "NESW"}
    pars = dict.fromkeys(Vulnerability, PAR)
    Deal.objects.update(double_dummy_status="done", double_dummy=Table.from_tricks(tricks).digits, par=pars)
    page.goto(f"{live_server.url}/boards/print")
    assert count_pages(page.pdf(format=paper)) == 2
    width, height = (round((side - 2 * MARGIN) * MILLIMETRE) for side in PAPERS[paper])
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(media="print")
    sheets = page.locator(".sheet")
    assert [sheet.locator(".record").count() for sheet in sheets.all()] == [18, 18]
    first, second = (sheet.bounding_box() for sheet in sheets.all())
    assert first and second
    assert first["y"] + first["height"] <= height and second["height"] <= height
    for record in page.locator(".record").all():
        overflow = "it => [it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight]"
        assert max(record.evaluate(overflow)) <= 0
        assert record.evaluate("it => parseFloat(getComputedStyle(it).fontSize)") >= 7 / 72 * 96 - 0.01


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("has_teams", [True, False], ids=["teams", "pairs"])
def test_results_of_thirty_tables_are_whole_and_no_column_is_cut(
    has_teams: bool, paper: str, page: Page, live_server: LiveServer
) -> None:
    for number in range(1, 5):
        for place in range(30):
            teams = {"home_team": f"Netherlands {place // 2}", "visit_team": "Switzerland"} if has_teams else {}
            table(number, number, "4HXX", "NESW"[place % 4], 4 + place % 7, table=str(place), **teams)
    Deal.objects.update(
        double_dummy_status="done",
        double_dummy=Table.from_tricks({seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 13) for seat in "NESW"}).digits,
        par=dict.fromkeys(Vulnerability, PAR),
    )
    page.goto(f"{live_server.url}/events/{SLUG}/results")
    assert count_pages(page.pdf(format=paper)) <= (2 if has_teams else 1)
    width = round((PAPERS[paper][0] - 2 * MARGIN) * MILLIMETRE)
    page.set_viewport_size({"width": width, "height": 1000})
    page.emulate_media(media="print")
    tables = page.locator(".results table").all()
    assert {it.evaluate("it => getComputedStyle(it).breakInside") for it in tables} == {"avoid"}
    columns = 2 if has_teams else 3
    column = (width - 5 * MILLIMETRE * (columns - 1)) / columns
    assert max(it.evaluate("it => it.getBoundingClientRect().width") for it in tables) <= column + 1


@pytest.mark.django_db(transaction=True)
def test_a_board_with_its_whole_play_prints_on_two_pages_and_no_table_is_cut(
    page: Page, live_server: LiveServer
) -> None:
    calls = "1C Pass 1H Pass 2NT Pass 3NT Pass Pass Pass"
    record = factories.record(seed=5, number=1, calls=calls)
    play = random_play(record.layout, record.contract, 52, Random(1))
    board = factories.board(
        seed=5, number=1, calls=calls, play=play, tricks=None, title="A title", commentary="One. " * 200
    )
    page.goto(f"{live_server.url}/boards/{board.pk}")
    assert count_pages(page.pdf(format="A4")) <= 2
    page.emulate_media(media="print")
    for whole in (".diagram", "tr", ".facts div", ".board-parts section:not(.part-wide)"):
        found = page.locator(whole).all()
        assert found
        assert {it.evaluate("it => getComputedStyle(it).breakInside") for it in found} == {"avoid"}


def looks_of(page: Page, live_server: LiveServer, numbers: list[int]) -> list[bytes]:
    """Return a picture of the compass of a board for each number. Equal pictures cannot be told apart."""
    pictures = []
    for number in numbers:
        board = factories.board(seed=5, number=number)
        page.goto(f"{live_server.url}/boards/{board.pk}")
        page.evaluate("document.fonts.ready")
        if page.evaluate("matchMedia('print').matches"):
            leave_out_backgrounds(page)
        pictures.append(page.locator(".compass").screenshot())
        board.delete()
    return pictures


def leave_out_backgrounds(page: Page) -> None:
    """Do what browsers do when they print without background graphics, in black and white."""
    page.evaluate(
        """() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(`
                *, ::before, ::after { background: none !important; box-shadow: none !important; }
                html { filter: grayscale(1); }
            `);
            document.adoptedStyleSheets = [sheet];
        }"""
    )


LOOKS = {
    "forced colours": {"forced_colors": "active"},
    "forced colours, dark": {"forced_colors": "active", "dark": True},
    "paper": {},
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("look", LOOKS)
def test_dealer_and_vulnerability_are_seen_on_paper_and_in_forced_colours(
    look: str, new_page: NewPage, live_server: LiveServer
) -> None:
    page = new_page(**LOOKS[look])
    if look == "paper":
        page.emulate_media(media="print")
    # The first four boards have all dealers and all vulnerabilities, the fifth the first's dealer and not its sides.
    pictures = looks_of(page, live_server, [1, 2, 3, 4, 5])
    assert len(set(pictures)) == 5
    again = looks_of(page, live_server, [1])
    assert again == pictures[:1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("look", LOOKS)
def test_the_letter_of_the_dealer_can_be_read(look: str, new_page: NewPage, live_server: LiveServer) -> None:
    board = factories.board(seed=5, number=1)
    page = new_page(**LOOKS[look])
    if look == "paper":
        page.emulate_media(media="print")
    page.goto(f"{live_server.url}/boards/{board.pk}")
    dealer = page.locator(".dealer")
    colour, ground = dealer.evaluate("it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]")
    assert colour != ground and dealer.evaluate("it => getComputedStyle(it).borderTopWidth") == "2px"
    if look == "paper":
        assert (colour, ground) == ("rgb(26, 26, 26)", "rgba(0, 0, 0, 0)")
