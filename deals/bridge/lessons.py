"""The commentary of a board as people read it: what programs write for programs in it is never shown.

It is stored and given back as it was written.
"""

import re

from deals.bridge.markup import for_people
from deals.bridge.texts import clean_lines

_OF_MACHINES = re.compile(
    r"^[ \t]*+(?:[0-9A-F]{16,}+|(?:Shape|HCP|Losers|Controls)[ \t:=NESW]++[0-9][NESW0-9./,:=+ \t-]*+)$", re.MULTILINE
)
"""Lines of dealing programs: a hash in hexadecimal digits, and statistics such as "Shape 1534 4333 3325 5422"."""


def read_commentary(commentary: str) -> str:
    """Return the text without the lines of dealing programs, with suit symbols, and without HTML."""
    return clean_lines(for_people(_OF_MACHINES.sub("", commentary))).strip()
