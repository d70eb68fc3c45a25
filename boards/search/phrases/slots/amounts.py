"""Slots of numbers: how many cards, points and tricks."""

import re
from typing import Literal

from boards.search.phrases.slots.reading import Readings, Slot, Value, Words, has_at

NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
        ]
    )
}
RANGE = re.compile(r"(\d{1,2})(?:-|\.\.)(\d{1,2})")
BEFORE = {
    ("at", "least"): ">=",
    ("minimum",): ">=",
    ("min",): ">=",
    ("more", "than"): ">",
    ("over",): ">",
    ("above",): ">",
    ("at", "most"): "<=",
    ("up", "to"): "<=",
    ("maximum",): "<=",
    ("max",): "<=",
    ("less", "than"): "<",
    ("fewer", "than"): "<",
    ("under",): "<",
    ("below",): "<",
    ("exactly",): "=",
    ("precisely",): "=",
    ("only",): "=",
}
BEHIND: dict[tuple[str, ...], str] = {
    **dict.fromkeys((("plus",), ("or", "more"), ("or", "longer"), ("or", "better"), ("or", "higher")), ">="),
    **dict.fromkeys((("or", "less"), ("or", "fewer"), ("or", "lower"), ("or", "shorter")), "<="),
}
IN_WORDS = {
    "=": "{}",
    ">=": "{} or more",
    "<=": "{} or fewer",
    ">": "more than {}",
    "<": "fewer than {}",
}


def number_at(words: Words, at: int) -> int | None:
    """Return the number that a token is, in figures or spelt out, None for another word."""
    if at >= len(words):
        return None
    word = words[at][0]
    return int(word) if word.isdecimal() and len(word) < 4 else NUMBERS.get(word)


def counts(words: Words, at: int) -> Readings:
    """Yield a number alone, of tricks."""
    if number := number_at(words, at):
        yield at + 1, Value(str(number), str(number))


def amount(plain: Literal["=", ">="]) -> Slot:
    """Return the slot of an amount, 15, 15-17, 15+, at least 15, 15 or more. `plain` is what a number alone means."""

    def one(operator: str, number: int) -> Value:
        low = number if operator == plain else None
        return Value(f"{operator}{number}", IN_WORDS[operator].format(number), low=low)

    def between(low: int, high: int) -> Value:
        return Value(f"={low}..{high}", f"{low} to {high}")

    def read(words: Words, at: int) -> Readings:
        if at >= len(words):
            return
        word = words[at][0]
        if (match := RANGE.fullmatch(word)) and int(match[1]) < int(match[2]):
            yield at + 1, between(int(match[1]), int(match[2]))
        if word.endswith("+") and word[:-1].isdecimal():
            yield at + 1, one(">=", int(word[:-1]))
        for before, operator in BEFORE.items():
            if has_at(words, at, before) and (number := number_at(words, at + len(before))) is not None:
                yield at + len(before) + 1, one(operator, number)
        if "between" in words[at]:
            at += 1
        if (number := number_at(words, at)) is None:
            return
        yield at + 1, one(plain, number)
        for behind, operator in BEHIND.items():
            if has_at(words, at + 1, behind):
                yield at + 1 + len(behind), one(operator, number)
        if has_at(words, at + 1, ["to"]) or has_at(words, at + 1, ["and"]) or has_at(words, at + 1, ["or"]):
            high = number_at(words, at + 2)
            if high is not None and number < high:
                yield at + 3, between(number, high)

    return read


MIN_POINTS, MAX_POINTS = 8, 37
"""Between these a range alone, 15-17 or 20+, is one of points."""


MIN_POINTS, MAX_POINTS = 8, 37
"""Between these a range alone, 15-17 or 20+, is one of points."""


def points(words: Words, at: int) -> Readings:
    """Yield the points that an amount alone means, if it is no plain number."""
    for end, value in amount("=")(words, at):
        numbers = [int(number) for number in re.findall(r"\d+", value.query)]
        if value.low is None and min(numbers) >= MIN_POINTS and max(numbers) <= MAX_POINTS:
            yield end, value
