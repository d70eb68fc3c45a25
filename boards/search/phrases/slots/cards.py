"""Slots of cards and shapes."""

import re
from collections.abc import Iterator

from boards.search.phrases.slots.amounts import number_at
from boards.search.phrases.slots.names import RANK_WORDS, SUITS
from boards.search.phrases.slots.reading import Readings, Value, Words, has_at, one_of
from bridge.names import SUIT_NAMES

MAX_HELD = 5
"""The honours that are named one after the other."""

CARDS = re.compile(r"(?!cat|hat|sat)([shdc])((?:[akqjt2-9]|10)+)x*")
HELD = re.compile(r"(?!at)([akqj](?:[akqjt9]|10)+)x*")
CARD_BEHIND = re.compile(r"(?!as)([akqjt])([shdc])")


def cards(words: Words, at: int) -> Readings:
    """Yield cards of a suit: SAK, AKQ in spades, ace of hearts, KH."""
    if at >= len(words):
        return
    word = words[at][0]
    if match := CARDS.fullmatch(word):
        yield at + 1, write_cards(match[1], match[2])
    if match := CARD_BEHIND.fullmatch(word):
        yield at + 1, write_cards(match[2], match[1])
    ranks = [(end, rank.letter) for end, rank in one_of(RANK_WORDS)(words, at)]
    for end, held in ranks:  # ace king queen
        ranks += [(last, held + rank.letter) for last, rank in one_of(RANK_WORDS)(words, end) if len(held) < MAX_HELD]
    if match := HELD.fullmatch(word):
        ranks.append((at + 1, match[1]))
    for end, held in ranks:
        behind = end + 1 if has_at(words, end, ["of"]) or has_at(words, end, ["in"]) else end
        for last, suit in one_of(SUITS)(words, behind):
            yield last, write_cards(suit.letter, held)
    for end, suit in one_of(SUITS)(words, at):
        for last, rank in (*one_of(RANK_WORDS)(words, end), *honours(words, end)):
            yield last, write_cards(suit.letter, rank.query)


def write_cards(suit: str, ranks: str) -> Value:
    held = ranks.upper().replace("10", "T")
    return Value(f"{suit.upper()}{held}", f"{SUIT_NAMES[suit.upper()]} {held}", suit.upper())


def honours(words: Words, at: int) -> Readings:
    """Yield honours of a suit that is not named: AK, KQJ."""
    if at < len(words) and (match := HELD.fullmatch(words[at][0])):
        held = match[1].upper().replace("10", "T")
        yield at + 1, Value(held, held)


SHAPE = re.compile(r"(\d)([-=]?)(\d)\2(\d)\2(\d)")
PAIR = re.compile(r"(\d)[-=](\d)\+?")


def shapes(words: Words, at: int) -> Readings:
    """Yield four lengths of 13 cards: 4441, 5-3-3-2, or 5=4=3=1 of spades, hearts, diamonds and clubs."""
    if at < len(words) and (match := SHAPE.fullmatch(words[at][0])):
        first, mark, *rest = match.groups()
        if sum(map(int, (first, *rest))) == 13:
            yield at + 1, Value(mark.replace("-", "").join((first, *rest)), (mark or "-").join((first, *rest)))


def two_lengths(words: Words, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield two lengths, the longer one first, and the token behind them: 5-4, 4/5, five-four."""
    one: int | None
    other: int | None
    if at < len(words) and (match := PAIR.fullmatch(words[at][0])):
        one, other, end = int(match[1]), int(match[2]), at + 1
    else:
        one, other, end = number_at(words, at), number_at(words, at + 1), at + 2
    if one is not None and other is not None and one + other <= 13:
        yield end, max(one, other), min(one, other)


def pairs(words: Words, at: int) -> Readings:
    """Yield two lengths of a hand, 5-5 or 6-4, the longer one in `query` first. Each is one digit there."""
    for end, high, low in two_lengths(words, at):
        if low >= 3 and high + low >= 8 and high < 10:
            yield end, Value(f"{high}{low}", f"{high}-{low}")


def splits(words: Words, at: int) -> Readings:
    """Yield how two hands share a suit, 4-4 or 5-3, the longer one first."""
    for end, high, low in two_lengths(words, at):
        yield end, Value(f"{high}-{low}", f"{high}-{low}")
