"""What a slot is: it yields each reading that begins at a token, the token behind it and the value."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Words = Sequence[Sequence[str]]
"""The tokens of a text, each as the forms in which it may be read: as it stands, without its s, without its slip."""


@dataclass(frozen=True)
class Value:
    """A value of a slot, as a query has it, and in words. `letter` is that of a suit, `low` that of a number alone."""

    query: str
    words: str
    letter: str = ""
    low: int | None = None

    def __str__(self) -> str:
        return self.query


Readings = Iterator[tuple[int, Value]]
Slot = Callable[[Words, int], Readings]


def has_at(words: Words, at: int, sequence: Sequence[str]) -> bool:
    return at + len(sequence) <= len(words) and all(word in words[at + offset] for offset, word in enumerate(sequence))


def one_of(values: Mapping[str, Value]) -> Slot:
    """Return the slot of some words, of which each is a token or, with spaces between them, several."""
    by_first: dict[str, list[tuple[list[str], Value]]] = {}
    for spelling, value in values.items():
        first, *rest = spelling.split()
        by_first.setdefault(first, []).append((rest, value))

    def read(words: Words, at: int) -> Readings:
        for form in words[at] if at < len(words) else ():
            for rest, value in by_first.get(form, ()):
                if has_at(words, at + 1, rest):
                    yield at + 1 + len(rest), value

    return read


def matching(pattern: str, query: str = "{}", words: str = "{}") -> Slot:
    """Return the slot of one token of a form. Its first group goes into `query` and `words`."""
    form = re.compile(pattern)

    def read(tokens: Words, at: int) -> Readings:
        if at < len(tokens) and (match := form.fullmatch(tokens[at][0])):
            yield at + 1, Value(query.format(match[1]), words.format(match[1]))

    return read
