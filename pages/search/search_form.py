"""The search of the page /boards: the box that takes the language, its conditions as chips, and fields that write them.

The fields need no knowledge of the language. What they say is added to the query, which the reader then sees.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.http import QueryDict

from bridge.names import SUIT_NAMES
from search.language.understanding import Understood
from search.language.words import BOARD_WORDS, HAND_WORDS, HANDS, SIDES, Word

PREFIX = "add-"
"""The names of the fields begin so. They are not parameters of GET /api/boards."""

VALUE = re.compile(r'[^\s()"]{1,60}')


class Field(NamedTuple):
    """A field of the form: a list, a number within limits, or a text.

    `write` returns the condition, "" where the value is blank or cannot be one. `hint` says what a text may be.
    """

    name: str
    label: str
    write: Callable[[str], str]
    choices: Mapping[str, str] = {}
    limits: tuple[int, int] | None = None
    hint: str = ""

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.name}"


def word_field(name: str, label: str, word: Word, operator: str = "=") -> Field:
    """Return the field of a word of the language. The operator stands before what is given."""
    reader = word.reader
    # North for north, and NS for ns
    labels = {value: value.upper() if value in SIDES else value.capitalize() for value in reader.choices}
    choices = {"": "Any", **labels} if labels else {}

    def write(value: str) -> str:
        return f"{word.name}{operator}{value}" if VALUE.fullmatch(value) else ""

    return Field(name, label, write, choices, reader.limits, f"Write {reader.takes}.")


def list_field(name: str, label: str, choices: Mapping[str, str]) -> Field:
    """Return a field that offers conditions, or something else, with their labels."""
    return Field(name, label, lambda value: value if value in choices else "", choices)


def write_words(value: str) -> str:
    """Return the condition that words stand in a text, one after the other."""
    words = value.replace('"', " ").split()
    return f'"{" ".join(words)}"' if words else ""


HOLDER = list_field(
    "hand", "Whose hand", {"any": "Any hand"} | {name: name.capitalize() for name in HANDS if name != "any"}
)
HAND_FIELDS = (
    *(word_field(suit, f"{suit.capitalize()}, at least", HAND_WORDS[suit], ">=") for suit in SUIT_NAMES.values()),
    word_field("from", "Points, from", HAND_WORDS["hcp"], ">="),
    word_field("to", "Points, to", HAND_WORDS["hcp"], "<="),
    word_field("shape", "Shape", HAND_WORDS["shape"]),
)
RESULTS = {"": "Any", "result>=0": "Made", "result<0": "Went down", "is:passedout": "Passed out"}
DOUBLE_DUMMY = {
    "": "Any",
    "result<0 is:makeable": "Went down, but could be made",
    "result>=0 -is:makeable": "Made, but could be beaten",
}
BOARD_FIELDS = (
    word_field("contract", "Contract", BOARD_WORDS["contract"]),
    word_field("declarer", "Declarer", BOARD_WORDS["declarer"]),
    list_field("result", "Result", RESULTS),
    list_field("analysis", "With all cards open", DOUBLE_DUMMY),
    word_field("lead", "Opening lead", BOARD_WORDS["lead"]),
    word_field("auction", "The auction begins", BOARD_WORDS["auction"], "^="),
    Field("words", "Words in texts", write_words, hint="Such as safety play: they follow one another."),
)
FIELDS = (HOLDER, *HAND_FIELDS, *BOARD_FIELDS)


class Chip(NamedTuple):
    """A part of a search with what it means in words. `rest` is the search without it."""

    text: str
    meaning: str
    rest: str


def chips_of(text: str, understood: Understood | None) -> list[Chip]:
    """Return the parts of a search as it is understood, none of a text that is not a query."""
    return [
        Chip(text[part.start : part.end], part.meaning, " ".join(f"{text[: part.start]} {text[part.end :]}".split()))
        for part in (understood.parts if understood else ())
    ]


def write_query(query: QueryDict) -> str | None:
    """Return the query q with what the fields add to it. None when no field is sent."""
    if not any(field.id in query for field in FIELDS):
        return None

    def write(fields: Iterable[Field]) -> str:
        return " ".join(filter(None, (field.write(query.get(field.id, "").strip()) for field in fields)))

    hand = write(HAND_FIELDS)
    parts = [query.get("q", "").strip(), f"{write([HOLDER]) or 'any'}({hand})" if hand else "", write(BOARD_FIELDS)]
    return " ".join(filter(None, parts))
