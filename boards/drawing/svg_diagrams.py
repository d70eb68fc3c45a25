"""The hand diagram as an SVG picture: templates/boards/diagram.svg draws what is placed here.

What the diagram says is in bridge.diagram; boards.drawing.html_diagrams shows the same as a part of a page.
"""

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from bridge.diagram import Diagram, Hand
from bridge.names import TEXT_STYLE
from bridge.seats import Seat

WIDTH = 320
LINE_HEIGHT = 19
BLACK = "#1a1a1a"
COLOURS = {"spades": BLACK, "hearts": "#b3101f", "diamonds": "#a04400", "clubs": "#00662e"}
"""Four colours with a contrast of 6 or more on the white background."""

VULNERABLE = "#b3101f"
DARK = {
    BLACK: "#e9efec",
    "#b3101f": "#ff8f8f",
    "#a04400": "#ffb066",
    "#00662e": "#7fd8ab",
    "#ffffff": "#1e2623",
    "#f2f2ee": "#2b3531",
    "#767676": "#74847c",
}
"""What each colour is where the reader prefers dark pages: those of style.css."""

DARK_RULES = "".join(
    f'[{name}="{light}"]{{{name}:{dark}}}' for light, dark in DARK.items() for name in ("fill", "stroke")
)
STYLE = SafeString(f"@media screen and (prefers-color-scheme:dark){{{DARK_RULES}}}")
"""The picture's one style element: the same for all, so that the policy can name it by its hash."""

STYLE_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
SVG_POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'"

_HAND_POSITIONS = {Seat.NORTH: (124, 24), Seat.EAST: (208, 118), Seat.SOUTH: (124, 202), Seat.WEST: (12, 118)}
_MAX_WIDTHS = {Seat.NORTH: 176, Seat.EAST: 88, Seat.SOUTH: 176, Seat.WEST: 88}
_MAX_RANK_WIDTH = 9.5

_LETTER_POSITIONS = {Seat.NORTH: (160, 122), Seat.EAST: (180, 142), Seat.SOUTH: (160, 162), Seat.WEST: (140, 142)}
_EDGES = {
    Seat.NORTH: "M124 108.5H196",
    Seat.EAST: "M193.5 106V178",
    Seat.SOUTH: "M124 175.5H196",
    Seat.WEST: "M126.5 106V178",
}


@dataclass(frozen=True, slots=True)
class SvgSuit:
    """One suit of a hand. `y` is the base line of its text."""

    x: int
    y: int
    max_width: int
    symbol: str
    ranks: str
    colour: str

    @property
    def ranks_x(self) -> int:
        return self.x + 18

    @property
    def is_condensed(self) -> bool:
        """Tell whether the ranks of a long suit must be condensed to fit into `max_width`."""
        return len(self.ranks) * _MAX_RANK_WIDTH > self.max_width


@dataclass(frozen=True, slots=True)
class SvgSeat:
    """One seat of the compass. `x` and `middle` are the centre of its letter.

    `edge` is the path of its side when it is vulnerable, else "".
    """

    letter: str
    x: int
    middle: int
    is_dealer: bool
    edge: str

    @property
    def baseline(self) -> int:
        return self.middle + 5

    @property
    def colour(self) -> str:
        return "#ffffff" if self.is_dealer else BLACK


class SvgDiagram:
    """The positions and colours of one diagram, in units of a picture that is 320 wide."""

    width = WIDTH
    vulnerable_colour = VULNERABLE
    style = STYLE

    def __init__(self, diagram: Diagram) -> None:
        hands = diagram.hands.values()
        self.hands = [place_suits(hand) for hand in hands]
        self.seats = [place_seat(hand) for hand in hands]
        self.contract_y = 294 if any(diagram.contract) else 0
        self.result_y = 314 if diagram.result else 0
        self.height = max(274, self.contract_y + 14, self.result_y + 14)
        self.contract_colour = COLOURS.get(diagram.contract_suit, BLACK)
        self.lead_colour = COLOURS[diagram.lead.name] if diagram.lead else BLACK


def place_suits(hand: Hand) -> list[SvgSuit]:
    x, y = _HAND_POSITIONS[hand.seat]
    return [
        SvgSuit(
            x=x,
            y=y + row * LINE_HEIGHT,
            max_width=_MAX_WIDTHS[hand.seat],
            symbol=suit.symbol + TEXT_STYLE,
            ranks=suit.ranks,
            colour=COLOURS[suit.name],
        )
        for row, suit in enumerate(hand.suits)
    ]


def place_seat(hand: Hand) -> SvgSeat:
    x, middle = _LETTER_POSITIONS[hand.seat]
    return SvgSeat(
        letter=hand.seat,
        x=x,
        middle=middle,
        is_dealer=hand.is_dealer,
        edge=_EDGES[hand.seat] if hand.is_vulnerable else "",
    )


def render_svg(diagram: Diagram) -> str:
    return render_to_string("boards/diagram.svg", {"diagram": diagram, "svg": SvgDiagram(diagram)})
