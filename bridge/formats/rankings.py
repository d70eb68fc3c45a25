"""The ranking that a file gives of its event, as it says it. bridge.ranking counts one from the boards."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from bridge.ranking import SIDES


class GivenPlace(NamedTuple):
    """A pair's or a team's place in the ranking of a file. What the file does not say is None, or "".

    `points` are the sum of its boards, in the unit of the ranking. `percentage` is that of a top.
    """

    rank: int
    pair: str
    side: str = ""
    boards: int | None = None
    points: float | None = None
    percentage: float | None = None


@dataclass(frozen=True, slots=True)
class GivenRanking:
    """The ranking that a file gives of an event or of a stage. Names of players are not part of it.

    The event is that of the boards with the same texts. `unit` is MP (matchpoints), IMP, VP (victory points) or "" if
    the file does not name the points' unit. `record` is the record that has it, and `line` is where it begins.
    """

    record: int
    line: int
    event: str
    date: str
    site: str
    stage: str
    unit: str
    places: tuple[GivenPlace, ...]


MAX_PLACES = 1000
"""The places of a ranking that are read. An evening has fewer."""

_RANK = re.compile(r"([0-9]{1,4}) ?(?:=|\.|st|nd|rd|th)?", re.IGNORECASE)
_AMOUNT = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,4})?")


def read_place(
    rank: str, pair: str, *, side: str = "", boards: str = "", points: str = "", percentage: str = ""
) -> GivenPlace | None:
    """Return a place of these texts, such as "3=" and "61.5%"; None without a rank or a pair."""
    number = read_rank(rank)
    if number is None or not pair:
        return None
    percent = read_amount(percentage.removesuffix("%"))
    return GivenPlace(
        number,
        pair,
        side if side in SIDES else "",
        int(boards) if boards.isdecimal() and len(boards) < 5 else None,
        read_amount(points),
        percent if percent is not None and 0 <= percent <= 100 else None,
    )


def read_rank(text: str) -> int | None:
    """Return the number of "3", "3=" or "3rd"."""
    number = _RANK.fullmatch(text.strip())
    return int(number[1]) if number else None


def read_amount(text: str) -> float | None:
    """Return a number of points, also one with a decimal comma."""
    plain = text.strip().replace(",", ".")
    return float(plain) if _AMOUNT.fullmatch(plain) else None
