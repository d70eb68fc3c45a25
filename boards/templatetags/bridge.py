"""Template filters for calls, cards and contracts: suit symbols on the screen, words for screen readers."""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.diagrams import TEXT_PRESENTATION
from deals.bridge.names import SUIT_NAMES, SYMBOLS, shown_ranks, spoken_call, spoken_card
from deals.bridge.seats import Seat

register = template.Library()

SIDES = {"NS": "North-South", "EW": "East-West"} | {seat.value: seat.spoken for seat in Seat}


@register.filter
@lru_cache(maxsize=64)
def call(text: str) -> SafeString:
    """Display "1S" as 1♠. Notrump bids, "Pass", "X" and "XX" stay as they are."""
    return with_spoken_text(bid(text), spoken_call(text)) if text != "Pass" else SafeString(text)


@register.filter
@lru_cache(maxsize=64)
def card(text: str) -> SafeString:
    """Display "ST" as ♠10."""
    return with_spoken_text(format_html("{}{}", symbol(text[0]), shown_ranks(text[1])), spoken_card(text))


@register.filter
@lru_cache(maxsize=8)
def denomination(text: str) -> SafeString:
    """Display "S" as ♠. "NT" stays as it is."""
    return with_spoken_text(symbol(text), SUIT_NAMES[text]) if text in SYMBOLS else SafeString(text)


@register.filter
@lru_cache(maxsize=256)
def par_contract(text: str) -> str:
    """Display "EW 5DX-2" as 5♦X-2 by East-West, and "Pass" as passed out. deals.double_dummy has the notation."""
    side, _, contract = text.partition(" ")
    if not contract:
        return "passed out"
    length = 3 if contract[1:3] == "NT" else 2
    bid_text, rest = contract[:length], contract[length:]
    spoken = f"{spoken_call(bid_text)}{rest.replace('X', ' doubled ')}"
    visible = format_html("{}{}", bid(bid_text), rest)
    return format_html("{} by {}", with_spoken_text(visible, spoken), SIDES[side])


def bid(text: str) -> SafeString:
    return format_html("{}{}", text[0], symbol(text[1])) if text[1:] in SYMBOLS else SafeString(text)


def symbol(letter: str) -> SafeString:
    return format_html('<span class="{}">{}</span>', SUIT_NAMES[letter], SYMBOLS[letter] + TEXT_PRESENTATION)


def with_spoken_text(visible: str, spoken: str) -> SafeString:
    """Return markup that displays one text and has screen readers read the other."""
    return format_html(
        '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', visible, spoken
    )
