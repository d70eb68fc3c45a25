"""Calls and cards in templates: symbols for who looks, words for who listens."""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from deals.bridge.names import (
    SEAT_NAMES,
    SIDE_NAMES,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    TEXT_STYLE,
    call_in_words,
    card_in_words,
    format_ranks,
)

register = template.Library()

DECLARER_NAMES = SIDE_NAMES | SEAT_NAMES
"""Of a contract of par, which either partner may play."""


@register.filter
@lru_cache(maxsize=64)
def call(text: str) -> SafeString:
    """ "1S" as 1♠, "3NT", "Pass", "X"."""
    return told(bid(text), call_in_words(text)) if text != "Pass" else SafeString(text)


@register.filter
@lru_cache(maxsize=64)
def card(text: str) -> SafeString:
    """ "ST" as ♠10."""
    return told(format_html("{}{}", symbol(text[0]), format_ranks(text[1])), card_in_words(text))


@register.filter
@lru_cache(maxsize=8)
def denomination(text: str) -> SafeString:
    """ "S" as ♠, "NT"."""
    return told(symbol(text), SUIT_NAMES[text]) if text in SUIT_SYMBOLS else SafeString(text)


@register.filter
@lru_cache(maxsize=256)
def par_contract(text: str) -> str:
    """ "EW 5DX-2" as 5♦X-2 by East-West: see deals.par."""
    side, _, contract = text.partition(" ")
    if not contract:
        return "nobody bids"
    end = 3 if contract[1:3] == "NT" else 2
    words = f"{call_in_words(contract[:end])}{contract[end:].replace('X', ' doubled ')}"
    shown = format_html("{}{}", bid(contract[:end]), contract[end:])
    return format_html("{} by {}", told(shown, words), DECLARER_NAMES[side])


def bid(text: str) -> SafeString:
    return format_html("{}{}", text[0], symbol(text[1])) if text[1:] in SUIT_SYMBOLS else SafeString(text)


def symbol(letter: str) -> SafeString:
    return format_html('<span class="{}">{}</span>', SUIT_NAMES[letter], SUIT_SYMBOLS[letter] + TEXT_STYLE)


def told(seen: str, heard: str) -> SafeString:
    """The one hidden from screen readers, the other from the eye."""
    return format_html(
        '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', seen, heard
    )
