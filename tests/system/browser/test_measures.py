"""The measures that the pages are drawn to, taken in a real page: where things begin, how large they are, what fits."""

from collections.abc import Iterator
from datetime import date
from itertools import pairwise, product

import pytest
from playwright.sync_api import Page

from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import BoardOfTheDay
from bridge.cards import DECK, RANKS
from bridge.layout import Layout
from bridge.seats import Seat
from pages.sharing.sharing import FRAME_SIZE
from tests import factories
from tests.boards.events.evenings import table
from tests.members import signed_in
from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import OVERFLOW
from tests.system.browser.visits import entered, played_board

WIDTHS = (320, 375, 640, 768, 1280)
CALLS = "1NT Pass 2C Pass 2S Pass Pass Pass"
EVENT = {
    "event": "Autumn championship of pairs of the county, second session",
    "date": "2026.11.20",
    "site": "The club",
}
TITLE = "How declarer counts the hand to thirteen and finds the missing queen of trumps"
SCALE = {14, 16, 18, 22, 28, 40}
OF_CARDS = ".hands, .fan, .mini-hands, sup, .visually-hidden"
"""What has sizes of its own: hands, whose suits must not break, and cards."""

READING = ("/", "/boards/{board}", "/events/{event}", "/boards", "/themes/stayman", "/collections/{collection}")
QUESTION = "/practice/{board}?step=2"

MEASURES = """() => {
    const shown = it => it.checkVisibility({visibilityProperty: true}) && it.getBoundingClientRect().width > 1
    const found = (where, parent) => [...(parent ?? document).querySelectorAll(where)].filter(shown)
    const name = it => it.outerHTML.slice(0, 90)
    window.boxes = where => found(where).map(it => {
        const {top, bottom, left, right, width, height} = it.getBoundingClientRect()
        return {name: name(it), top: top + scrollY, bottom: bottom + scrollY, left, right, width, height}
    })
    window.brokenHands = () => found('.diagram > pre').filter(it => {
        const lines = it.getBoundingClientRect().height / parseFloat(getComputedStyle(it).lineHeight)
        return Math.round(lines) != 4
    }).map(name)
    window.outside = (what, where) => found(where).flatMap(it => {
        const box = it.getBoundingClientRect()
        return found(what, it).filter(each => {
            const {left, right} = each.getBoundingClientRect()
            return left < box.left - .5 || right > box.right + .5
        }).map(each => `${innerWidth}: ${name(each)}`)
    })
    window.clipped = where => found(where).filter(it => getComputedStyle(it).display != 'inline'
        && (it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight)).map(name)
    window.sizes = but => Object.fromEntries(found('body *').filter(it => !it.closest(but)
        && [...it.childNodes].some(each => each.nodeType == 3 && each.data.trim())).map(
        it => [getComputedStyle(it).fontSize, name(it)]))
}"""


@pytest.fixture
def paths(transactional_db: None) -> dict[str, object]:
    """Store an evening with long names, a theme, a collection and a hand of the day. Return what paths need."""
    theme = factories.theme("stayman", labels={"en": "Stayman"})
    for number in range(1, 9):
        results = [(13, "4SXX"), *[(8 + number % 3, "4SX")] * 10 * (number > 6), (7, "3NT")]
        for name, (tricks, contract) in enumerate(results):
            table(number, number, contract, "N", tricks, table=str(name), deal_title=TITLE[: 10 * number], **EVENT)
    board = played_board(5, 9, CALLS, title=TITLE, themes=(theme,), votes=(3, 1), **EVENT)
    factories.board(5, number=10, calls=CALLS, title=f"{TITLE}. " * 2, **EVENT)
    BoardOfTheDay.objects.create(day=date(2026, 11, 20), board=board)
    texts = Texts("A lesson", description="About fits.", language="en", visibility="public")
    collection, _ = create_collection(
        owner=factories.account("teacher"), texts=texts, places=[CollectionEntry(board.pk)]
    )
    return {"board": board.pk, "event": board.event_slug, "collection": collection.pk}


def opened(page: Page, path: str, width: int = 375) -> Page:
    resize(page, width)
    page.goto(path)
    page.evaluate("document.fonts.ready.then(() => null)")
    page.evaluate(MEASURES)
    return page


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 812})


def boxes(page: Page, where: str) -> list[dict]:
    found = page.evaluate("where => boxes(where)", where)
    assert found, f"{page.url} shows no {where}"
    return found


def test_the_band_is_one_row_for_visitors_and_members(new_page: NewPage, paths: dict[str, object]) -> None:
    page = new_page()
    member = entered(new_page(), signed_in(factories.account("owner", display_name="Wilhelmina van der Berg")))
    for each, (width, height) in product((page, member), ((320, 60), (375, 60), (1280, 64))):
        opened(each, "/", width)
        assert [box["height"] for box in boxes(each, ".band")] == [height], width
        assert boxes(each, ".band-row")[0]["height"] == height
        assert each.evaluate("outside('a, summary, input', '.band-row')") == []
    assert len(boxes(page, ".band-words a")) == 5 and len(boxes(page, ".band-row > .find input")) == 1


def test_what_a_page_is_about_begins_high_on_a_phone(page: Page, paths: dict[str, object]) -> None:
    hands = boxes(opened(page, "/boards/{board}".format(**paths)), ".board-hands .diagram")[0]
    assert hands["top"] <= 230
    assert {box["height"] for box in boxes(page, ".place, .place a.chip")} == {44}
    assert boxes(opened(page, "/boards"), ".deal-card")[0]["top"] <= 320
    for path in (QUESTION, "/"):
        question = boxes(opened(page, path.format(**paths)), ".hero form")[-1]
        assert question["bottom"] <= 560, path
        bids = [box for box in boxes(page, ".bids button") if not box["name"].startswith('<button class="wide"')]
        assert {box["height"] for box in bids} == {44}
        gaps = {round(two["left"] - one["right"], 1) for one, two in pairwise(bids) if one["top"] == two["top"]}
        assert gaps == {6}, path
        assert {box["height"] for box in boxes(page, ".higher > summary")} == {44}


def long_suits() -> Iterator[Layout]:
    """Yield twelve deals in which West and East have a suit of 8 to 13 cards each."""
    for (west, east), length in product((("S", "H"), ("D", "C")), range(8, 14)):
        first = {Seat.WEST: [west + rank for rank in RANKS[::-1][:length]]}
        first[Seat.EAST] = [east + rank for rank in RANKS[::-1][:length]]
        rest = [card for card in DECK if card not in first[Seat.WEST] + first[Seat.EAST]]
        hands = {}
        for seat in Seat:
            held = first.get(seat, [])
            held, rest = held + rest[: 13 - len(held)], rest[13 - len(held) :]
            hands[seat] = {suit: "".join(card[1] for card in held if card[0] == suit) for suit in "SHDC"}
        yield Layout.from_hands(hands)


def test_no_suit_has_two_lines_and_no_diagram_is_wider_than_its_card(page: Page, transactional_db: None) -> None:
    boards = [factories.board(number=number, cards=each, calls=CALLS) for number, each in enumerate(long_suits(), 1)]
    paths = [f"/boards/{board.pk}" for board in boards]
    looks = {"/boards": WIDTHS} | dict.fromkeys(paths, WIDTHS)
    looks |= dict.fromkeys([f"{path}/embed" for path in paths], (320, FRAME_SIZE[0]))
    problems = []
    for path, width in ((path, width) for path, widths in looks.items() for width in widths):
        opened(page, path, width) if width == 320 else resize(page, width)
        assert len(boxes(page, ".diagram > pre")) % 4 == 0
        broken = page.evaluate("[...brokenHands(), ...outside('.diagram, .diagram *', '.hands')]")
        problems += [(width, path, *broken)] * bool(broken)
        problems += [(width, path, wide) for wide in page.evaluate(OVERFLOW)]
    assert not problems, "\n".join(map(str, problems))


def test_a_row_of_an_evening_is_low_and_nothing_in_it_is_cut(page: Page, paths: dict[str, object]) -> None:
    for width in (320, 375):
        opened(page, "/events/{event}".format(**paths), width)
        rows = boxes(page, ".evening li")
        assert len(rows) == 10
        if width == 375:
            assert max(row["height"] for row in rows) <= 76
            cut = page.evaluate("clipped('.evening a')")
            assert len(cut) == 1, "only a name of more than 80 letters is cut"
        assert page.evaluate("outside('.evening a, .evening small, .evening small *', '.evening li')") == []
        assert page.evaluate("clipped('.evening small > *')") == []
        facts = boxes(page, ".evening small > :nth-child(-n+2)")
        assert max(fact["bottom"] - row["bottom"] for fact, row in zip(facts[1::2], rows, strict=True)) < 0


LARGE = (
    *(".brand", ".menu > summary", ".door", ".menu a", ".menu button", ".bids button", ".leads button", ".stepbar a"),
    *(
        ".page-head a.button",
        ".page-head summary",
        ".place a.chip",
        ".actions .button",
        ".actions summary",
        ".search *",
    ),
    *(".pages a", ".site-footer a", ".more[open] a", "summary"),
)
"""What a finger has 44 px for on a phone."""


def test_what_a_finger_touches_is_large_and_a_page_has_two_buttons_at_most(
    new_page: NewPage, paths: dict[str, object]
) -> None:
    visitor = new_page()
    member = entered(new_page(), signed_in(factories.account("owner", display_name="Owner")))
    problems = []
    for page, path in product((visitor, member), (*READING, QUESTION, "/boards/{board}?step=3")):
        opened(page, path.format(**paths))
        page.evaluate("document.querySelectorAll('.menu, .more, .higher').forEach(it => { it.open = true })")
        for where, size in (*((where, 44) for where in LARGE), (".chips .chip", 32)):
            small = page.evaluate("where => boxes(where)", where)
            problems += [(path, where, box) for box in small if min(box["width"], box["height"]) < size - 0.5]
        if path in READING:
            buttons = page.evaluate("boxes('main .button')")
            problems += [(path, "buttons", len(buttons))] * (len(buttons) > 2)
    assert not problems, "\n".join(map(str, problems))


def test_pages_fit_their_screens_and_have_two_columns_from_700_pixels(page: Page, paths: dict[str, object]) -> None:
    problems = []
    for path, width in product((*READING, QUESTION, "/boards/{board}?step=30", "/events", "/themes"), (320, 700, 1280)):
        opened(page, path.format(**paths), width) if width == 320 else resize(page, width)
        problems += [(path, wide) for wide in page.evaluate(OVERFLOW)]
        sizes = page.evaluate("but => sizes(but)", OF_CARDS)
        problems += [(path, width, *size) for size in sizes.items() if float(size[0][:-2]) not in SCALE]
    assert not problems, "\n".join(map(str, problems))
    for path, where in (("/boards", ".deal-card"), ("/", ".two > *"), ("/boards/{board}", ".two > *")):
        for width, columns in ((640, 1), (700, 2)):
            found = boxes(opened(page, path.format(**paths), width), where)
            assert len({box["left"] for box in found}) == columns, (path, width)


def test_the_steps_stay_at_the_foot_of_a_phone_and_cards_to_hold_stay_white(
    new_page: NewPage, paths: dict[str, object]
) -> None:
    page = new_page(dark=True)
    opened(page, "/boards/{board}?step=3".format(**paths))
    for scrolled in (0, 300):
        page.evaluate("top => scrollTo(0, top)", scrolled)
        assert page.locator(".stepbar").evaluate("it => it.getBoundingClientRect().bottom") == 812
    opened(page, QUESTION.format(**paths))
    colours = page.locator(".fan b").evaluate_all("all => all.map(it => getComputedStyle(it).backgroundColor)")
    assert len(colours) == 13 and set(colours) == {"rgb(255, 255, 255)"}
    assert page.evaluate("outside('li, b', '.fan')") == []
