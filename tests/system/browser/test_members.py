"""Members with something to do, on a phone and without JavaScript: a player who votes."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from boards.models import Board
from tests import factories
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems
from voting.models import Vote


@pytest.fixture
def boards(transactional_db: None) -> list[Board]:
    calls = "1NT Pass 3NT Pass Pass Pass"
    return [
        factories.board(seed=number, calls=calls, title=f"Board of {number} tricks") for number in (1, 2, 3)
    ]


def sign_in(page: Page, live_server: LiveServer, path: str, name: str = "Anna") -> None:
    """Sign in as a demonstration member by the link of a page, which the sign-in leads back to."""
    page.goto(live_server.url + path)
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_role("button", name=name).click()
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
