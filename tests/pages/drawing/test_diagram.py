"""The hand diagram of a board, in a picture and on a page, and calls, cards and contracts in templates."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils.html import strip_tags

from boards.drawing.html_diagrams import draw_outcome, render_html
from boards.drawing.mini_hands import draw_mini
from boards.drawing.suit_colours import ON_DARK, ON_WHITE
from boards.drawing.svg_diagrams import DARK, PLACES, VULNERABLE, WIDTH, place_suits
from boards.drawing.symbols import call, card, denomination, explanation, par_contract
from boards.models import Board
from boards.records import diagram_of
from bridge.auction import BIDS
from bridge.cards import DECK
from bridge.diagram import Diagram
from bridge.layout import Layout
from bridge.names import TEXT_STYLE
from tests import factories
from tests.pages.opening import CALLS, logged_in

SVG = "{http://www.w3.org/2000/svg}"


def picture(client: Client, board: Board) -> ElementTree.Element:
    response = client.get(f"/api/boards/{board.pk}.svg", headers={"accept": "application/json"})
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    return ElementTree.fromstring(response.content)


@pytest.mark.django_db
def test_the_picture_shows_the_board_with_a_description_in_colours_of_light_and_dark_pages(client: Client) -> None:
    board = factories.board(number=7, calls=CALLS, tricks=9)
    svg, diagram = picture(client, board), diagram_of(board)
    shown = ["".join(text.itertext()).replace("\ufe0e", "") for text in svg.iter(f"{SVG}text")]
    assert shown[:3] == ["Board 7", "Dealer S", "Vul All"]
    hands = [ranks.replace("T", "10") or "—" for hand in board.deal.layout.hands for ranks in hand.split(".")]
    assert shown[3:35] == [part for place, ranks in enumerate(hands) for part in ("♠♥♦♣"[place % 4], ranks)]
    assert shown[35:] == ["N", "E", "S", "W", "3NT by South", "made, North-South +600"]
    named = {each.get("id"): each.text for each in svg if each.tag in (f"{SVG}title", f"{SVG}desc")}
    assert svg.get("role") == "img" and (svg.get("aria-labelledby") or "").split() == list(named)
    assert named == {"title": diagram.title, "description": diagram.in_words}
    used = {element.get(name) for element in svg.iter() for name in ("fill", "stroke")}
    assert used - {None, "none"} == DARK.keys()


@pytest.mark.django_db
def test_the_picture_has_one_style_which_its_policy_names_and_no_script(client: Client) -> None:
    response = client.get(f"/api/boards/{factories.board().pk}.svg")
    assert not re.search(rb"<(script|foreignObject|a|image)\b|\b(style|class|on\w+|href)=", response.content)
    (style,) = ElementTree.fromstring(response.content).iter(f"{SVG}style")
    digest = b64encode(sha256((style.text or "").encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; frame-ancestors 'none'"
    assert response["Content-Security-Policy"] == policy
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    again = client.get(response.request["PATH_INFO"], headers={"if-none-match": response["ETag"]})
    assert again.status_code == 304
    assert "Content-Security-Policy" not in again  # A browser would take it for that of its copy.


@pytest.mark.django_db
def test_the_html_diagram_hides_symbols_from_screen_readers_and_words_from_the_screen() -> None:
    diagram = diagram_of(factories.board(number=1, calls="Pass Pass Pass Pass"))
    page = render_html(diagram)
    assert f'aria-label="{diagram.title}"' in page
    drawn, read = page.split('<div class="visually-hidden">')
    assert re.search('<div class="diagram( long)?" aria-hidden="true">', drawn) and "♠" in drawn and "♠" not in read
    words = [f"{hand.in_words}." for hand in diagram.hands.values()]
    north, east, south, west = (hand.points for hand in diagram.hands.values())
    assert re.findall("<p>(.*?)</p>", read) == [*words, f"High-card points: {north} N, {east} E, {south} S, {west} W"]
    assert "passed out" in draw_outcome(diagram) and "style=" not in page


@pytest.mark.django_db
def test_picture_and_html_diagram_mark_the_same_sides_as_vulnerable_and_one_dealer(client: Client) -> None:
    vulnerable = {1: [], 2: ["ns"], 3: ["ew"], 4: ["ns", "ew"]}
    for number, sides in vulnerable.items():
        board = factories.board(number=number)
        svg, page = picture(client, board), render_html(diagram_of(board))
        assert [path.get("stroke") for path in svg.iter(f"{SVG}path")] == [VULNERABLE] * 2 * len(sides), number
        seats = re.findall(r'<span class="vulnerable(?: dealer)?">(\w)', page)
        assert seats == [seat for seat in "NESW" if any(seat in side.upper() for side in sides)], number
        assert len(list(svg.iter(f"{SVG}circle"))) == 1
        assert re.findall(r'dealer">(\w)', page) == [board.dealer]


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_has_enough_contrast_on_the_card_light_and_dark() -> None:
    for colour in (*ON_WHITE.values(), VULNERABLE):
        assert 1.05 / (luminance(colour) + 0.05) >= 6, colour
        assert (luminance(DARK[colour]) + 0.05) / (luminance(DARK["#ffffff"]) + 0.05) >= 6, colour


def test_pages_and_pictures_have_the_same_colours() -> None:
    """The stylesheet of the hands has the light ones for the admin, that of practice for its white cards."""
    files = ("hands", "table", "play")
    hands, table, play = (Path(str(finders.find(f"site/{file}.css"))).read_text() for file in files)
    for name, light in ON_WHITE.items():
        assert set(re.findall(rf"var\(--{name}, (#\w+)\)", hands)) == {light}, name
        assert re.findall(rf"--{name}: (#\w+);", table) == [light, ON_DARK[name]], name
        assert re.findall(rf"\.{name} {{ color: (#\w+); }}", play) == [light], name


def test_a_suit_of_thirteen_cards_is_condensed_to_fit() -> None:
    layout = Layout.parse("E:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    hands = Diagram(replace(factories.record(), layout=layout)).hands.values()
    suits = [suit for hand in hands for suit in place_suits(hand)]
    assert [suit["symbol"][0] for suit in suits if suit["width"]] == ["♠", "♦"]
    assert all(place.x + 18 + place.width <= WIDTH for place in PLACES.values())


@pytest.mark.django_db
def test_the_admin_shows_the_diagram_and_links_to_the_page() -> None:
    board = factories.board(calls="1NT Pass Pass Pass")
    boss = logged_in(factories.account("boss", role="admin"))
    page = boss.get(f"/admin/boards/board/{board.pk}/change/").content.decode()
    assert diagram_of(board).hands["north"].in_words in page and ">1NT</span>" in page
    assert f'<a href="/boards/{board.pk}">' in page and "site/hands.css" in page


# --- Calls, cards and contracts in templates -----------------------------------------------------------------


def test_a_par_contract_is_displayed_with_its_spoken_text() -> None:
    spoken = {
        "Pass": "passed out",
        "NS 4S": "4♠\ufe0efour spades by North-South",
        "E 1NT+1": "1NT+1one no trump+1 by East",
        "EW 5DX-2": "5♦\ufe0eX-2five diamonds doubled -2 by East-West",
    }
    assert {contract: strip_tags(par_contract(contract)) for contract in spoken} == spoken


def test_symbols_are_hidden_from_screen_readers_and_words_from_the_screen() -> None:
    expected = '<span aria-hidden="true">1<span class="spades">♠\ufe0e</span></span>'
    assert call("1S") == f"{expected}<i>one spade</i>"
    assert denomination("NT") == "NT" and call("Pass") == "Pass"
    assert len({call(text) for text in (*BIDS, "Pass", "X", "XX")}) == 38
    assert len({card(text) for text in DECK}) == 52
    assert "ten of spades" in card("ST") and "10" in card("ST")


def test_an_explanation_has_a_dash_for_two_hyphens_suits_as_symbols_with_words_and_no_tags() -> None:
    text = explanation("Takeout double -- 2- ♣; 3-5 ♥\ufe0e")
    assert strip_tags(text) == "Takeout double – 2- ♣\ufe0eclubs; 3-5 ♥\ufe0ehearts"
    assert '<span class="hearts">♥\ufe0e</span>' in text
    assert explanation("<x>♠</x>").startswith("&lt;x&gt;<span") and explanation("--x--") == "--x--"


def test_the_small_hands_have_each_card_once_in_its_column() -> None:
    deal = Layout.parse("N:AKQJT9.T98.76.52 8765432.7.AKQJT. .AKQJ.5432.AKQJT .65432.98.987643")
    assert lines_of(deal, 11) == [
        *("11\t♠AKQJT9", "\t♥T98", "\t♦76", "\t♣52"),
        *("♠–\t\t♠8765432", "♥65432\t♥7", "♦98\t\t♦AKQJT", "♣987643\t♣–"),
        *("\t♠–", "\t♥AKQJ", "\t♦5432", "\t♣AKQJT"),
    ]
    ranks = "AKQJT98765432"
    assert f"♣{ranks}\t♣–" in lines_of(Layout.parse(f"N:{ranks}... .{ranks}.. ..{ranks}. ...{ranks}"))


def lines_of(deal: Layout, number: int | None = None) -> list[str]:
    return strip_tags(draw_mini(deal.cards, number)).replace(TEXT_STYLE, "").split("\n")
