"""The hand diagram as a part of a page, with boards/diagram.css. What it says is in bridge.diagram.

It is written in Python, since a list shows dozens of diagrams and a template takes five times as long for each. Symbols
are hidden from screen readers, and words for screen readers are hidden from the screen.
"""

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

from django.utils.safestring import SafeString

from boards.drawing.symbols import card as draw_card
from boards.drawing.symbols import symbol
from boards.pages.playing import Choices, TableView
from bridge.diagram import Diagram, Hand, Suit
from bridge.names import TEXT_STYLE, card_in_words, format_ranks
from bridge.verdict import cost_in_words

NO_COSTS: Mapping[str, int] = MappingProxyType({})


def render_html(
    diagram: Diagram,
    visible_hands: Sequence[str] = (),
    table: TableView | None = None,
    outcome: str = "",
) -> SafeString:
    """Draw the diagram. With `visible_hands`, names from "north" to "west", hide the other hands and the outcome.

    With `table` draw the trick of that moment in the middle, and the tricks of both sides in place of the outcome. What
    the cards cost that may be played stands at each of them. `outcome` is markup that stands in place of the board's
    own. A diagram has no free text. All the same its title and its words are escaped.
    """
    record = diagram.record
    heading = f"<b>{diagram.heading}</b><br>\n" if diagram.heading else ""
    hands = diagram.hands
    shown = "".join(
        draw_hand(name, hand, costs_in(hand, table), is_visible=not visible_hands or name in visible_hands)
        for name, hand in hands.items()
    )
    seats = "".join(draw_seat(name, hand) for name, hand in hands.items())
    sides = "".join(
        f" vulnerable-{hand.seat.side.lower()}" for hand in (hands["north"], hands["east"]) if hand.is_vulnerable
    )
    if table:
        seats += draw_trick(table)
        outcome = draw_tricks_won(table)
    elif not visible_hands:
        outcome = outcome or draw_outcome(diagram)
    compass = f"compass{' with-trick' if table else ''}{sides}"
    return SafeString(
        f'<div class="diagram" role="group" aria-label="{escape(diagram.title)}">\n'
        f'<p class="diagram-facts" aria-hidden="true">\n{heading}'
        f"Dealer {record.dealer.value}<br>\nVul {record.vulnerability.value}\n</p>\n"
        f'{shown}<div class="{compass}" aria-hidden="true">\n{seats}</div>\n{outcome}</div>\n'
    )


def costs_in(hand: Hand, table: TableView | None) -> dict[str, int]:
    """Return what the cards of a hand cost that may be played at the moment, as far as they cost a trick."""
    choices = table.choices if table else None
    if choices is None or choices.seat is not hand.seat:
        return {}
    return {choice.card: choice.cost for choice in choices.cards if choice.cost}


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
    """Write the ranks of a suit, each with its cost if it has one."""
    if not costs:
        return suit.ranks or "—"
    letter = suit.name[0].upper()
    ranks = suit.ranks.replace("10", "T")
    marked = (format_ranks(rank) + draw_cost(costs.get(letter + rank, 0)) for rank in ranks)
    return "".join(marked) or "—"


def draw_cost(tricks: int) -> str:
    return f'<sup class="cost">−{tricks}</sup>' if tricks else ""


def draw_trick(table: TableView) -> str:
    """Draw the cards of the trick on the table, each before its player. The winner of a whole trick has a frame."""
    if not (trick := table.trick):
        return ""
    return "".join(
        f'<span class="played played-{seat.key}{" wins" if seat is trick.winner else ""}">'
        f"{symbol(card[0])}{format_ranks(card[1])}</span>\n"
        for seat, card in trick.cards.items()
    )


def draw_tricks_won(table: TableView) -> str:
    """Write the tricks of both sides, and in words what lies on the table. The line is there from the first step on."""
    if not (won := table.tricks_won) or not (trick := table.trick):
        return '<p class="diagram-outcome tricks-won"></p>\n'
    cards = ", ".join(f"{seat.full_name} {card_in_words(card)}" for seat, card in trick.cards.items())
    winner = f", won by {trick.winner.full_name}" if trick.winner else ""
    words = (
        f"On the table, trick {trick.number}: {cards}{winner}. "
        f"North-South {won.north_south} tricks, East-West {won.east_west}."
    )
    return (
        '<p class="diagram-outcome tricks-won">\n'
        f'<span aria-hidden="true">NS {won.north_south} – EW {won.east_west}</span>'
        f'<span class="visually-hidden">{words}</span>\n</p>\n'
    )


def draw_choices(choices: Choices) -> SafeString:
    """Write what each card costs that may be played: "♠A, ♠K cost nothing; ♣3 costs a trick"."""
    if not any(choice.cost for choice in choices.cards):
        return SafeString("no card costs a trick.")
    groups = "; ".join(
        f"{', '.join(map(draw_card, group.cards))} {verb(len(group.cards))} {cost_in_words(group.cost)}"
        for group in choices.groups
    )
    return SafeString(f"{groups}.")


def verb(cards: int) -> str:
    return "costs" if cards == 1 else "cost"


def draw_own_hand(diagram: Diagram, name: str) -> SafeString:
    """Draw one hand by itself, with dealer and vulnerability in words above it."""
    facts = diagram.title.partition(": ")[2]
    return SafeString(
        f'<div class="diagram own-hand">\n<p>{facts[0].upper()}{escape(facts[1:])}</p>\n'
        f"{draw_hand(name, diagram.hands[name], is_visible=True)}</div>\n"
    )


def draw_seat(name: str, hand: Hand) -> str:
    mark = " dealer" if hand.is_dealer else ""
    return f'<span class="seat seat-{name}{mark}">{hand.seat.value}</span>\n'


def draw_outcome(diagram: Diagram) -> str:
    """Write the contract, the lead and the result; nothing without a contract."""
    if not diagram.outcome:
        return ""
    lead = f"· lead {draw_lead(diagram.lead)}\n" if diagram.lead else ""
    result = f"<br>{escape(diagram.result)}\n" if diagram.result else ""
    return (
        '<p class="diagram-outcome">\n<span aria-hidden="true">\n'
        f"{draw_contract(diagram)}\n{lead}{result}</span>\n"
        f'<span class="visually-hidden">{escape(diagram.outcome)}</span>\n</p>\n'
    )


def draw_contract(diagram: Diagram) -> SafeString:
    level, symbol, rest = diagram.contract
    return SafeString(f'{level}<span class="{diagram.contract_suit}">{symbol}</span>{escape(rest)}')


def draw_lead(lead: Suit) -> str:
    return f'<span class="{lead.name}">{lead.symbol}{TEXT_STYLE}</span>{lead.ranks}'
