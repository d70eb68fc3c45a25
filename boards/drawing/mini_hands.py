"""The four hands of a deal as a text of twelve short lines, small enough to stand three in a row on a phone."""

from django.utils.safestring import SafeString

from bridge.layout import Layout
from bridge.names import SUIT_SYMBOLS, TEXT_STYLE
from bridge.seats import Seat

TAB = "\t"
COLUMNS = 6
"""The characters between two stops: North and South begin at the first, East at the second. A line has 22."""

RED = {"H", "D"}


def draw_mini(cards: str, number: int | None = None) -> SafeString:
    """Draw a deal with a board's number in its corner. A ten is T. It stands in an element of the class `mini-hands`.

    Hide that from screen readers, and say beside it what it is. It is a third of an SVG's size, and a page has 36 of
    them. Tabs keep the columns where symbols are wider than ranks.
    """
    layout = Layout.from_canonical(cards)
    north, east, south, west = (draw_hand(layout, seat) for seat in Seat)
    lines = [f"{TAB}{line}" for line, _ in north]
    for (left, width), (right, _) in zip(west, east, strict=True):
        lines.append(f"{left}{TAB * max(1, 2 - width // COLUMNS)}{right}")
    lines += [f"{TAB}{line}" for line, _ in south]
    text = "\n".join(lines)
    return SafeString(f"<pre>{number or ''}{text}</pre>")


def draw_hand(layout: Layout, seat: Seat) -> list[tuple[str, int]]:
    """Return the markup and the width of each suit."""
    return [(draw_suit(suit, ranks or "–"), 1 + len(ranks or "–")) for suit, ranks in layout.suits(seat).items()]


def draw_suit(suit: str, ranks: str) -> str:
    symbol = SUIT_SYMBOLS[suit] + TEXT_STYLE
    return f"<b>{symbol}</b>{ranks}" if suit in RED else f"{symbol}{ranks}"
