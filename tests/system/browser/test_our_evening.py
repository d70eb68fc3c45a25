"""A player's morning after, on a phone: the evening, where he sat, three boards worth another look, and practice."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories
from tests.boards.events.evenings import EVENING, SLUG
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.paper import count_pages
from tests.system.browser.visits import ask_the_worker, played_board, press

CALLS = "1NT Pass 3NT Pass Pass Pass"


@pytest.fixture
def evening(transactional_db: None) -> None:
    """Store five boards at three tables of a Mitchell. Pair 7 sat North-South, and one of its plays is on record."""
    values = {"calls": CALLS, "scoring": "MP", **EVENING}
    for number in range(1, 6):
        for pair in (7, 8, 9):
            tricks = 6 + (number * pair) % 5
            seats = {"pair_ns": f"{pair}", "pair_ew": f"{pair + 10}", "table": f"{pair}"}
            if (number, pair) == (4, 7):
                played_board(4, 4, tricks=None, **seats, **values)
            else:
                factories.board(number, number=number, tricks=tricks, **seats, **values)


def look_at(page: Page) -> None:
    """See that nothing is wrong with a page, which is looked at in other widths too, and go on on the phone."""
    assert find_problems(page) == []
    page.set_viewport_size({"width": 375, "height": 800})


def test_a_player_says_where_he_sat_sees_three_boards_steps_one_through_and_practises(
    evening: None, new_page: NewPage
) -> None:
    ask_the_worker()
    page = new_page(width=375, dark=True)
    page.goto(f"/events/{SLUG}")
    page.get_by_label("Where did you sit?").fill("77")
    page.get_by_role("button", name="Our evening").click()
    expect(page.get_by_role("status")).to_have_text("Pair 77 played none of these boards. These did:")
    look_at(page)
    page.get_by_role("link", name=re.compile(r"^7\b")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair 7, North-South")
    expect(page.locator(".score-card tbody tr")).to_have_count(5)
    expect(page.locator(".quiet").first).to_contain_text(re.compile(r"\d\d\.\d\d %, rank \d=? of 3"))
    expect(page.locator("dt", has_text="Most costly card")).to_be_visible()
    expect(page.locator("dl.facts")).to_contain_text(re.compile(r"in trick \d+ cost (North-South|East-West)"))
    assert page.locator(".scrolled").evaluate("it => it.scrollWidth - it.clientWidth") <= 0
    look_at(page)
    assert count_pages(page.pdf(format="A4")) == 1
    own = page.url
    page.get_by_role("link", name="Step through").last.click()
    expect(page).to_have_url(re.compile(r"step=0$"))
    page.goto(own)
    press(page, "Practise just these")
    expect(page).to_have_url(re.compile(r"/practice/.+event="))


def test_the_browser_offers_the_seat_of_last_time_and_without_a_script_the_pages_work(
    evening: None, new_page: NewPage
) -> None:
    page = new_page(width=375)
    page.goto(f"/events/{SLUG}/ranking")
    look_at(page)
    page.get_by_role("link", name="8", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair 8, North-South")
    for path in ("", "/our"):
        page.goto(f"/events/{SLUG}{path}")
        look_at(page)
        press(page, "As last time: Pair 8, North-South")
        expect(page).to_have_url(re.compile(r"/our\?pair=8&side=NS$"))
    page.evaluate("localStorage.seat = JSON.stringify(['<b>8</b>', '#javascript:x'])")
    page.goto(f"/events/{SLUG}")
    offer = page.get_by_role("link", name="As last time: <b>8</b>")
    expect(offer).to_have_attribute("href", f"{page.url}/our?#javascript:x")
    plain = new_page(javascript=False)
    plain.goto(f"/events/{SLUG}")
    expect(plain.get_by_text("As last time")).to_have_count(0)
    plain.get_by_label("Where did you sit?").fill("8")
    plain.get_by_role("button", name="Our evening").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Pair 8")
