"""Members with something to do, on a phone and without JavaScript: a player votes, a teacher makes a collection.

Support looks as a member. How a member's board is reviewed is in test_own_boards, collections by keyboard in
test_collections.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from accounts.roles import ensure_support_group
from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests.config.admin.conftest import staff_client
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from tests.system.browser.paper import count_pages
from tests.system.browser.test_own_boards import with_session
from voting.models import Vote


@pytest.fixture
def boards(transactional_db: None) -> list[Board]:
    calls = "1NT Pass 3NT Pass Pass Pass"
    return [factories.board(seed=number, calls=calls, title=f"Board of {number} tricks") for number in (1, 2, 3)]


def sign_in(page: Page, live_server: LiveServer, path: str, name: str = "Anna") -> None:
    """Sign in as a demonstration member by the link of a page, which the sign-in leads back to."""
    page.goto(live_server.url + path)
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_role("button", name=f"{name}, who").click()
    expect(page).to_have_url(live_server.url + path)


def press(page: Page, key: str, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press(key)


def test_a_player_signs_in_votes_takes_it_back_and_signs_a_lost_phone_out(
    new_page: NewPage, live_server: LiveServer, boards: list[Board]
) -> None:
    phone = new_page(width=375, javascript=False, user_agent="Mozilla/5.0 (iPhone) Version/19.0 Safari/605.1")
    sign_in(phone, live_server, "/boards")
    up = phone.get_by_role("button", name="Vote for").first
    up.focus()
    press(phone, "Enter")
    expect(up).to_have_attribute("aria-pressed", "true")
    expect(up).to_be_focused()
    expect(up).to_have_accessible_name("Vote for: 1, your vote. Press to take it back")
    assert Vote.objects.get().account_id == "demo-anna"
    press(phone, "Tab")
    press(phone, "Enter")
    down = phone.get_by_role("button", name="Vote against").first
    expect(down).to_have_attribute("aria-pressed", "true")
    expect(down).to_be_focused()
    press(phone, "Space")
    expect(down).to_have_attribute("aria-pressed", "false")
    assert not Vote.objects.exists()
    phone.get_by_role("link", name="Board of").first.click()
    phone.get_by_role("button", name="Vote for").click()
    expect(phone.get_by_role("button", name="Vote for")).to_have_attribute("aria-pressed", "true")

    laptop = new_page()
    sign_in(laptop, live_server, f"/boards/{Vote.objects.get().board_id}")
    expect(laptop.get_by_role("button", name="Vote for")).to_have_attribute("aria-pressed", "true")
    laptop.goto(f"{live_server.url}/account/devices")
    assert find_problems(laptop) == []
    laptop.get_by_role("button", name="Sign out of Safari on iPhone").click()
    expect(laptop.get_by_text("1 device signed out.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    expect(phone.get_by_role("button", name="Vote for")).to_have_count(0)

    laptop.goto(f"{live_server.url}/boards")
    assert find_problems(laptop) == []
    laptop.get_by_role("button", name="Sign out", exact=True).click()
    expect(laptop.get_by_role("heading", name="You are signed out")).to_be_visible()
    assert find_problems(laptop) == []
    laptop.go_back()
    laptop.reload()
    expect(laptop.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


GAMES, PARTSCORES = (1, 3, 4, 6, 7, 8), (2, 5)
"""The boards of the teacher's file that were played in a game, and the others."""


@pytest.fixture
def lesson(tmp_path: Path, transactional_db: None) -> Path:
    """Write a file of eight boards, six of which are in four spades."""
    call_command("load_reference_data", verbosity=0)
    calls = dict.fromkeys(GAMES, "1S Pass 4S Pass Pass Pass") | dict.fromkeys(PARTSCORES, "1S Pass Pass Pass")
    records = [
        factories.record(number, number, calls[number], event="Tuesday lesson", date="2026.11.24")
        for number in sorted(calls)
    ]
    file = tmp_path / "tuesday.pbn"
    file.write_bytes("".join([HEADER, *map(write_pbn, records)]).encode())
    return file


def order_of(page: Page) -> list[str]:
    """Return the numbers of the boards that a collection's page shows, in its order."""
    names = page.locator(".collected .preview-name a").all_inner_texts()
    return [name.split()[1] for name in names]


def test_a_teacher_makes_a_collection_of_a_search_reorders_prints_shares_and_practises_it(
    new_page: NewPage, live_server: LiveServer, lesson: Path, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "open"
    page = new_page(width=375, javascript=False)
    sign_in(page, live_server, "/boards", "Bo")
    page.get_by_role("link", name="My boards").click()
    page.get_by_role("link", name="Upload a file").click()
    page.get_by_label("File").set_input_files(lesson)
    page.get_by_role("button", name="Look at the file").click()
    page.get_by_role("button", name="Import and publish").click()
    expect(page.get_by_text("Published 8 boards.")).to_be_visible()

    page.goto(f"{live_server.url}/boards")
    page.get_by_label("Search", exact=True).fill("contract=4S")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Make a collection of these boards").click()
    expect(page.get_by_text("It begins with 6 boards.")).to_be_visible()
    page.get_by_label("Title").fill("Raising to game")
    page.get_by_role("button", name="Make the collection").click()
    expect(page.get_by_text("6 boards of 300 at most")).to_be_visible()
    editing = page.url
    page.get_by_label("Note on board 6").fill("Begin with this one.")
    page.get_by_role("button", name="Move board 6 to the top").click()
    expect(page.get_by_label("Note on board 1")).to_have_value("Begin with this one.")
    page.get_by_role("button", name="Move board 2 down").click()
    page.get_by_role("link", name="See it as a page").click()
    shown = order_of(page)
    assert len(shown) == 6 and sorted(map(int, shown)) == list(GAMES)
    expect(page.locator(".collected .note").first).to_have_text("Begin with this one.")
    address = page.url
    page.get_by_role("link", name="Print hand records").click()
    assert count_pages(page.pdf(format="A4")) == 1

    stranger = new_page(width=375, javascript=False)
    stranger.goto(address)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("There is no such page")
    page.goto(editing)
    page.get_by_text("Title, description, and who may read it").click()
    page.get_by_label("Who may read it").select_option("link")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_label("Its address, to share")).to_have_value(
        f"http://testserver{address.removeprefix(live_server.url)}"
    )
    stranger.goto(address)
    assert order_of(stranger) == shown
    stranger.goto(f"{live_server.url}/collections")
    expect(stranger.get_by_text("Raising to game")).to_have_count(0)
    stranger.goto(address)
    stranger.get_by_role("link", name="Practise these boards").click()
    for number in shown[:2]:
        stranger.goto(f"{stranger.url}&step=end")
        expect(stranger.locator("main")).to_contain_text(f"Board {number}")
        stranger.get_by_role("link", name="Next board of this collection").click()


def test_support_looks_as_a_member_and_is_seen_in_the_record(
    new_page: NewPage, live_server: LiveServer, boards: list[Board]
) -> None:
    phone = new_page(width=375, javascript=False)
    sign_in(phone, live_server, "/boards", "Chris")
    chris = Account.objects.get(pk="demo-chris")
    draft = factories.board(owner=chris, published=False, title="Not for everybody yet")

    ensure_support_group()
    desk = with_session(new_page(), staff_client("support"), live_server)
    desk.goto(f"{live_server.url}/admin/accounts/account/demo-chris/change/")
    desk.get_by_role("link", name="Look as this member…").click()
    expect(desk.get_by_role("textbox", name="Account")).to_have_value("demo-chris")
    assert find_problems(desk) == []
    desk.get_by_role("textbox", name="Reason").fill("too short")
    desk.get_by_role("button", name="Begin").click()
    assert find_problems(desk) == []
    desk.get_by_role("textbox", name="Reason").fill("He asks why nobody sees his board.")
    desk.get_by_role("button", name="Begin").click()
    banner = desk.get_by_role("region", name="Looking as a member")
    expect(banner).to_contain_text("You look at the site as Chris")
    desk.goto(f"{live_server.url}/boards/{draft.pk}")
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Not for everybody yet")
    expect(banner).to_be_visible()
    assert find_problems(desk) == []
    desk.get_by_role("link", name="My boards").click()
    expect(desk.get_by_role("link", name="Not for everybody yet").first).to_be_visible()
    expect(banner).to_be_visible()
    banner.get_by_role("button", name="Stop").click()
    expect(desk).to_have_url(f"{live_server.url}/admin/accounts/account/demo-chris/change/")
    desk.goto(f"{live_server.url}/boards")
    expect(banner).to_have_count(0)

    phone.get_by_role("link", name="Chris").click()
    phone.get_by_role("link", name="Who looked as you").click()
    expect(phone.get_by_text("Reason: He asks why nobody sees his board.")).to_be_visible()
    expect(phone.get_by_text("3 pages and requests on record")).to_be_visible()
