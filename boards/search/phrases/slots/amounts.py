"""Slots of numbers: how many cards, points and tricks."""

import re
from dataclasses import replace
from typing import Literal

from boards.search.phrases.slots.reading import Readings, Slot, Value, Words, has_at

NUMBER_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS.split())} | {"thirty": 30}
RANGE = re.compile(r"(\d{1,2})(?:-|\.\.)(\d{1,2})")
BEFORE = {
    ("at", "least"): ">=",
    ("minimum",): ">=",
    ("min",): ">=",
    ("more", "than"): ">",
    ("longer", "than"): ">",
    ("over",): ">",
    ("above",): ">",
    ("at", "most"): "<=",
    ("up", "to"): "<=",
    ("maximum",): "<=",
    ("max",): "<=",
    ("less", "than"): "<",
    ("shorter", "than"): "<",
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

    def read(words: Words, at: int) -> Readings:
        if at == len(words):
            return
        yield from read_token(words, at)
        for before, operator in BEFORE.items():
            if has_at(words, at, before) and (number := number_at(words, at + len(before))) is not None:
                yield at + len(before) + 1, compare(operator, number)
        start = at + ("between" in words[at])
        if (number := number_at(words, start)) is not None:
            yield start + 1, replace(compare(plain, number), low=number)
            yield from read_behind(words, start + 1, number)

    return read


def read_token(words: Words, at: int) -> Readings:
    """Yield what a token says alone: 15-17, 15+."""
    word = words[at][0]
    if (match := RANGE.fullmatch(word)) and int(match[1]) < int(match[2]):
        yield at + 1, between(int(match[1]), int(match[2]))
    if word.endswith("+") and word[:-1].isdecimal():
        yield at + 1, compare(">=", int(word[:-1]))


def read_behind(words: Words, at: int, number: int) -> Readings:
    """Yield what a number is with the words behind it: or more, to 17, or 16."""
    for behind, operator in BEHIND.items():
        if has_at(words, at, behind):
            yield at + len(behind), compare(operator, number)
    if at < len(words) and words[at][0] in ("to", "and", "or"):
        high = number_at(words, at + 1)
        if high is not None and number < high:
            yield at + 2, between(number, high)


def compare(operator: str, number: int) -> Value:
    return Value(f"{operator}{number}", IN_WORDS[operator].format(number))


def between(low: int, high: int) -> Value:
    return Value(f"={low}..{high}", f"{low} to {high}")


def ranges(words: Words, at: int) -> Readings:
    """Yield numbers from one to a greater one, of boards: 1-16, but not 6-5."""
    match = re.fullmatch(r"(\d{1,5})-(\d{1,5})", words[at][0]) if at < len(words) else None
    if match and int(match[1]) < int(match[2]):
        yield at + 1, Value(f"{match[1]}..{match[2]}", match[0])


MIN_POINTS, MAX_POINTS = 8, 37
"""Between these a range alone, 15-17 or 20+, is one of points."""


def points(words: Words, at: int) -> Readings:
    """Yield the points that an amount alone means, if it is no plain number."""
    for end, value in amount("=")(words, at):
        numbers = [int(number) for number in re.findall(r"\d+", value.query)]
        if value.low is None and min(numbers) >= MIN_POINTS and max(numbers) <= MAX_POINTS:
            yield end, value
