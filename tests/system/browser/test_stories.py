"""A club's webmaster and a player of it, from a file to the card that cost a trick."""

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Account
from boards.models import Board
from tests import factories
from tests.boards.admin.pages import pbn
from tests.bridge.strategies import random_play
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.paper import PAPERS, count_pages, find_cut_sheets
from tests.system.browser.visits import ask_the_worker, press

PASSWORD = "correct horse battery"
MATCH = {"open": "1NT Pass Pass Pass", "closed": "1NT Pass 3NT Pass Pass Pass"}
"""How the two rooms of a match call each of its boards."""

COST_A_TRICK = re.compile(r"−1(?!\d)")


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
            games.append(factories.record(number, number, calls, **texts, room=room, play=play))
    file = tmp_path / "league-night.pbn"
    file.write_bytes(pbn(*games))
    return file


def upload(page: Page, file: Path, found: str) -> None:
    """Log in to the admin, import a file and publish it. `found` is what the admin says of it before and after."""
    webmaster = factories.account("webmaster", role=Account.Role.ADMIN)
    webmaster.set_password(PASSWORD)
    webmaster.save()
    page.goto("/admin/")
    page.locator("#id_username").fill("webmaster")
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    press(page, "Boards", "Upload a file")
    page.locator("#id_file").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.locator("#content")).to_contain_text(found)
    assert not Board.objects.exists()
    page.get_by_role("button", name="Import and publish").click()
    expect(page.locator(".messagelist")).to_contain_text(f"{found}, published")


def points_after(word: str, text: str) -> int:
    """Return the points after a word of a row such as "N · None 3NT at 1 of 2 par +400 best +120 worst −50"."""
    found = re.search(rf"{word}\s*([+−]?\d+)", text)
    assert found, text
    return int(found[1].replace("−", "-"))


def test_a_player_looks_at_last_nights_match_and_at_the_card_that_cost_a_trick(
    page: Page, new_page: NewPage, last_nights_match: Path
) -> None:
    upload(new_page(), last_nights_match, "6 new boards")
    page.goto("/events")
    page.get_by_role("link", name="League night").click()
    row = page.locator("ol.evening li")
    expect(row).to_have_count(3)
    expect(row.first).not_to_contain_text("par")
    ask_the_worker()
    page.reload()
    rows = row.all_inner_texts()
    assert any(points_after("par", text) for text in rows), "there is a par"
    for text in rows:
        assert "at 1 of 2" in text
        assert points_after("best", text) >= points_after("worst", text)
    expect(page.locator(".evening svg")).to_have_count(3)
    scores = [points_after("worst", text) for text in rows]
    evening = page.url
    read_match(page)

    page.goto(evening)
    with page.expect_navigation():
        row.nth(scores.index(min(scores))).get_by_role("link").click()
    worst = page.locator("section.traveller tbody tr", has_text=f"−{-min(scores)}")
    if worst.get_by_role("link").count():
        worst.get_by_role("link").click()
    expect(page.locator("section.traveller tr.here")).to_contain_text(f"−{-min(scores)}")
    expect(page.locator("ul.says")).to_contain_text(re.compile(r"trick \d+\) cost East-West a trick"))
    page.locator(".part-play > summary").click()
    expect(page.locator(".part-play .cost", has_text=COST_A_TRICK).first).to_be_visible()
    assert find_problems(page) == []
    step_to_the_card(page)


def read_match(page: Page) -> None:
    """Open the match from its evening, see that its sum is its total, and print the results."""
    page.get_by_role("link", name="Owls – Bears").click()
    expect(page.locator("table.match tbody tr")).to_have_count(3)
    facts = page.locator("dl.facts")
    total = facts.locator("dd").first.inner_text()
    last = page.locator("table.match tbody tr").last
    expect(last.get_by_role("cell", name=total, exact=True)).to_be_visible()
    expect(facts).to_contain_text(re.compile(r"Victory points\d+\.\d\d"))
    assert find_problems(page) == []
    press(page, "All boards of League night")
    page.locator("summary", has_text="More").first.click()
    press(page, "Print results")
    for paper in PAPERS:
        assert count_pages(page.pdf(format=paper)) == 1
        assert find_cut_sheets(page, paper) == []


def step_to_the_card(page: Page) -> None:
    """Step to the card that cost a trick, and ask before it what each card costs."""
    press(page, "Step through")
    moment = page.locator("#moment")
    while not COST_A_TRICK.search(moment.inner_text()):
        press(page, "Next")
    card = re.search(r"\w+ of \w+", moment.inner_text())
    assert card
    press(page, "Back")
    page.get_by_role("button", name="What does each card cost?").click()
    costs = page.locator("#costs")
    expect(costs).to_contain_text("What each card costs is being computed.")
    ask_the_worker()
    expect(costs).to_contain_text(re.compile(rf"to play. .+ nothing; .*{card[0]}.* costs? a trick"))
    expect(page.locator(".board-hands .cost", has_text=COST_A_TRICK).first).to_be_visible()
    assert find_problems(page) == []
