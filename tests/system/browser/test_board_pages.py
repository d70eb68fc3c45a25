"""The pages about boards in a real browser: in every look, without JavaScript, by keyboard and on paper."""

import re
from datetime import date
from random import Random

import pytest
from playwright.sync_api import Page, expect

from boards.models import Board, BoardOfTheDay, CardCosts, PlayAnalysis
from bridge.auction import Auction, Call
from bridge.double_dummy import DoubleDummyTable
from bridge.play import cards_to_play
from bridge.play_analysis import write_costs
from bridge.seats import Seat
from deals.models import Deal
from tests import factories
from tests.bridge.strategies import random_play
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import find_problems, find_problems_in_parts

PATHS = (
    *("/", "/boards?pageSize=4", "/boards?view=compact", "/boards?dealer=a+b", "/boards?theme=stayman&dealer=S"),
    *("/boards/{board}", "/boards/{board}?show=south", "/boards/{board}?step=9", "/boards/{board}?step=25"),
    "/boards/{board}?step=34&costs=shown",
    *("/boards/{board}/embed", "/boards/{board}/embed?show=south"),
    *("/boards/{board}/embed?step=9", "/boards/{board}/embed?step=25"),
    *("/boards/print", "/today"),
    *("/practice/{board}?step=4", "/practice/{board}?step=4&said=Pass", "/practice/{board}?step=99"),
    *("/themes", "/themes/stayman", "/themes/long", "/themes/transfer", "/themes/lesson/transfer"),
)
NOTES = "Stayman: asks for a four-card major", "Four spades"
FOCUSED = """() => new Promise(resolve => {
    const focused = [...document.querySelectorAll(":focus-within")].at(-1)  // a part of a field for a day is the field
    new IntersectionObserver(([it]) => resolve([getComputedStyle(focused).outlineStyle, it.intersectionRatio > 0]))
        .observe(focused)
})"""
"""The outline of what has the focus, and whether it is in view."""
LONG_WORD = "Verylongwordindeed" * 6


@pytest.fixture
def board(transactional_db: None) -> Board:
    """Store a board with everything that a page can show, with long words and labels in another language."""
    themes = [
        factories.theme("stayman", labels={"en": "Stayman"}, description={"nl": "Vraagt.\n\nEn " + "zoekt" * 40}),
        factories.theme("weak_two", labels={"nl": "Zwakke twee"}),
        factories.theme("long", type="declarer_play", labels={"en": LONG_WORD}),
    ]
    for theme_type in ("convention", "lesson"):
        factories.theme("transfer", type=theme_type)
    calls = [Call("1NT"), Call("Pass"), Call("2C", True, NOTES[0]), Call("X"), Call("2S", explanation=NOTES[1])]
    auction = Auction(Seat.NORTH, (*calls, *[Call("Pass")] * 3))
    record = factories.record(seed=5, number=1, auction=auction)
    play = random_play(record.layout, record.contract, 52, Random(1))
    for number in range(14):
        factories.board(seed=number + 10, number=number + 1, calls="1NT Pass Pass Pass", votes=(2, 1))
    board = factories.board(
        seed=5,
        number=1,
        auction=auction,
        play=play,
        title=f"A title with a very long word: {LONG_WORD}",
        commentary="One.\n\nTwo.",
        themes=tuple(themes),
        auction_system=factories.auction_system(),
        votes=(9, 0),
    )
    for number, each in enumerate(Board.objects.all()[:3]):
        BoardOfTheDay.objects.create(day=date(2026, 11, 24 - number), board=each)
    par = {name: {"score": 500, "contracts": ["EW 5DX-2"]} for name in ("None", "NS", "EW", "All")}
    tricks = {seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 7) for seat in "NESW"}
    Deal.objects.update(double_dummy_status="done", double_dummy=DoubleDummyTable.from_tricks(tricks).digits, par=par)
    PlayAnalysis.objects.filter(board=board).update(status="done", trace="7" + "67" * 26)
    moments = [cards_to_play(record.layout, record.contract, play[:number])[1] for number in range(52)]
    costs = write_costs([index % 3 for index in range(len(cards))] for cards in moments)
    CardCosts.objects.create(board=board, status="done", question="q", costs=costs)
    return board


@pytest.fixture
def opened(page: Page, board: Board) -> Page:
    """Return the open page of the board."""
    page.goto(f"/boards/{board.pk}")
    return page


def test_each_page_looks_right_and_everything_focused_by_keyboard_is_visible(page: Page, board: Board) -> None:
    for path in PATHS:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path.format(board=board.pk))
        stops = page.locator("a, button, select, summary").filter(visible=True).count()
        for _ in range(min(stops, 30)):
            page.keyboard.press("Tab")
            outline, is_in_view = page.evaluate(FOCUSED)
            assert outline in ("solid", "auto") and is_in_view, path
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert find_problems(page) == [], path
    page.evaluate("document.querySelector('.menu').open = true")  # it lies over the page
    assert find_problems_in_parts(page, ".band") == []


def test_the_picture_of_a_board_is_dark_for_readers_who_prefer_that(page: Page, board: Board) -> None:
    picture = f"/api/boards/{board.pk}.svg"
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    colours, embedded = [], []
    for scheme in ("light", "dark"):  # The second time each picture is a 304, which keeps the policy of the first.
        page.emulate_media(color_scheme=scheme)
        page.goto(picture)
        colours.append(page.locator("rect").first.evaluate("it => getComputedStyle(it).fill"))
        page.goto("/boards")
        page.evaluate("src => { document.body.innerHTML = `<img src=${src}>` }", picture)
        page.evaluate("document.images[0].decode()")
        embedded.append(page.locator("img").screenshot())
    assert colours == ["rgb(255, 255, 255)", "rgb(24, 34, 29)"]
    assert embedded[0] != embedded[1]


def test_the_pages_work_without_javascript(phone: Page, board: Board) -> None:
    phone.goto("/")
    phone.get_by_role("link", name="All boards").click()
    phone.get_by_role("link", name="Next page").click()
    expect(phone.get_by_text("15 boards, 12 of them before this page")).to_be_visible()
    phone.get_by_role("link", name="First page").click()
    expect(phone).to_have_url("/boards?sort=top")
    phone.get_by_text("Filter and sort").click()
    phone.get_by_role("combobox", name="Dealer").select_option("North")
    phone.get_by_role("combobox", name="Theme", exact=True).select_option("Stayman")
    phone.get_by_role("button", name="Show boards").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Boards: Stayman")
    expect(phone.locator(".headline")).to_have_text("1 board")
    phone.get_by_role("link", name="A title").click()
    phone.get_by_text("More", exact=True).click()
    phone.get_by_role("link", name=re.compile("^South ?,")).click()
    expect(phone.get_by_text("North: hidden")).to_be_attached()
    auction = phone.get_by_role("table", name="The auction")
    expect(auction).to_be_hidden()
    phone.locator("summary", has_text="Auction").click()
    expect(auction).to_be_visible()
    phone.get_by_role("link", name="Show all hands").click()
    phone.locator("summary", has_text="The play").click()
    expect(phone.get_by_role("table", name="The card that was led")).to_be_visible()


def test_filters_are_folded_until_a_link_or_an_error_opens_them(phone: Page, new_page: NewPage, board: Board) -> None:
    for page in (phone, new_page(javascript=False)):
        page.goto("/boards")
        dealer = page.get_by_role("combobox", name="Dealer")
        expect(dealer).to_have_count(0)
        page.get_by_role("link", name="Filter and sort").focus()
        page.keyboard.press("Enter")
        expect(dealer).to_be_visible()
        expect(dealer).to_be_in_viewport()
        page.keyboard.press("Tab")
        assert page.locator("#filters :focus").count() == 1, "the focus goes on from the fields"
        page.goto("/boards?dealer=Z")
        expect(dealer).to_be_visible()


def test_screen_readers_read_words_and_no_symbols_of_a_diagram(opened: Page) -> None:
    diagram = opened.get_by_role("group", name="Board 1: dealer North, neither side vulnerable")
    heard = diagram.aria_snapshot()
    assert "North: spades " in heard and "hearts" in heard
    assert "♠" not in heard and "Vul" not in heard


def test_a_footnote_can_be_reached_and_left_by_keyboard(opened: Page) -> None:
    note = opened.get_by_role("link", name=re.compile("^1 ?, note$"))
    note.focus()
    assert note.evaluate("it => getComputedStyle(it).outlineStyle") == "solid"
    opened.keyboard.press("Enter")
    expect(opened).to_have_url(re.compile("#note-1$"))
    opened.keyboard.press("Tab")
    expect(opened.get_by_role("link", name="back to two clubs")).to_be_focused()
    opened.keyboard.press("Enter")
    expect(opened).to_have_url(re.compile("#call-1$"))


def test_a_printed_page_has_the_board_and_no_controls(opened: Page) -> None:
    opened.emulate_media(media="print")
    expect(opened.get_by_role("group", name="Board 1")).to_be_visible()
    expect(opened.get_by_role("table", name="The auction")).to_be_visible()
    expect(opened.locator("nav, footer, summary, textarea").filter(visible=True)).to_have_count(0)
    opened.emulate_media(media="screen")
    opened.locator("summary", has_text="The play").click()
    opened.emulate_media(media="print")
    expect(opened.get_by_role("table", name="The card that was led")).to_be_visible()
