"""What is wrong with a query: a code, a sentence, and the word at which it stands."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal

MAX_SHOWN = 40
"""The characters of a word that a message shows, and that are compared with the words that there are."""

LONG = 7
"""Letters of a word that may have several slips, when at least MIN_LIKENESS of the letters are right."""

MIN_LIKENESS = 0.75
"""Less would find "auction" in "section"."""

Code = Literal[
    "too_long",  # more characters than a query may have
    "too_many_conditions",
    "too_deep",  # more brackets within one another than a query may have
    "not_closed",  # a bracket or a quotation mark
    "syntax",  # words, operators or brackets stand where they cannot
    "unknown_word",
    "no_seat",  # a condition on a hand or a side, but not on which
    "wrong_place",  # a word of the board within a hand, a word of a side within a hand, and the like
    "wrong_operator",
    "bad_value",
    "unknown_name",  # no theme, theme type or auction system has the name
    "not_signed_in",  # "me" is nobody
]


class QueryError(ValueError):
    """A text is no query. `position` counts characters from 0 to where `word` begins."""

    def __init__(self, code: Code, message: str, position: int, word: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.word = word


def shorten(word: str) -> str:
    """Return a word as a message shows it."""
    return word if len(word) <= MAX_SHOWN else f"{word[: MAX_SHOWN - 1]}…"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that this one, in any case, is with a slip. None when there is none."""
    spellings = {each.lower(): each for each in known}
    word = word[:MAX_SHOWN].lower()
    near = [each for each in get_close_matches(word, spellings) if is_slip(word, each)]
    if not near and len(word) >= LONG:
        near = get_close_matches(word, spellings, cutoff=MIN_LIKENESS)
    return spellings[near[0]] if near else None


def is_slip(word: str, known: str) -> bool:
    """Tell whether the words differ in one place: some letters more or fewer, another letter, or two exchanged."""
    start = count_equal(word, known)
    word, known = word[start:], known[start:]
    end = count_equal(word[::-1], known[::-1])
    word, known = word[: len(word) - end], known[: len(known) - end]
    return not word or not known or len(word) == len(known) == 1 or (len(word) == 2 and word == known[::-1])


def count_equal(first: str, second: str) -> int:
    """Return how many letters both words begin with."""
    return next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )


def suggest(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return the sentence that names the nearest known word, or else another sentence."""
    match = nearest(word, known)
    return f"Did you mean {match}?" if match else otherwise
