"""The commentary of a board as people read it: parts that open one by one, without what is written for programs.

It is stored and given back as it was written. Teachers' libraries put directives in square brackets into it, for a
program that leads a student through the board: `[show NS]` names the hands that are seen from there on, `[BID 1NT]`,
`[choose-card S2]`, `[NEXT]` and `[ROTATE]` end a part, and the others move cards on its table.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bridge.seats import Seat
from bridge.texts import clean_lines, for_people

MAX_PARTS = 100
"""Parts of a commentary. What follows the last is part of it: a file of 256 KiB could have thousands."""

_OF_MACHINES = re.compile(
    r"^[ \t]*+(?:[0-9A-F]{16,}+|(?:Shape|HCP|Losers|Controls)[ \t:=NESW]++[0-9][NESW0-9./,:=+ \t-]*+)$", re.MULTILINE
)
"""Lines of dealing programs: a hash in hexadecimal digits, and statistics such as "Shape 1534 4333 3325 5422"."""

_DIRECTIVE = re.compile(
    r"\[[ \t]*+(?:show[ \t]++(?P<seats>all|[NESW, \t]++)"
    r"|(?:(?P<end>bid|choose-card|next|rotate)"
    r"|accept|auction|clear-commentary|hide|play|reset|show[_-]lead|showcards)(?:[ \t\n][^\[\]]*+)?)\]",
    re.IGNORECASE,
)
_BLANK_LINES = re.compile(r"\n{3,}")


class LessonPart(NamedTuple):
    """A part of a commentary, and the hands that are seen with it: none when the commentary does not say."""

    text: str
    seats: tuple[Seat, ...] = ()


def read_lesson(commentary: str) -> list[LessonPart]:
    """Return the parts in order: one of a commentary without directives, none when nothing is left of it."""
    return [part for part in _divide(_OF_MACHINES.sub("", commentary)) if part.text]


def _divide(text: str) -> Iterator[LessonPart]:
    seats: tuple[Seat, ...] = ()
    written, start, parts = "", 0, 1
    for directive in _DIRECTIVE.finditer(text):
        written += text[start : directive.start()]
        start = directive.end()
        if directive.lastgroup and parts < MAX_PARTS:
            if written.strip():
                yield _part(written, seats)
                parts += 1
            written = ""
        if directive["seats"]:
            named = directive["seats"].upper()
            seats = tuple(seat for seat in Seat if named == "ALL" or seat.value in named)
    yield _part(written + text[start:], seats)


def _part(text: str, seats: tuple[Seat, ...]) -> LessonPart:
    """Return the part with suit symbols, without HTML, and without the gaps that directives leave."""
    return LessonPart(_BLANK_LINES.sub("\n\n", clean_lines(for_people(text))).strip(), seats)
