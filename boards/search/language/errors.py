"""What is wrong with a query: a code, a sentence, and the word at which it stands."""

from collections.abc import Iterable
from typing import Literal

from config.values.words import nearest

MAX_SHOWN = 40
"""The characters of a word that a message shows, and that are compared with the words that there are."""

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


def suggest(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return the sentence that names the nearest known word, or else another sentence."""
    match = nearest(word, known)
    return f"Did you mean {match}?" if match else otherwise
