"""Slots of cards and shapes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bridge.layout import SHAPES
from bridge.names import SUIT_NAMES
from search.phrases.slots.amounts import AmountReader
from search.phrases.slots.names import NameReader
from search.phrases.slots.reading import Readings, Slot, Value, Words, has_at, only
from search.subject import write_shape

MAX_HELD = 5
"""The honours that are named one after the other."""

CARDS = re.compile(r"(?!cat|hat|sat)([shdc])((?:[akqjt2-9]|10)+)x*")
HELD = re.compile(r"(?!at)([akqj](?:[akqjt9]|10)+)x*")
CARD_BEHIND = re.compile(r"(?!as)([akqjt])([shdc])")
SHAPE = re.compile(r"(\d)([-=]?)(\d)\2(\d)\2(\d)")
PAIR = re.compile(r"(\d)[-=](\d)\+?")


@dataclass(frozen=True)
class Lengths(Value):
    """Two lengths of a hand. Each is one digit of the query, the longer one first."""

    longer: int = 0
    shorter: int = 0

    @property
    def or_more(self) -> str:
        """Return the shapes with so many cards or more in the two longest suits."""
        least = self.longer, self.shorter
        shapes = (shape for shape in SHAPES if all(map(int.__ge__, sorted(shape, reverse=True), least)))
        return ",".join(map(write_shape, shapes))


class CardReader:
    """Reads cards and shapes with the words of a language."""

    def __init__(self, names: NameReader, amounts: AmountReader) -> None:
        self.suits, self.ranks, self.number_at = names.suits, names.ranks, amounts.number_at

    def cards(self, words: Words, at: int) -> Readings:
        """Yield cards of a suit: SAK, AKQ in spades, ace of hearts, KH."""
        if at >= len(words):
            return
        word = words[at][0]
        if match := CARDS.fullmatch(word):
            yield at + 1, write_cards(match[1], match[2])
        if match := CARD_BEHIND.fullmatch(word):
            yield at + 1, write_cards(match[2], match[1])
        named = [(end, rank.query) for end, rank in self.ranks(words, at)]
        for end, held in named:  # ace king queen
            if len(held) < MAX_HELD:
                named += [(last, held + rank.query) for last, rank in self.ranks(words, end)]
        if match := HELD.fullmatch(word):
            named.append((at + 1, match[1]))
        for end, held in named:
            behind = end + 1 if has_at(words, end, ["of"]) or has_at(words, end, ["in"]) else end
            for last, suit in self.suits(words, behind):
                yield last, write_cards(suit.letter, held)
        for end, suit in self.suits(words, at):
            for last, rank in (*self.ranks(words, end), *honours(words, end)):
                yield last, write_cards(suit.letter, rank.query)

    def two_lengths(self, words: Words, at: int) -> Iterator[tuple[int, int, int]]:
        """Yield two lengths, the longer one first, and the token behind them: 5-4, 4/5, five-four."""
        one: int | None
        other: int | None
        if at < len(words) and (match := PAIR.fullmatch(words[at][0])):
            one, other, end = int(match[1]), int(match[2]), at + 1
        else:
            one, other, end = self.number_at(words, at), self.number_at(words, at + 1), at + 2
        if one is not None and other is not None and one + other <= 13:
            yield end, max(one, other), min(one, other)

    def pairs(self, words: Words, at: int) -> Readings:
        """Yield two lengths of a hand: 5-5, 6-4."""
        for end, longer, shorter in self.two_lengths(words, at):
            if shorter >= 3 and longer + shorter >= 8 and longer < 10:
                yield end, Lengths(f"{longer}{shorter}", f"{longer}-{shorter}", longer=longer, shorter=shorter)

    def splits(self, words: Words, at: int) -> Readings:
        """Yield how two hands share a suit, 4-4 or 5-3, the longer one first."""
        for end, longer, shorter in self.two_lengths(words, at):
            yield end, Value(f"{longer}-{shorter}", f"{longer}-{shorter}")

    def slots(self) -> Mapping[str, Slot]:
        pairs = Slot(self.pairs, Lengths)
        return {
            "cards": Slot(self.cards),
            "honours": Slot(honours),
            "shape": Slot(shapes),
            "pair": pairs,
            "equal_pair": only(pairs, is_equal),
            "unequal_pair": only(pairs, lambda value: not is_equal(value)),
            "split": Slot(self.splits),
        }


def is_equal(value: Value) -> bool:
    """Tell whether two lengths are the same."""
    return isinstance(value, Lengths) and value.longer == value.shorter


def write_cards(suit: str, ranks: str) -> Value:
    held = ranks.upper().replace("10", "T")
    return Value(f"{suit.upper()}{held}", f"{SUIT_NAMES[suit.upper()]} {held}")


def honours(words: Words, at: int) -> Readings:
    """Yield honours of a suit that is not named: AK, KQJ."""
    if at < len(words) and (match := HELD.fullmatch(words[at][0])):
        held = match[1].upper().replace("10", "T")
        yield at + 1, Value(held, held)


def shapes(words: Words, at: int) -> Readings:
    """Yield four lengths of 13 cards: 4441, 5-3-3-2, or 5=4=3=1 of spades, hearts, diamonds and clubs."""
    if at < len(words) and (match := SHAPE.fullmatch(words[at][0])):
        first, mark, *rest = match.groups()
        if sum(map(int, (first, *rest))) == 13:
            yield at + 1, Value(mark.replace("-", "").join((first, *rest)), (mark or "-").join((first, *rest)))
