"""Artificial adjusted scores as files write them: Laws 12C2 and 86B1 of the Laws of Duplicate Bridge 2017."""

import re
from functools import lru_cache
from typing import NamedTuple

_SIGNS = {"+": 60, "PLUS": 60, "=": 50, "": 50, "-": 40, "MINUS": 40}
_AVERAGES = {
    f"{word}{sign}": percentage
    for word in ("AV", "AVE", "AVG", "AVERAGE", "A")
    for sign, percentage in _SIGNS.items()
    if word + sign != "A"
}
_PERCENTAGES = re.compile(r"A?(100|[0-9]{2}|0)(?:[-/:]?(100|[0-9]{2}|0))?")
_IGNORED = re.compile(r"[.,]0+(?![0-9])|[\s%]")
_IMPS = {60: 3, 50: 0, 40: -3}


class Adjustment(NamedTuple):
    """What the director gave both sides of a table, in percent of a top. The sides need not have 100 together."""

    north_south: int
    east_west: int

    @property
    def imps(self) -> int | None:
        """Return North-South's IMPs (Law 86B1): 3 for average plus, −3 for average minus, None for no average."""
        return _IMPS.get(self.north_south)

    def turned(self) -> "Adjustment":
        """Return it as East-West see it."""
        return Adjustment(self.east_west, self.north_south)


@lru_cache(maxsize=256)
def parse_adjustment(text: str) -> Adjustment | None:
    """Return the percentages of "A60-40", "A6040", "AVE+", "AVE+/AVE-" or "60%", and None where none are said.

    A word alone is what both sides have (Law 12C2a); a number alone is North-South's, and East-West have the rest.
    """
    plain = _IGNORED.sub("", text.upper())
    first, _, second = plain.partition("/")
    if first in _AVERAGES and (second or first) in _AVERAGES:
        return Adjustment(_AVERAGES[first], _AVERAGES[second or first])
    numbers = _PERCENTAGES.fullmatch(plain)
    if numbers is None:
        return None
    north_south = int(numbers[1])
    return Adjustment(north_south, int(numbers[2] or 100 - north_south))
