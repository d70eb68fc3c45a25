"""Words in the texts of a board: title, commentary, event and the like, and what the players said of their calls.

A text becomes words in one form: small letters without accents, so that "Müller" is found as "muller", and the other
way round. What is neither a letter nor a digit separates words.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from unicodedata import combining, normalize

from bridge.board import TEXTS as OF_RECORDS
from bridge.board import BoardRecord

TEXTS = (
    "commentary",
    *(name for name, text in OF_RECORDS.items() if not (text.choices or text.form or text.notation)),
    "deal_commentary",
)
"""The texts of a record whose words are indexed: what people write, and no notation, such as the number of a pair."""

BREAK = "|"
"""Stands between two texts of a board, so that no phrase runs from one into the other."""

MAX_WORDS = 6_000
"""The words of a board that are indexed, the first ones. An ordinary commentary of 20,000 characters has fewer."""

MAX_LENGTH = 40
"""The characters of a word that count."""

WORD = re.compile(r"[^\W_]+")
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
"""Letters that are not letters with an accent."""


def fold(text: str) -> str:
    """Return a text in small letters without accents."""
    if text.isascii():
        return text.lower()
    decomposed = normalize("NFKD", normalize("NFKD", text).casefold())
    return "".join(letter for letter in decomposed if not combining(letter)).translate(LETTERS)


def fold_words(text: str) -> list[str]:
    """Return the words of a text, in one form."""
    return [word[:MAX_LENGTH] for word in WORD.findall(fold(text))]


def fold_name(name: str) -> str:
    """Return the words of a name, joined as in "friday-pairs". Names that differ in nothing else are one."""
    return "-".join(fold_words(name))


def words_of(record: BoardRecord) -> str:
    """Return the words of the record's texts and of what was said of calls, each between two spaces."""
    calls = record.auction.calls if record.auction else ()
    return write_words(chain((getattr(record, name) for name in TEXTS), (call.explanation for call in calls)))


def write_words(texts: Iterable[str]) -> str:
    words: list[str] = []
    for text in texts:
        if len(words) >= MAX_WORDS:
            break
        if text:
            words += [BREAK, *fold_words(text)]
    return f" {' '.join(words[:MAX_WORDS])} " if words else ""


def word_tags(words: str) -> Iterator[str]:
    """Yield the tag of each word of what `words_of` returns."""
    return (f"word:{word}" for word in dict.fromkeys(words.split()) if word != BREAK)
