"""The hand diagram as an SVG picture: templates/boards/diagram.svg draws what is placed here.

What the diagram says is in bridge.diagram; boards.drawing.html_diagrams shows the same as a part of a page.
"""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from boards.drawing.suit_colours import ON_DARK, ON_WHITE
from bridge.diagram import Diagram, DiagramHand
from bridge.names import TEXT_STYLE
from bridge.seats import Seat

WIDTH = 320
LINE_HEIGHT = 19
BLACK, VULNERABLE = ON_WHITE["spades"], ON_WHITE["hearts"]
DARK = {
    **{ON_WHITE[suit]: ON_DARK[suit] for suit in ON_WHITE},
    "#ffffff": "#18221d",
    "#f2f2ee": "#2b3531",
    "#767676": "#74847c",
}
"""What each colour is where the reader prefers dark pages."""

DARK_RULES = "".join(
    f'[{name}="{light}"]{{{name}:{dark}}}' for light, dark in DARK.items() for name in ("fill", "stroke")
)
STYLE = SafeString(f"@media screen and (prefers-color-scheme:dark){{{DARK_RULES}}}")
"""The picture's one style element: the same for all, so that the policy can name it by its hash."""

STYLE_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
SVG_POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'"

RANK_WIDTH = 9.5
"""The width of most ranks. Those of a suit that has more than fit into its hand's width are condensed."""


class HandBox(NamedTuple):
    """Where a seat's hand, its letter in the compass and the path of its vulnerable side stand in the picture."""

    x: int
    y: int
    width: int
    letter: tuple[int, int]
    edge: str


PLACES = {
    Seat.NORTH: HandBox(124, 24, 176, (160, 122), "M124 108.5H196"),
    Seat.EAST: HandBox(208, 118, 88, (180, 142), "M193.5 106V178"),
    Seat.SOUTH: HandBox(124, 202, 176, (160, 162), "M124 175.5H196"),
    Seat.WEST: HandBox(12, 118, 88, (140, 142), "M126.5 106V178"),
}


def render_svg(diagram: Diagram) -> str:
    contract_y = 294 if any(diagram.contract) else 0
    result_y = 314 if diagram.result else 0
    context = {
        "diagram": diagram,
        "style": STYLE,
        "width": WIDTH,
        "height": max(274, contract_y + 14, result_y + 14),
        "suits": [suit for hand in diagram.hands.values() for suit in place_suits(hand)],
        "seats": [(hand, PLACES[hand.seat]) for hand in diagram.hands.values()],
        "contract_y": contract_y,
        "contract_colour": ON_WHITE.get(diagram.contract_suit, BLACK),
        "lead_colour": ON_WHITE[diagram.lead.name] if diagram.lead else BLACK,
        "result_y": result_y,
        "vulnerable_colour": VULNERABLE,
    }
    return render_to_string("boards/diagram.svg", context)


def place_suits(hand: DiagramHand) -> Iterator[dict[str, Any]]:
    """Yield what the template draws of each suit of a hand. A suit with a `width` is condensed to it."""
    place = PLACES[hand.seat]
    for row, suit in enumerate(hand.suits):
        yield {
            "x": place.x,
            "y": place.y + row * LINE_HEIGHT,
            "width": place.width if len(suit.ranks) * RANK_WIDTH > place.width else None,
            "symbol": suit.symbol + TEXT_STYLE,
            "ranks": suit.ranks,
            "colour": ON_WHITE[suit.name],
        }
