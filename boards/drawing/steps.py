"""What happened last at a step of a board: a call, the lead or a trick, as a sentence of the page."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card
from boards.pages.presenters import BoardDetail
from deals.bridge.replay import cards_of, winners_of


def draw_moment(detail: BoardDetail) -> SafeString:
    """Write what happened last at the position that is shown: a call, the lead or a trick."""
    position, record = detail.position, detail.record
    if position is None:
        return SafeString("")
    if position.cards:
        return draw_last_cards(detail, cards_of(record)[: position.cards])
    if record.auction and position.calls:
        calls = record.auction.calls
        caller = record.dealer.clockwise()[(position.calls - 1) % 4].full_name
        counted = f"Call {position.calls}"
        if not detail.visible_hands:  # else a player would learn how long the auction is
            counted += f" of {len(calls)}"
        return format_html("{}. {}: {}", counted, caller, call(calls[position.calls - 1].call))
    return SafeString(f"Before the {'auction' if record.auction else 'lead'}")


def draw_last_cards(detail: BoardDetail, cards: tuple[str, ...]) -> SafeString:
    """Write the opening lead, or the last trick of these cards with its winner."""
    leader = detail.record.contract.leader if detail.record.contract else None
    winners = winners_of(detail.record, cards)
    if len(cards) == 1:
        return format_html("Opening lead. {}: {}", leader.full_name if leader else "", card(cards[0]))
    first = (len(cards) - 1) // 4 * 4
    number = first // 4 + 1
    if number > 1:
        leader = winners[number - 2]
    played = format_html_join(", ", "{}", ((card(each),) for each in cards[first:]))
    text = format_html("Trick {}. {}: {}", number, leader.full_name if leader else "", played)
    return format_html("{}. {} wins.", text, winners[-1].full_name) if len(cards) % 4 == 0 else text
