"""What happened last at a step of a board: a call or a card, as a sentence of the page."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card, with_spoken_text
from bridge.verdict import cost_in_words
from pages.presenters.boards import BoardDetail
from pages.presenters.playing import TableView


def draw_moment(detail: BoardDetail) -> SafeString:
    """Write what happened last at the position that is shown: a call or a card."""
    position, record, table = detail.position, detail.record, detail.table
    if position is None or table is None:
        return SafeString("")
    if position.cards:
        return draw_last_card(detail, table)
    if record.auction and position.calls:
        calls = record.auction.calls
        caller = record.dealer.clockwise()[(position.calls - 1) % 4].full_name
        counted = f"Call {position.calls}"
        if not detail.visible_hands:  # else a player would learn how long the auction is
            counted += f" of {len(calls)}"
        return format_html("{}. {}: {}", counted, caller, call(calls[position.calls - 1].call))
    return SafeString(f"Before the {'auction' if record.auction else 'lead'}")


def draw_last_card(detail: BoardDetail, table: TableView) -> SafeString:
    """Write the card that was played last, what it cost, and who won the trick with it."""
    if not (trick := table.trick):
        return format_html("Opening lead: {}", card(table.cards[-1]))  # declarer is not known, so nor is the leader
    seat, played = [*trick.cards.items()][-1]
    what = "Opening lead" if len(table.cards) == 1 else f"Trick {trick.number}"
    text = format_html("{}. {}: {}", what, seat.full_name, card(played))
    if cost := cost_of(detail, played):
        text += with_spoken_text(f" −{cost}", f", which cost {cost_in_words(cost)} with all cards seen")
    if trick.winner:
        text = format_html("{}. {} wins.", text, trick.winner.full_name)
    return format_html("{} {}", text, table.rest) if table.rest else text


def cost_of(detail: BoardDetail, played: str) -> int:
    """Return the tricks that a played card cost. None is known before the play is analysed."""
    costly = detail.play_summary.cards if detail.play_summary else ()
    return next((each.cost for each in costly if each.card == played), 0)
