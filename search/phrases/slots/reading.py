"""What a slot is: it yields each reading that begins at a token, the token behind it and the value."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeVar

Words = Sequence[Sequence[str]]
"""The tokens of a text, each as the forms in which it may be read: as it stands, without its s, without its slip."""


@dataclass(frozen=True)
class Value:
    """A value of a slot, as a query has it, and in words.

    Queries of phrases also have the attributes of its class: {suit.letter}. `low` is the number of a number alone.
    """

    query: str
    words: str
    low: int | None = None

    def __str__(self) -> str:
        return self.query

    def on(self, today: date) -> "Value":
        """Return the value as it is meant on a day."""
        return self


Readings = Iterator[tuple[int, Value]]
Meant = TypeVar("Meant")


class Slot(NamedTuple):
    """Reads the values of a slot that begin at a token. All of them are of one class."""

    read: Callable[[Words, int], Readings]
    values: type[Value] = Value


def has_at(words: Words, at: int, sequence: Sequence[str]) -> bool:
    return at + len(sequence) <= len(words) and all(word in words[at + offset] for offset, word in enumerate(sequence))


def one_of(values: Mapping[str, Meant]) -> Callable[[Words, int], Iterator[tuple[int, Meant]]]:
    """Return the reader of some words, of which each is a token or, with spaces between them, several.

    It looks through all of `values`: make it once, as a language is loaded, and not for each token.
    """
    by_first: dict[str, list[tuple[list[str], Meant]]] = {}
    for spelling, value in values.items():
        first, *rest = spelling.split()
        by_first.setdefault(first, []).append((rest, value))

    def read(words: Words, at: int) -> Iterator[tuple[int, Meant]]:
        for form in words[at] if at < len(words) else ():
            for rest, value in by_first.get(form, ()):
                if not rest or has_at(words, at + 1, rest):
                    yield at + 1 + len(rest), value

    return read


def matching(pattern: str) -> Slot:
    """Return the slot of one token of a form. Its first group is the value."""
    form = re.compile(pattern)

    def read(tokens: Words, at: int) -> Readings:
        if at < len(tokens) and (match := form.fullmatch(tokens[at][0])):
            yield at + 1, Value(match[1], match[1])

    return Slot(read)


def only(slot: Slot, accepts: Callable[[Value], bool]) -> Slot:
    """Return the slot of some of another's values."""

    def read(words: Words, at: int) -> Readings:
        return ((end, value) for end, value in slot.read(words, at) if accepts(value))

    return Slot(read, slot.values)


def spelled(words: Mapping[str, Iterable[str]], values: Mapping[str, Meant]) -> dict[str, Meant]:
    """Return values by their spellings. `words` has the spellings of each by its key in the file."""
    return {spelling: values[key] for key, spellings in words.items() for spelling in spellings}
