"""The search of the page /boards: the box that takes the language, its conditions as chips, and fields that write them.

The fields need no knowledge of the language. What they say is added to the query, which the reader then sees.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.http import QueryDict

from boards.search.language.parsing import QueryError
from boards.search.language.queries import split_query
from boards.search.language.words import BOARD_WORDS, HAND_WORDS, HANDS, SIDES, Word
from bridge.names import SUIT_NAMES

PREFIX = "add-"
"""The names of the fields begin so. They are no parameters of GET /api/boards."""

VALUE = re.compile(r'[^\s()"]{1,60}')


class WordField(NamedTuple):
    """A field of a word of the language: a list, a number or a text. The operator stands before what is given."""

    name: str
    label: str
    word: Word
    operator: str = "="

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.name}"

    @property
    def choices(self) -> Mapping[str, str]:
        """Return the values of a list with their labels, none for another field."""
        values = self.word.reader.choices
        return {"": "Any"} | {value: label_of(value) for value in values} if values else {}

    @property
    def limits(self) -> tuple[int, int] | None:
        return self.word.reader.limits

    @property
    def hint(self) -> str:
        """Return what a text may be."""
        return f"Write {self.word.reader.takes}."

    def write(self, value: str) -> str:
        """Return the condition, "" where the value is blank or cannot be one."""
        return f"{self.word.name}{self.operator}{value}" if VALUE.fullmatch(value) else ""


def label_of(value: str) -> str:
    """Return North for north, and NS for ns."""
    return value.upper() if value in SIDES else value.capitalize()


class ListField(NamedTuple):
    """A field that offers conditions, or something else, with their labels."""

    name: str
    label: str
    choices: Mapping[str, str]

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.name}"

    def write(self, value: str) -> str:
        return value if value in self.choices else ""


class TextField(NamedTuple):
    """A field of words that are looked for in texts."""

    name: str
    label: str
    hint: str

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.name}"

    def write(self, value: str) -> str:
        words = value.replace('"', " ").split()
        return f'"{" ".join(words)}"' if words else ""


Field = WordField | ListField | TextField

HOLDER = ListField(
    "hand", "Whose hand", {"any": "Any hand"} | {name: name.capitalize() for name in HANDS if name != "any"}
)
HAND_FIELDS = (
    *(WordField(suit, f"{suit.capitalize()}, at least", HAND_WORDS[suit], ">=") for suit in SUIT_NAMES.values()),
    WordField("from", "Points, from", HAND_WORDS["hcp"], ">="),
    WordField("to", "Points, to", HAND_WORDS["hcp"], "<="),
    WordField("shape", "Shape", HAND_WORDS["shape"]),
)
RESULTS = {"": "Any", "result>=0": "Made", "result<0": "Went down", "is:passedout": "Passed out"}
DOUBLE_DUMMY = {
    "": "Any",
    "result<0 is:makeable": "Went down, but could be made",
    "result>=0 -is:makeable": "Made, but could be beaten",
}
BOARD_FIELDS = (
    WordField("contract", "Contract", BOARD_WORDS["contract"]),
    WordField("declarer", "Declarer", BOARD_WORDS["declarer"]),
    ListField("result", "Result", RESULTS),
    ListField("analysis", "With all cards open", DOUBLE_DUMMY),
    WordField("lead", "Opening lead", BOARD_WORDS["lead"]),
    WordField("auction", "The auction begins", BOARD_WORDS["auction"], "^="),
    TextField("words", "Words in texts", "Such as safety play: they follow one another."),
)
FIELDS: tuple[Field, ...] = (HOLDER, *HAND_FIELDS, *BOARD_FIELDS)


class Chip(NamedTuple):
    """A condition of the query, and the query without it."""

    text: str
    rest: str


def chips_of(text: str) -> list[Chip]:
    """Return the conditions of a query, or none of a text that is no query."""
    try:
        return [Chip(chip.text, chip.rest) for chip in split_query(text)]
    except QueryError:
        return []


def write_query(query: QueryDict) -> str | None:
    """Return the query q with what the fields add to it. None when no field is sent."""
    if not any(field.id in query for field in FIELDS):
        return None

    def write(fields: Iterable[Field]) -> str:
        return " ".join(filter(None, (field.write(query.get(field.id, "").strip()) for field in fields)))

    hand = write(HAND_FIELDS)
    parts = [query.get("q", "").strip(), f"{write([HOLDER]) or 'any'}({hand})" if hand else "", write(BOARD_FIELDS)]
    return " ".join(filter(None, parts))
