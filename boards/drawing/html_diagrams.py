"""The hand diagram as a part of a page, with site/hands.css. What it says is in bridge.diagram.

It is written in Python, since a list shows dozens of diagrams and a template takes five times as long for each. The
drawing is hidden from screen readers, and the words that they read after it are hidden from the screen. The styles find
hands and suits by their order: facts, the hands from North to West, the table, the points.
"""

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

from django.utils.safestring import SafeString

from bridge.contract import Contract
from bridge.diagram import Diagram, DiagramHand, Suit
from bridge.names import TEXT_STYLE, contract_in_words, format_ranks, format_result

NO_COSTS: Mapping[str, int] = MappingProxyType({})

VULNERABLE = {"None": "None vulnerable", "NS": "N-S vulnerable", "EW": "E-W vulnerable", "All": "All vulnerable"}

MAX_BESIDE, MAX_SMALL = 14, 19
"""The characters of West's and East's longest suits that a narrow card has room for: as they are, and written smaller.
With more each of the two hands has a row of its own.
"""


def render_html(
    diagram: Diagram,
    visible_hands: Sequence[str] = (),
    *,
    costs: Mapping[str, int] = NO_COSTS,
    trick: str | None = None,
    outcome: str = "",
) -> SafeString:
    """Draw the diagram. With `visible_hands`, names from "north" to "west", hide the other hands and all points.

    `costs` stand at the cards that cost tricks. `trick` is markup of the cards on the table, and `outcome` markup that
    stands below the hands. A diagram has no free text. All the same its title and its words are escaped.
    """
    hands = diagram.hands
    drawn = [
        draw_hand(hand, costs, is_visible=not visible_hands or name in visible_hands) for name, hand in hands.items()
    ]
    points, spoken_points = ("", "") if visible_hands else draw_points(hands)
    shown, spoken = map("".join, zip(*drawn, strict=True))
    facts = f"Dealer {diagram.record.dealer.full_name}<br>{VULNERABLE[diagram.record.vulnerability.value]}"
    width = width_of(hands["west"], costs) + width_of(hands["east"], costs)
    long = " longest" if width > MAX_SMALL else " long" if width > MAX_BESIDE else ""
    return SafeString(
        f'<div class="hands" role="group" aria-label="{escape(diagram.title)}">\n'
        f'<div class="diagram{long}" aria-hidden="true"><p>{facts}</p>{shown}'
        f'{draw_table(diagram, trick)}{points}</div>\n<div class="visually-hidden">{spoken}{spoken_points}</div>\n'
        f"{outcome}</div>\n"
    )


def width_of(hand: DiagramHand, costs: Mapping[str, int]) -> int:
    """Return the characters of the hand's longest suit."""
    marked = {card[0] for card in costs}
    return max(len(suit.ranks) + 3 * (suit.name[0].upper() in marked) for suit in hand.suits)


def draw_points(hands: Mapping[str, DiagramHand]) -> tuple[str, str]:
    """Write the points of all hands. Return them, and what screen readers read instead."""
    north, east, south, west = (hand.points for hand in hands.values())
    spoken = f"<p>High-card points: {north} N, {east} E, {south} S, {west} W</p>"
    return f"<p>{north} N<br>{west} W · {east} E<br>{south} S</p>", spoken


def draw_table(diagram: Diagram, trick: str | None) -> str:
    """Draw the table with its seats, dealer and vulnerability, and the board's number or the cards of a trick."""
    number = diagram.record.board_number
    seats = "".join(map(draw_seat, diagram.hands.values()))
    small = ' class="number-of-three"' if number and number > 99 else ""
    middle = trick or (f"<b{small}>{number}</b>" if number else "")
    name = "compass" if trick is None else "compass with-trick"
    return f'<div class="{name}">{seats}{middle}</div>'


def draw_seat(hand: DiagramHand) -> str:
    marks = " ".join(["vulnerable"] * hand.is_vulnerable + ["dealer"] * hand.is_dealer)
    attributes = f' class="{marks}"' if marks else ""
    return f"<span{attributes}>{hand.seat.value}</span>"


def draw_hand(hand: DiagramHand, costs: Mapping[str, int], *, is_visible: bool) -> tuple[str, str]:
    """Draw a hand. Return it, and what screen readers read instead."""
    if not is_visible:
        return '<div class="hidden-hand">hidden</div>', f"<p>{hand.seat.full_name}: hidden</p>"
    suits = "\n".join([f"<i>{suit.symbol}{TEXT_STYLE}</i>{draw_ranks(suit, costs)}" for suit in hand.suits])
    return f"<pre>{suits}</pre>", f"<p>{hand.in_words}.</p>"


def draw_ranks(suit: Suit, costs: Mapping[str, int]) -> str:
    if not costs:
        return suit.ranks or "—"
    marked = ""
    for rank in suit.ranks.replace("10", "T"):
        cost = costs.get(suit.name[0].upper() + rank)
        marked += format_ranks(rank) + (f'<sup class="cost">−{cost}</sup>' if cost else "")
    return marked or "—"


def draw_outcome(diagram: Diagram, *, is_short: bool = False) -> str:
    """Write the contract, what was made of it and the score, as in "4♥ by West ✓ made E-W +420".

    With `is_short` the declarer is a letter, for a card of a list. Without a contract it is "".
    """
    record = diagram.record
    if record.contract is None:
        return ""
    level, symbol, rest = diagram.contract
    if is_short and record.contract.declarer:
        rest = f"{record.contract.doubled} {record.contract.declarer.value}"
    visible = f'{level}<span class="{diagram.contract_suit}">{symbol}</span>{escape(rest)}'
    if record.tricks is not None:
        visible += f" {draw_made(record.contract, record.tricks)}"
    if record.score:
        visible += f' <span class="quiet">{"N-S" if record.score > 0 else "E-W"} +{abs(record.score)}</span>'
    spoken = escape(", ".join(filter(None, (contract_in_words(record.contract), diagram.result))))
    return f'<span aria-hidden="true">{visible}</span><i>{spoken}</i>'


def draw_made(contract: Contract, tricks: int) -> str:
    """Write what was made of a contract as a sign with its words: "✓ made +1" or "✗ 2 down"."""
    made = format_result(contract, tricks)
    if made.startswith("down"):
        return f'<span class="tag down">✗ {made.removeprefix("down ")} down</span>'
    return f'<span class="tag made">✓ {made}</span>'
