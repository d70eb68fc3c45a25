"""Where everything of a hand diagram stands in the picture. templates/boards/diagram.svg draws it."""

from dataclasses import dataclass

from django.template.loader import render_to_string

from boards.models import Board
from boards.records import record_of
from deals.bridge.diagram import Diagram, Hand
from deals.bridge.names import TEXT_STYLE
from deals.bridge.seats import Seat

WIDTH = 320
LINE = 19
PLAIN = "#1a1a1a"
COLOURS = {"spades": PLAIN, "hearts": "#b3101f", "diamonds": "#a04400", "clubs": "#00662e"}
"""Four colours with a contrast of 6 or more on the white card."""

VULNERABLE, SAFE = "#b3101f", "#767676"

_CORNERS = {Seat.NORTH: (124, 24), Seat.EAST: (208, 118), Seat.SOUTH: (124, 202), Seat.WEST: (12, 118)}
_ROOM = {Seat.NORTH: 176, Seat.EAST: 88, Seat.SOUTH: 176, Seat.WEST: 88}
_WIDEST = 9.5
"""Units a rank can take at this size."""

_LETTERS = {Seat.NORTH: (160, 119), Seat.EAST: (183, 142), Seat.SOUTH: (160, 165), Seat.WEST: (137, 142)}
_EDGES = {
    Seat.NORTH: "M128 106H192",
    Seat.EAST: "M196 110V174",
    Seat.SOUTH: "M128 178H192",
    Seat.WEST: "M124 110V174",
}


@dataclass(frozen=True, slots=True)
class DrawnSuit:
    """`squeezed` when the ranks of a long suit have to be fitted into `width`."""

    x: int
    y: int
    width: int
    symbol: str
    ranks: str
    colour: str

    @property
    def ranks_x(self) -> int:
        return self.x + 18

    @property
    def squeezed(self) -> bool:
        return len(self.ranks) * _WIDEST > self.width


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    letter: str
    x: int
    middle: int
    is_dealer: bool
    edge: str
    edge_colour: str

    @property
    def y(self) -> int:
        """The letter's base line."""
        return self.middle + 5

    @property
    def colour(self) -> str:
        return "#ffffff" if self.is_dealer else PLAIN


class Drawing:
    """One diagram's places, in units of a picture 320 wide."""

    width = WIDTH

    def __init__(self, diagram: Diagram) -> None:
        hands = diagram.hands.values()
        self.hands = [drawn_suits(hand) for hand in hands]
        self.seats = [drawn_seat(hand) for hand in hands]
        self.contract_y = 294 if any(diagram.contract) else 0
        self.result_y = 314 if diagram.result else 0
        self.height = max(274, self.contract_y + 14, self.result_y + 14)
        self.contract_colour = COLOURS.get(diagram.contract_suit, PLAIN)
        self.lead_colour = COLOURS[diagram.lead.name] if diagram.lead else PLAIN


def drawn_suits(hand: Hand) -> list[DrawnSuit]:
    x, y = _CORNERS[hand.seat]
    return [
        DrawnSuit(
            x=x,
            y=y + row * LINE,
            width=_ROOM[hand.seat],
            symbol=suit.symbol + TEXT_STYLE,
            ranks=suit.ranks,
            colour=COLOURS[suit.name],
        )
        for row, suit in enumerate(hand.suits)
    ]


def drawn_seat(hand: Hand) -> DrawnSeat:
    x, middle = _LETTERS[hand.seat]
    return DrawnSeat(
        letter=hand.seat,
        x=x,
        middle=middle,
        is_dealer=hand.is_dealer,
        edge=_EDGES[hand.seat],
        edge_colour=VULNERABLE if hand.is_vulnerable else SAFE,
    )


def diagram_of(board: Board) -> Diagram:
    """Needs the board's deal and auction system."""
    return Diagram(record_of(board))


def svg_of(diagram: Diagram) -> str:
    return render_to_string("boards/diagram.svg", {"diagram": diagram, "drawing": Drawing(diagram)})
