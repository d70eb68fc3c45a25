"""People with something to do, from the first page to the last: a club's webmaster, its players, and a teacher.

A lesson with questions is in test_lessons.
"""

import re
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from boards.models import Board
from config.worker.shutdown import ShutdownRequest
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.solver.worker import Worker
from tests import factories
from tests.bridge_strategies import random_play
from tests.deals.solver.solvers import real_solver
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.paper import PAPERS, count_pages, find_cut_sheets

PASSWORD = "correct horse battery"
CALLS = "1NT Pass 2C X 2S Pass 4S Pass Pass Pass"
EVENING = 36
"""The boards of an evening that fill two sheets of paper."""

MATCH = {"open": "1NT Pass Pass Pass", "closed": "1NT Pass 3NT Pass Pass Pass"}
"""How the two rooms of a match call each of its boards."""

COST_A_TRICK = re.compile(r"−1(?!\d)")


@pytest.fixture
def last_night(tmp_path: Path) -> Path:
    """Write the file of an evening, as a scoring program gives it to the webmaster."""
    records = (
        factories.record(number, number, CALLS, tricks=9, event="Club night", date="2026.11.21", site="Club house")
        for number in range(1, EVENING + 1)
    )
    file = tmp_path / "last-night.pbn"
    file.write_bytes("".join([HEADER, *map(write_pbn, records)]).encode())
    return file


@pytest.fixture
def last_nights_match(tmp_path: Path) -> Path:
    """Write the file of a match of three boards, each with its play to the last card in both rooms."""
    texts = {"event": "League night", "date": "2026.11.23", "site": "Club house", "scoring": "IMP"}
    texts |= {"home_team": "Owls", "visit_team": "Bears"}
    games = []
    for number in (1, 2, 3):
        for room, calls in MATCH.items():
            bid = factories.record(number, number, calls, **texts, room=room)
            assert bid.contract
            play = random_play(bid.layout, bid.contract, 52, Random(f"{room} {number}"))
            games.append(write_pbn(factories.record(number, number, calls, **texts, room=room, play=play)))
    file = tmp_path / "league-night.pbn"
    file.write_bytes("".join([HEADER, *games]).encode())
    return file


def log_in(page: Page, live_server: LiveServer) -> None:
    webmaster = factories.account("webmaster", role=Account.Role.ADMIN)
    webmaster.set_password(PASSWORD)
    webmaster.save()
    page.goto(f"{live_server.url}/admin/")
    page.locator("#id_username").fill("webmaster")
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def upload(page: Page, file: Path, found: str) -> None:
    """Import a file in the admin and publish it. `found` is what the admin says of it before and after."""
    page.get_by_role("link", name="Boards", exact=True).last.click()
    page.get_by_role("link", name="Upload a file").click()
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.locator("#content")).to_contain_text(found)
    assert not Board.objects.exists()
    page.get_by_role("button", name="Import and publish").click()
    expect(page.locator(".messagelist")).to_contain_text(f"{found}, published")


def ask_the_worker() -> None:
    Worker(real_solver(), ShutdownRequest()).run(once=True)


def test_a_webmaster_uploads_last_nights_boards_and_prints_their_hand_records(
    page: Page, live_server: LiveServer, transactional_db: None, last_night: Path
) -> None:
    log_in(page, live_server)
    upload(page, last_night, "36 new boards")

    page.goto(live_server.url)
    page.get_by_role("link", name="Events").first.click()
    page.get_by_role("link", name="Club night").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Club night")
    expect(page.locator("main")).to_contain_text("36 boards")
    expect(page.locator("table.evening tbody tr")).to_have_count(EVENING)
    assert find_problems(page) == []
    page.get_by_role("link", name="Print hand records").click()
    for number in range(1, EVENING + 1):
        expect(page.get_by_role("link", name=f"Board {number}", exact=True)).to_be_visible()
    assert find_problems(page) == []
    for paper in PAPERS:
        assert count_pages(page.pdf(format=paper)) == 2
        assert find_cut_sheets(page, paper) == []


def points_of(cell: str) -> int:
    """Return the points at the beginning of a cell such as "−120, 3NT"."""
    found = re.match(r"[+−]?\d+", cell)
    assert found, cell
    return int(found[0].replace("−", "-"))


def test_a_player_looks_at_last_nights_match_and_at_the_card_that_cost_a_trick(
    new_page: NewPage, live_server: LiveServer, transactional_db: None, last_nights_match: Path
) -> None:
    office = new_page()
    log_in(office, live_server)
    upload(office, last_nights_match, "6 new boards")
    page = new_page()
    page.goto(f"{live_server.url}/events")
    page.get_by_role("link", name="League night").click()
    row = page.locator("table.evening tbody tr")
    expect(row).to_have_count(3)
    expect(row.first.locator("td").nth(2)).to_have_text("–")
    ask_the_worker()
    page.reload()
    pars = [points_of(each.locator("td").nth(2).inner_text()) for each in row.all()]
    assert any(pars)
    for each in row.all():
        expect(each.locator("td").nth(3)).to_contain_text("at 1 of 2")
        best, worst = (points_of(each.locator("td").nth(column).inner_text()) for column in (4, 5))
        expect(each.locator("td").nth(6)).to_have_text(str(best - worst))
    scores = [points_of(each.locator("td").nth(5).inner_text()) for each in row.all()]
    evening = page.url

    page.get_by_role("link", name="Owls – Bears").click()
    expect(page.locator("table.match tbody tr")).to_have_count(3)
    facts = page.locator("dl.facts")
    total = facts.locator("dd").first.inner_text()
    last = page.locator("table.match tbody tr").last
    expect(last.get_by_role("cell", name=total, exact=True)).to_be_visible()
    expect(facts).to_contain_text(re.compile(r"Victory points\d+\.\d\d"))
    assert find_problems(page) == []
    page.get_by_role("link", name="All boards of League night").click()

    page.get_by_role("link", name="Print results").click()
    for paper in PAPERS:
        assert count_pages(page.pdf(format=paper)) == 1
        assert find_cut_sheets(page, paper) == []

    page.goto(evening)
    row.nth(scores.index(min(scores))).locator("td").nth(5).get_by_role("link").click()
    expect(page.locator("section.traveller tr.here")).to_contain_text(f"−{-min(scores)}")
    review = page.locator("ul.verdict")
    expect(review).to_contain_text(re.compile(r"trick \d+\) cost East-West a trick"))
    expect(page.locator("section.part-play .cost", has_text=COST_A_TRICK).first).to_be_visible()
    assert find_problems(page) == []

    page.get_by_role("link", name="Step through it").click()
    moment = page.locator("#moment")
    while not COST_A_TRICK.search(moment.inner_text()):
        with page.expect_navigation():
            page.get_by_role("link", name="Next", exact=True).click()
    card = re.search(r"\w+ of \w+", moment.inner_text())
    assert card
    page.get_by_role("link", name="Back", exact=True).click()
    page.get_by_role("button", name="What does each card cost?").click()
    costs = page.locator("#costs")
    expect(costs).to_contain_text("What each card costs is being computed.")
    ask_the_worker()
    expect(costs).to_contain_text(re.compile(rf"to play. .+ nothing; .*{card[0]}.* costs? a trick"))
    expect(page.locator(".board-hands .cost", has_text=COST_A_TRICK).first).to_be_visible()
    assert find_problems(page) == []


def press_until_gone(page: Page, *names: str) -> int:
    """Follow the link that has one of these names until no page has it any more, and return how often."""
    link = page.get_by_role("link", name=re.compile(rf"^({'|'.join(names)})$"))
    for presses in range(100):
        if not link.count():
            return presses
        with page.expect_navigation():
            link.click()
    raise AssertionError(f"There is always another of {names}.")


def test_a_teacher_steps_through_a_board_of_a_theme_and_practises_the_next(
    new_page: NewPage, live_server: LiveServer, transactional_db: None
) -> None:
    call_command("load_reference_data", verbosity=0)
    call_command("load_demonstration", verbosity=0)
    page = new_page(width=375, javascript=False)
    heading = page.get_by_role("heading", level=1)
    page.goto(live_server.url)
    page.get_by_role("link", name="Themes", exact=True).first.click()
    page.get_by_role("link", name="Weak two", exact=True).click()
    expect(heading).to_have_text("Weak two")
    page.get_by_role("link", name="When a weak two is raised too high").click()
    expect(page.get_by_role("heading", name="The board at 2 tables")).to_be_visible()
    page.get_by_role("link", name="Table 2").click()

    page.get_by_role("link", name="Step through it").click()
    expect(page.get_by_role("link", name="Next", exact=True)).to_be_visible()
    calls, cards = 11, 52
    assert press_until_gone(page, "Next") == calls + cards
    expect(page.locator("main")).to_contain_text("made +1")
    page.get_by_role("link", name="Show everything").click()

    page.get_by_role("link", name="Weak two", exact=True).click()
    page.get_by_role("link", name="All 4 boards").click()
    page.get_by_role("link", name="Practise these boards").click()
    expect(heading).to_have_text("Practice board")
    expect(page.locator("main")).not_to_contain_text("weak two", ignore_case=True)
    assert press_until_gone(page, "Next call", "Show the call") >= 4
    page.get_by_role("link", name="Show all hands").click()
    expect(heading).to_contain_text("weak two")
    page.get_by_role("link", name="Next board of this theme").click()
    expect(heading).to_have_text("Practice board")
    expect(page.get_by_role("link", name=re.compile("^(Next call|Show the call)$"))).to_be_visible()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
