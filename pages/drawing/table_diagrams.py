"""The hand diagram at a moment of a board: the trick on the table, the tricks won, and what cards cost."""

from collections.abc import Mapping, Sequence
from html import escape

from django.utils.safestring import SafeString

from boards.drawing.html_diagrams import NO_COSTS, render_html
from boards.drawing.symbols import card as draw_card
from boards.drawing.symbols import symbol
from bridge.diagram import Diagram
from bridge.names import TEXT_STYLE, card_in_words, format_ranks
from bridge.verdict import cost_in_words
from config.values.words import format_count
from pages.presenters.playing import PlayableCards, TableView


def draw_diagram(
    diagram: Diagram,
    visible_hands: Sequence[str] = (),
    table: TableView | None = None,
    costs: Mapping[str, int] = NO_COSTS,
) -> SafeString:
    """Draw the diagram, with what the cards cost that were played at each of them.

    With `table` draw the trick of that moment in the middle, and the tricks of both sides below. What the cards cost
    that may be played stands at each of them then.
    """
    if table is None:
        return render_html(diagram, visible_hands, costs=costs)
    costs = {choice.card: choice.cost for choice in table.choices.cards if choice.cost} if table.choices else {}
    return render_html(diagram, visible_hands, costs=costs, trick=draw_trick(table), outcome=draw_tricks_won(table))


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
        return '<p class="tricks-won"></p>\n'
    cards = ", ".join(f"{seat.full_name} {card_in_words(card)}" for seat, card in trick.cards.items())
    winner = f", won by {trick.winner.full_name}" if trick.winner else ""
    words = (
        f"On the table, trick {trick.number}: {cards}{winner}. "
        f"North-South {won.north_south} tricks, East-West {won.east_west}."
    )
    return (
        '<p class="tricks-won">\n'
        f'<span aria-hidden="true">NS {won.north_south} – EW {won.east_west}</span>'
        f"<i>{words}</i>\n</p>\n"
    )


def draw_choices(choices: PlayableCards) -> SafeString:
    """Write what each card costs that may be played: "♠A, ♠K cost nothing; ♣3 costs a trick"."""
    cards_by_cost: dict[int, list[str]] = {}
    for choice in choices.cards:
        cards_by_cost.setdefault(choice.cost, []).append(draw_card(choice.card))
    if cards_by_cost.keys() == {0}:
        return SafeString("no card costs a trick.")
    groups = (
        f"{', '.join(cards)} {'costs' if len(cards) == 1 else 'cost'} {cost_in_words(cost)}"
        for cost, cards in sorted(cards_by_cost.items())
    )
    return SafeString(f"{'; '.join(groups)}.")


def draw_own_hand(diagram: Diagram, name: str) -> SafeString:
    """Draw one hand as cards to hold, and below them its points, dealer and vulnerability in words."""
    hand, facts = diagram.hands[name], diagram.title.partition(": ")[2]
    cards = "".join(
        f'<li><b class="{suit.name}">{format_ranks(rank)}<i>{suit.symbol}{TEXT_STYLE}</i></b></li>'
        for suit in hand.suits
        for rank in suit.ranks.replace("10", "T")
    )
    return SafeString(
        f'<p class="visually-hidden">{hand.in_words}.</p>\n<ul class="fan" aria-hidden="true">{cards}</ul>\n'
        f'<p class="quiet">{format_count(hand.points, "point")} · {escape(facts)}</p>\n'
    )
