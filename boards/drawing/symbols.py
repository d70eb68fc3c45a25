"""Calls, cards and contracts as markup: suit symbols on the screen, words for screen readers."""

import re
from functools import lru_cache

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from bridge.contract import Contract
from bridge.double_dummy import split_par_contract
from bridge.names import (
    SEAT_NAMES,
    SIDE_NAMES,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    TEXT_STYLE,
    call_in_words,
    card_in_words,
    contract_in_words,
    format_ranks,
)
from bridge.texts import line_for_people

DECLARER_NAMES = SIDE_NAMES | SEAT_NAMES
"""The declarers of a par contract, which either partner may play."""

SUIT_LETTERS = {symbol: letter for letter, symbol in SUIT_SYMBOLS.items()}
SYMBOL = re.compile(rf"([{''.join(SUIT_LETTERS)}]){TEXT_STYLE}?")


@lru_cache(maxsize=64)
def call(text: str) -> SafeString:
    """Display "1S" as 1♠. Notrump bids, "Pass", "X" and "XX" stay as they are."""
    return with_spoken_text(bid(text), call_in_words(text)) if text != "Pass" else SafeString(text)


@lru_cache(maxsize=64)
def card(text: str) -> SafeString:
    """Display "ST" as ♠10."""
    return with_spoken_text(format_html("{}{}", symbol(text[0]), format_ranks(text[1])), card_in_words(text))


@lru_cache(maxsize=8)
def denomination(text: str) -> SafeString:
    """Display "S" as ♠. "NT" stays as it is."""
    return with_spoken_text(symbol(text), SUIT_NAMES[text]) if text in SUIT_SYMBOLS else SafeString(text)


@lru_cache(maxsize=512)
def par_contract(text: str, *, is_short: bool = False, has_others: bool = False) -> str:
    """Display "EW 5DX-2" as 5♦X-2 by East-West or, in a table of results, as 5♦X-2 EW; and "Pass" as passed out.

    A short one may say that others score the same. bridge.double_dummy has the notation.
    """
    bid_text, rest, side = split_par_contract(text)
    if not bid_text:
        return "passed out"
    visible, declarer = format_html("{}{}", bid(bid_text), rest), DECLARER_NAMES[side]
    spoken = f"{call_in_words(bid_text)}{rest.replace('X', ' doubled ')}"
    if is_short:
        others, spoken_others = (", …", " and others") if has_others else ("", "")
        return with_spoken_text(format_html("{} {}{}", visible, side, others), f"{spoken} by {declarer}{spoken_others}")
    return format_html("{} by {}", with_spoken_text(visible, spoken), declarer)


def explanation(text: str) -> SafeString:
    """Display what a call means, with coloured suit symbols and without other programs' markup.

    Robots of Bridge Base Online write "Takeout double -- 3+ ♥": two hyphens for a dash.
    """
    parts = SYMBOL.split(line_for_people(text).replace(" -- ", " – "))
    return format_html_join("", "{}", ((draw_part(part),) for part in parts))


def draw_part(text: str) -> str:
    letter = SUIT_LETTERS.get(text)
    return with_spoken_text(symbol(letter), SUIT_NAMES[letter]) if letter else text


@lru_cache(maxsize=1024)
def contract(played: Contract) -> SafeString:
    """Display a contract with its declarer as in a table of results: 4♠X S, or Pass."""
    if played.level is None or played.denomination is None:
        return with_spoken_text("Pass", contract_in_words(played))
    declarer = f" {played.declarer.value}" if played.declarer else ""
    visible = format_html("{}{}{}", bid(f"{played.level}{played.denomination}"), played.doubled, declarer)
    return with_spoken_text(visible, contract_in_words(played))


@lru_cache(maxsize=64)
def result(in_words: str) -> SafeString:
    """Display "made +1", "made" and "down 2" as in a table of results: +1, = and −2."""
    return with_spoken_text(short_result(in_words), in_words)


def short_result(in_words: str) -> str:
    return in_words.replace("down ", "−").replace("made ", "").replace("made", "=")


def signed(points: float) -> str:
    """Display a score with its sign: +420, −50 or 0."""
    return f"{'+' if points > 0 else '−' if points < 0 else ''}{abs(points)}"


def bid(text: str) -> SafeString:
    return format_html("{}{}", text[0], symbol(text[1])) if text[1:] in SUIT_SYMBOLS else SafeString(text)


def symbol(letter: str) -> SafeString:
    return format_html('<span class="{}">{}</span>', SUIT_NAMES[letter], SUIT_SYMBOLS[letter] + TEXT_STYLE)


def with_spoken_text(visible: str, spoken: str) -> SafeString:
    """Return markup that displays one text and has screen readers read the other.

    An <i> after what is hidden from screen readers is hidden from the screen (site/hands.css). A page has hundreds.
    """
    return format_html('<span aria-hidden="true">{}</span><i>{}</i>', visible, spoken)
