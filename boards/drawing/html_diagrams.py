"""The hand diagram as a part of a page, with boards/diagram.css. What it says is in bridge.diagram.

It is written in Python, since a list shows dozens of diagrams and a template takes five times as long for each. Symbols
are hidden from screen readers, and words for screen readers are hidden from the screen.
"""

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

from django.utils.safestring import SafeString

from bridge.diagram import Diagram, Hand, Suit
from bridge.names import TEXT_STYLE, format_ranks

NO_COSTS: Mapping[str, int] = MappingProxyType({})


def render_html(
    diagram: Diagram,
    visible_hands: Sequence[str] = (),
    *,
    costs: Mapping[str, int] = NO_COSTS,
    trick: str | None = None,
    outcome: str = "",
) -> SafeString:
    """Draw the diagram. With `visible_hands`, names from "north" to "west", hide the other hands and the outcome.

    `costs` stand at the cards that cost tricks. `trick` is markup of the cards on the table, and `outcome` markup that
    stands in place of the board's own. A diagram has no free text. All the same its title and its words are escaped.
    """
    record = diagram.record
    heading = f"<b>{diagram.heading}</b><br>\n" if diagram.heading else ""
    hands = diagram.hands
    shown = "".join(
        draw_hand(name, hand, costs, is_visible=not visible_hands or name in visible_hands)
        for name, hand in hands.items()
    )
    seats = "".join(draw_seat(name, hand) for name, hand in hands.items()) + (trick or "")
    sides = "".join(
        f" vulnerable-{hand.seat.side.lower()}" for hand in (hands["north"], hands["east"]) if hand.is_vulnerable
    )
    if not visible_hands:
        outcome = outcome or draw_outcome(diagram)
    compass = f"compass{'' if trick is None else ' with-trick'}{sides}"
    return SafeString(
        f'<div class="diagram" role="group" aria-label="{escape(diagram.title)}">\n'
        f'<p class="diagram-facts" aria-hidden="true">\n{heading}'
        f"Dealer {record.dealer.value}<br>\nVul {record.vulnerability.value}\n</p>\n"
        f'{shown}<div class="{compass}" aria-hidden="true">\n{seats}</div>\n{outcome}</div>\n'
    )


def draw_hand(name: str, hand: Hand, costs: Mapping[str, int] = NO_COSTS, *, is_visible: bool) -> str:
    if not is_visible:
        spoken = f'<span class="visually-hidden">{hand.seat.full_name}: </span>'
        return f'<div class="hand hand-{name}">\n<p class="hidden-hand">{spoken}hidden</p>\n</div>\n'
    suits = "".join(
        f'<li><span class="suit {suit.name}">{suit.symbol}{TEXT_STYLE}</span> {draw_ranks(suit, costs)}</li>\n'
        for suit in hand.suits
    )
    return (
        f'<div class="hand hand-{name}">\n<p class="visually-hidden">{hand.in_words}.</p>\n'
        f'<ul aria-hidden="true">\n{suits}</ul>\n</div>\n'
    )


def draw_ranks(suit: Suit, costs: Mapping[str, int]) -> str:
    if not costs:
        return suit.ranks or "—"
    marked = ""
    for rank in suit.ranks.replace("10", "T"):
        cost = costs.get(suit.name[0].upper() + rank)
        marked += format_ranks(rank) + (f'<sup class="cost">−{cost}</sup>' if cost else "")
    return marked or "—"


def draw_seat(name: str, hand: Hand) -> str:
    mark = " dealer" if hand.is_dealer else ""
    return f'<span class="seat seat-{name}{mark}">{hand.seat.value}</span>\n'


def draw_outcome(diagram: Diagram) -> str:
    """Write the contract, the lead and the result; nothing without a contract."""
    if not diagram.outcome:
        return ""
    level, symbol, rest = diagram.contract
    contract = f'{level}<span class="{diagram.contract_suit}">{symbol}</span>{escape(rest)}'
    lead = ""
    if suit := diagram.lead:
        lead = f'· lead <span class="{suit.name}">{suit.symbol}{TEXT_STYLE}</span>{suit.ranks}\n'
    result = f"<br>{escape(diagram.result)}\n" if diagram.result else ""
    return (
        '<p class="diagram-outcome">\n<span aria-hidden="true">\n'
        f"{contract}\n{lead}{result}</span>\n"
        f'<span class="visually-hidden">{escape(diagram.outcome)}</span>\n</p>\n'
    )
