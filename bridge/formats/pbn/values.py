"""The values of single tags. An error bears the tag's line and name."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.outcomes import GivenPoints
from bridge.formats.pbn.tokens import Tag, Tags
from bridge.seats import Seat, parse_seat

Value = TypeVar("Value")

_PAIR = re.compile(r"(?:(?:pair|para|paar|paire|pareja|coppia|par)[ .:#-]*+)?([0-9]{1,4}[A-Za-z]?)", re.IGNORECASE)
"""The number of a pair, with its word in the languages of the programs that write it so."""

MAX_POINTS_LENGTH = 40
_NUMBER = r"(-?[0-9]{1,5}(?:\.[0-9]{1,3})?)"
_POINTS = re.compile(rf"(NS|EW) ?{_NUMBER}(?: (?:NS|EW) ?{_NUMBER})?", re.IGNORECASE)
_BOARD_NUMBER = re.compile(
    r"""(?:(?:[^\W\d_]|board|brd|bd|hand|deal|no|nr|donne|étui|mano|rozdanie|spel|spiel|bricka)\.?\s?)?  # A5, Board 5
    \#?([0-9]{1,5})
    (?:\s?(?:/|of|von|de|di|van|z|av)\s?[0-9]{1,5})?[.:]?                                               # 5/32""",
    re.VERBOSE | re.IGNORECASE,
)


def read_value(tags: Tags, name: str, parse: Callable[[str], Value]) -> Value | None:
    """Parse the tag's value; return None for an absent or unknown one."""
    value = tags.value(name)
    if not value:
        return None
    try:
        return parse(value)
    except BridgeError as error:
        raise _at_tag(error, tags.by_name[name]) from None


def read_section(tags: Tags, name: str, read: Callable[[Tag], Value]) -> Value | None:
    """Read a tag and its section; return None for an absent one."""
    tag = tags.by_name.get(name)
    if tag is None:
        return None
    try:
        return read(tag)
    except BridgeError as error:
        raise _at_tag(error, tag) from None


def _at_tag(error: BridgeError, tag: Tag) -> NotationError:
    return NotationError(error.code, error.message, tag.line, tag.name)


def read_board_number(tags: Tags) -> int | None:
    """Return the board's number; None for a Board in which none is certain."""
    return parse_board_number(tags.value("Board"))


def parse_board_number(text: str) -> int | None:
    """Read "5", "5/32", "5 of 32", "A5", "Board 5" or "5."."""
    if len(text) < 6 and text.isascii() and text.isdigit():  # Nearly all are so.
        return int(text) or None
    number = _BOARD_NUMBER.fullmatch(text)
    return int(number[1]) or None if number else None


def read_pair_number(tags: Tags, players: tuple[str, ...]) -> str:
    """Return the number of a pair that stands where its players' names would: "1" of "Para-1", "" for names."""
    numbers = {match[1] for name in players if (match := _PAIR.fullmatch(tags.value(name)))}
    return numbers.pop() if len(numbers) == 1 else ""


def read_points(tags: Tags) -> GivenPoints | None:
    """Return the ScoreMP or ScoreIMP, such as "NS 7.5" or "NS 7.5 EW 2.5"; None for one that names no side."""
    for name in ("ScoreMP", "ScoreIMP"):
        if name in tags.by_name and (points := _parse_points(name, tags.value(name)[:MAX_POINTS_LENGTH])):
            return points
    return None


@lru_cache(maxsize=1024)  # The boards of a file have few points.
def _parse_points(name: str, value: str) -> GivenPoints | None:
    match = _POINTS.fullmatch(value.replace(",", "."))
    if match is None:
        return None
    first, second = float(match[2]), float(match[3]) if match[3] else None
    if match[1].upper() == "NS":
        return GivenPoints(name == "ScoreMP", first, second)
    return None if second is None else GivenPoints(name == "ScoreMP", second, first)


def read_declarer(tags: Tags) -> Seat | None:
    """Return the Declarer, also one that had been swapped with dummy, as in "^S" (PBN 2.1 §3.9)."""
    return read_value(tags, "Declarer", lambda value: parse_seat(value.removeprefix("^")))


def read_contract(tags: Tags) -> Contract | None:
    """Return the Contract with the Declarer, as far as they are given."""
    declarer = read_declarer(tags)
    return read_value(tags, "Contract", lambda value: Contract.parse(value, declarer))


def write_tag(name: str, value: str) -> str:
    """Write a tag whose value is text, also where it looks like PBN's "take the value of the game before" ("#")."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{" " * value.startswith("#")}{escaped}"]'
