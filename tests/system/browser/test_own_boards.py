"""A member's own boards in a real browser: from last night's file to a published board, without JavaScript."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.services import reviews
from boards.services.reviews import ask_to_publish, edit_board
from bridge.contract import Contract
from bridge.seats import Seat
from tests import factories
from tests.boards.admin.pages import LIST, pbn
from tests.boards.admin.uploading import BAD_RECORD
from tests.config.admin.conftest import staff_client
from tests.members import signed_in
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, find_problems_in_parts, problems_at
from tests.system.browser.visits import entered

OWN = "/account/boards"
FORMS = ("edit", "correct")


@pytest.fixture
def zia(transactional_db: None) -> Account:
    call_command("load_reference_data", verbosity=0)
    return factories.account("zia", display_name="Zia M")


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Write a file of three boards, and a record that is refused."""
    records = [factories.record(number, number, event="Club night", date="2026.11.21") for number in (1, 2, 3)]
    file = tmp_path / "last-night.pbn"
    file.write_bytes(pbn(*records) + BAD_RECORD)
    return file


def test_a_member_uploads_edits_and_asks_and_staff_publish(
    zia: Account, evening: Path, phone: Page, new_page: NewPage
) -> None:
    page = entered(phone, signed_in(zia))
    upload(page, evening)
    page.get_by_role("link", name="Edit Board 1", exact=True).click()
    page.get_by_label("Title").fill("Count to thirteen")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("region", name="Your board").get_by_text("More").click()
    page.get_by_role("button", name="Ask staff to publish").click()
    expect(page.get_by_text("Asked staff to publish 1 board.")).to_be_visible()
    expect(page.get_by_text("Waits for staff")).to_be_visible()

    desk = entered(new_page(), staff_client("support"))
    desk.goto("/admin/")
    for link in ("Members' boards waiting", "Look one by one"):
        desk.get_by_role("link", name=link).click()
    desk.get_by_role("button", name="Publish", exact=True).click()
    expect(desk.get_by_text("Published: readers see it now.")).to_be_visible()

    reader = new_page(javascript=False)
    reader.goto("/boards")
    expect(reader.get_by_role("link", name="Count to thirteen")).to_be_visible()
    page.goto(f"{OWN}?show=drafts")
    page.get_by_text("Tables (2)").press("Enter")
    expect(page.get_by_role("checkbox")).to_have_count(2)
    for box in page.get_by_role("checkbox").all():
        box.press("Space")
    page.get_by_role("button", name="Delete drafts").first.press("Enter")
    expect(page.get_by_role("heading", name="Delete 2 drafts?")).to_be_visible()
    page.get_by_role("button", name="Delete").press("Enter")
    expect(page.get_by_text("Deleted 2 boards.")).to_be_visible()
    assert Board.objects.get().title == "Count to thirteen"


def upload(page: Page, evening: Path) -> None:
    """Upload the file of an evening, name its site, and import its boards as drafts."""
    page.goto(OWN)
    page.get_by_role("link", name="Upload a file").click()
    page.get_by_label("File", exact=True).set_input_files(evening)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_text("3 new boards.")).to_be_visible()
    page.get_by_role("textbox", name="Site").fill("Club house")
    page.get_by_role("button", name="Import as drafts").click()
    expect(page.get_by_text("last-night.pbn: 3 new boards, as drafts.")).to_be_visible()
    expect(page.get_by_role("heading", name="Club night")).to_be_visible()
    expect(page.get_by_text("3 boards: 3 drafts.")).to_be_visible()


def test_each_page_looks_right(zia: Account, evening: Path, page: Page) -> None:
    entered(page, signed_in(zia))
    assert problems_at(page, OWN) == {}
    long = "A title as long as a member may think of, " * 4
    for number in range(26):
        factories.board(owner=zia, published=number % 2 == 0, title=long[: 10 + number * 5], event="Club night")
    asked = list(Board.objects.drafts().order_by("pk").values_list("pk", flat=True)[:4])
    ask_to_publish(zia, asked)
    reviews.decline(asked[:2], by="support", sentence="Whose deal is this? " * 10, looked_at=timezone.now())
    shown = Board.objects.published().order_by("pk")[0]
    edit_board(zia, shown.pk, {"commentary": "Buy my book. " * 20})
    boards = (*(f"/boards/{pk}" for pk in (*asked[::2], shown.pk)), *(f"/boards/{asked[0]}/{form}" for form in FORMS))
    assert problems_at(page, OWN, f"{OWN}/upload", *boards) == {}
    page.goto(f"{OWN}?show=published")
    page.get_by_role("link", name="Tables (13)").click()
    assert find_problems(page) == []
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Delete drafts").click()
    assert find_problems(page) == []
    page.goto(f"{OWN}/upload")
    page.get_by_label("File", exact=True).set_input_files(evening)
    page.get_by_role("button", name="Look at the file").click()
    assert find_problems(page) == []

    page.goto(f"/boards/{asked[0]}/edit")
    Board.objects.filter(pk=asked[0]).update(title="By somebody else")
    page.get_by_label("Title").fill("Mine")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("By somebody else", exact=True)).to_be_visible()
    assert find_problems(page) == []
    page.get_by_label("Title").evaluate("field => field.removeAttribute('maxlength')")
    page.get_by_label("Title").fill("x" * 201)
    page.get_by_role("button", name="Save mine instead").click()
    expect(page.get_by_role("heading", name="The board has not been saved")).to_be_visible()
    assert find_problems(page) == []


def test_the_pages_on_which_staff_answer_look_right(zia: Account, page: Page) -> None:
    board = factories.board(owner=zia, published=False, title="Count", commentary="One\n\nTwo")
    ask_to_publish(zia, [board.pk])
    entered(page, staff_client("support"))
    page.goto(f"{LIST}{board.pk}/review/")
    assert find_problems_in_parts(page, "#content") == []
    page.goto(f"{LIST}waiting/")
    page.get_by_text("More", exact=True).click()
    assert find_problems_in_parts(page, "#content") == []
    shown = factories.board(owner=zia, contract=Contract.parse("4S", Seat.NORTH), title="Shown")
    edit_board(zia, shown.pk, {"title": "A longer title " * 9, "result": {"tricks": 9}, "commentary": "One\n\nTwo"})
    page.goto(f"{LIST}{shown.pk}/review/")
    assert find_problems_in_parts(page, "#content") == []
    page.get_by_role("button", name="Accept the change").click()
    expect(page.get_by_text("Changed: readers see it now.")).to_be_visible()
    page.goto(f"{LIST}?published=waiting")
    page.get_by_role("checkbox").nth(1).check()
    page.get_by_label("Action:").select_option("Answer the owners of selected boards")
    page.get_by_role("button", name="Go", exact=True).click()
    assert find_problems_in_parts(page, "#content") == []
    page.get_by_label("Sentence").fill("Whose deal is this?")
    page.get_by_role("button", name="Send the answer").click()
    assert PublicationReview.objects.get().sentence == "Whose deal is this?"
