"""Slots of numbers: how many cards, points and tricks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from search.phrases.slots.reading import Readings, Slot, Value, Words, matching, one_of, only, spelled

RANGE = re.compile(r"(\d{1,2})(?:-|\.\.)(\d{1,2})")
OPERATORS = {each: each for each in ("=", ">=", "<=", ">", "<")}
IN_WORDS = {
    "=": "{}",
    ">=": "{} or more",
    "<=": "{} or fewer",
    ">": "more than {}",
    "<": "fewer than {}",
}
INVERTED = str.maketrans("<>", "><")
MIN_POINTS, MAX_POINTS = 8, 37
"""Between these a range alone, 15-17 or 20+, is one of points."""


@dataclass(frozen=True)
class Count(Value):
    """A number alone."""

    number: int = 0

    @property
    def missing(self) -> int:
        """Return how many of four are left."""
        return 4 - self.number

    @property
    def tricks(self) -> int:
        """Return the tricks of so many odd tricks."""
        return self.number + 6

    @property
    def rank(self) -> str:
        return "T" if self.number == 10 else str(self.number)


@dataclass(frozen=True)
class Amount(Value):
    """An operator and a number, or two with all between them."""

    operator: str = "="
    numbers: tuple[int, ...] = ()

    @property
    def down(self) -> str:
        """Return the results that are so many tricks down: >=3 is a result of -3 or less."""
        return self.operator.translate(INVERTED) + "..".join(f"-{number}" for number in reversed(self.numbers))


def compare(operator: str, number: int) -> Amount:
    words = IN_WORDS[operator].format(number)
    return Amount(f"{operator}{number}", words, operator=operator, numbers=(number,))


def between(low: int, high: int) -> Amount:
    return Amount(f"={low}..{high}", f"{low} to {high}", numbers=(low, high))


class AmountReader:
    """Reads amounts with the words of a language."""

    def __init__(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
        self.numbers = {word: int(number) for number, spellings in words["number"].items() for word in spellings}
        self.operators_before = one_of(spelled(words["before"], OPERATORS))
        self.operators_behind = one_of(spelled(words["behind"], OPERATORS))
        self.between = words["range"]["between"]
        self.to = words["range"]["to"]
        self.exact = self.amount("=")
        self.length = self.amount(">=")

    def number_at(self, words: Words, at: int) -> int | None:
        """Return the number that a token is, in figures or spelt out, None for another word."""
        if at >= len(words):
            return None
        word = words[at][0]
        return int(word) if word.isdecimal() and len(word) < 4 else self.numbers.get(word)

    def counts(self, words: Words, at: int) -> Readings:
        """Yield a number alone, of tricks."""
        if number := self.number_at(words, at):
            yield at + 1, Count(str(number), str(number), number, number)

    def amount(self, plain: Literal["=", ">="]) -> Slot:
        """Return the slot of 15, 15-17, 15+, at least 15, 15 or more. `plain` is what a number alone means."""

        def read(words: Words, at: int) -> Readings:
            if at == len(words):
                return
            yield from read_token(words, at)
            for end, operator in self.operators_before(words, at):
                if (number := self.number_at(words, end)) is not None:
                    yield end + 1, compare(operator, number)
            start = at + any(word in self.between for word in words[at])
            if (number := self.number_at(words, start)) is not None:
                yield start + 1, replace(compare(plain, number), low=number)
                yield from self.read_behind(words, start + 1, number)

        return Slot(read, Amount)

    def read_behind(self, words: Words, at: int, number: int) -> Readings:
        """Yield what a number is with the words behind it: or more, to 17, or 16."""
        for end, operator in self.operators_behind(words, at):
            yield end, compare(operator, number)
        if at < len(words) and words[at][0] in self.to:
            high = self.number_at(words, at + 1)
            if high is not None and number < high:
                yield at + 2, between(number, high)

    def slots(self) -> Mapping[str, Slot]:
        return {
            "n": self.exact,
            "length": self.length,
            "points": only(self.exact, is_of_points),
            "count": Slot(self.counts, Count),
            "numbers": Slot(read_range),
            "number": matching(r"#?(\d{1,5})"),
            "down": matching(r"-(1[0-3]|[1-9])"),
            "over": matching(r"\+([1-6])"),
            "won": matching(r"\+(\d{2,3}0)"),
            "lost": matching(r"-(\d{2,3}0|[5-9]0)"),
            "score": matching(r"([2-9]\d0|1[1-9]0|1[0-9]\d0|2[1-9]\d0|[3-7]\d\d0)"),
            "points_scored": matching(r"\+?(\d{2,3}0|[5-9]0)"),
        }


def read_token(words: Words, at: int) -> Readings:
    """Yield what a token says alone: 15-17, 15+."""
    word = words[at][0]
    if (match := RANGE.fullmatch(word)) and int(match[1]) < int(match[2]):
        yield at + 1, between(int(match[1]), int(match[2]))
    if word.endswith("+") and word[:-1].isdecimal():
        yield at + 1, compare(">=", int(word[:-1]))


def read_range(words: Words, at: int) -> Readings:
    """Yield numbers from one to a greater one, of boards: 1-16, but not 6-5."""
    match = re.fullmatch(r"(\d{1,5})-(\d{1,5})", words[at][0]) if at < len(words) else None
    if match and int(match[1]) < int(match[2]):
        yield at + 1, Value(f"{match[1]}..{match[2]}", match[0])


def is_of_points(value: Value) -> bool:
    """Tell whether an amount alone is one of points: not a number alone."""
    assert isinstance(value, Amount)
    return value.low is None and min(value.numbers) >= MIN_POINTS and max(value.numbers) <= MAX_POINTS
