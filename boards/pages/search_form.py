"""The search of the page /boards: the box that takes the language, its conditions as chips, and fields that write them.

The fields need no knowledge of the language. What they say is added to the query, which the reader then sees.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from django.http import QueryDict

from boards.search.language.errors import QueryError
from boards.search.language.queries import split_query
from deals.bridge.names import SUIT_NAMES

PREFIX = "add-"
"""The names of the fields begin so. They are no parameters of GET /api/boards."""

HANDS = {
    "any": "Any hand",
    "north": "North",
    "east": "East",
    "south": "South",
    "west": "West",
    "declarer": "Declarer",
    "dummy": "Dummy",
    "leader": "Opening leader",
    "opener": "Opener",
}
RESULTS = {"": "Any", "result>=0": "Made", "result<0": "Went down", "is:passedout": "Passed out"}
DOUBLE_DUMMY = {
    "": "Any",
    "result<0 is:makeable": "Went down, but could be made",
    "result>=0 -is:makeable": "Made, but could be beaten",
}
WORD = re.compile(r'[^\s()"]{1,60}')


class Field(NamedTuple):
    """A field of the form: a list when it has choices, else a number or a text of one word."""

    name: str
    label: str
    choices: Mapping[str, str] | None = None
    hint: str = ""
    is_number: bool = False

    @property
    def id(self) -> str:
        return f"{PREFIX}{self.name}"


HAND_FIELDS = (
    Field("hand", "Whose hand", HANDS),
    *(Field(suit, f"{suit.capitalize()}, at least", is_number=True) for suit in SUIT_NAMES.values()),
    Field("from", "Points, from", is_number=True),
    Field("to", "Points, to", is_number=True),
    Field("shape", "Shape", hint="5332, 54xx or 5=3=3=2"),
)
BOARD_FIELDS = (
    Field("contract", "Contract", hint="4S, 3NT or 4S,4H"),
    Field("result", "Result", RESULTS),
    Field("analysis", "With all cards open", DOUBLE_DUMMY),
    Field("auction", "The auction begins", hint="1N-P-2C"),
)
FIELDS = (*HAND_FIELDS, *BOARD_FIELDS)


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
    given = {field.name: query.get(field.id, "").strip() for field in FIELDS if field.id in query}
    if not given:
        return None
    words = {name: value for name, value in given.items() if WORD.fullmatch(value)}
    hand = [f"{suit}>={words[suit]}" for suit in SUIT_NAMES.values() if suit in words]
    if words.keys() & {"from", "to"}:
        hand.append(f"hcp={words.get('from', '')}..{words.get('to', '')}")
    if "shape" in words:
        hand.append(f"shape={words['shape']}")
    parts = [query.get("q", "").strip()]
    if hand:
        parts.append(f"{words['hand'] if words.get('hand') in HANDS else 'any'}({' '.join(hand)})")
    if "contract" in words:
        parts.append(f"contract={words['contract']}")
    for name, choices in (("result", RESULTS), ("analysis", DOUBLE_DUMMY)):
        if (value := given.get(name, "")) in choices:
            parts.append(value)
    if "auction" in words:
        parts.append(f"auction^={words['auction']}")
    return " ".join(filter(None, parts))
