"""Scores of a contract and how tables compare, by the Laws of Duplicate Bridge 2017. Scores are North-South's.

Duplicate scores: Law 77. Artificial adjusted scores as files write them: Laws 12C2 and 86B1. Matchpoints and IMPs of
the tables of a deal: Law 78; Law 78D leaves victory points to the regulating authority, and these are the World Bridge
Federation's.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from math import copysign, sqrt
from typing import Any, NamedTuple

from bridge.contract import Contract, Denomination
from bridge.errors import BridgeError
from bridge.vulnerability import Vulnerability

_MINORS = (Denomination.CLUBS, Denomination.DIAMONDS)


def score(contract: Contract, vulnerability: Vulnerability, tricks: int | None) -> int:
    """Return North-South's points, negative when East-West score; `tricks` are those declarer won, 0–13.

    A passed-out board, where `tricks` is None, scores 0. Raise `unknown_declarer` for a contract without a
    declarer, `impossible_result` for another number of tricks.
    """
    if contract.level is None or contract.denomination is None:
        return 0
    if contract.declarer is None:
        raise BridgeError("unknown_declarer", f"{contract} cannot be scored without its declarer.")
    if tricks is None or not 0 <= tricks <= 13:
        raise BridgeError("impossible_result", f"{contract} is scored on 0 to 13 tricks, not {tricks}.")
    vulnerable = vulnerability.includes(contract.declarer)
    overtricks = tricks - contract.level - 6
    if overtricks < 0:
        points = -_undertricks(-overtricks, len(contract.doubled), vulnerable)
    else:
        points = _made(contract.level, contract.denomination, len(contract.doubled), vulnerable, overtricks)
    return points if contract.declarer.side == "NS" else -points


def score_if_known(contract: Contract | None, vulnerability: Vulnerability, tricks: int | None) -> int | None:
    """Return North-South's points, or None without a contract, or without the result of one that is played."""
    if contract is None or (tricks is None and not contract.passed_out):
        return None
    return score(contract, vulnerability, tricks)


def _made(level: int, denomination: Denomination, doubles: int, vulnerable: bool, overtricks: int) -> int:
    """Score a contract that was made. `doubles` is 0, 1 for doubled or 2 for redoubled."""
    each = 20 if denomination in _MINORS else 30
    bid = (each * level + 10 * (denomination is Denomination.NOTRUMP)) << doubles
    bonus = (500 if vulnerable else 300) if bid >= 100 else 50
    slam = {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    overtrick = 50 * (1 + vulnerable) << doubles if doubles else each
    return bid + bonus + slam + 50 * doubles + overtricks * overtrick


def _undertricks(down: int, doubles: int, vulnerable: bool) -> int:
    """Return the defenders' points: doubled 100, 200, 200, then 300, vulnerable 200, then 300; redoubled twice that."""
    if not doubles:
        return down * (100 if vulnerable else 50)
    doubled = 300 * down - 100 if vulnerable else 300 * down - 200 - 100 * min(down - 1, 2)
    return doubled * doubles


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


_LOWEST_DIFFERENCES = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The least difference of two scores for 1 IMP, for 2, and so on up to 24 (Law 78B)."""

_GOLDEN = (sqrt(5) - 1) / 2

Result = int | Adjustment
"""What a table brings to a comparison: North-South's score, or what the director gave."""


class Comparison(Enum):
    """How the tables of a deal are compared."""

    MATCHPOINTS = "matchpoints"
    IMPS = "IMPs"
    BUTLER = "Butler"
    BUTLER_WITHOUT_EXTREMES = "Butler-2"


def comparison_for(scoring: str, *, is_match: bool) -> Comparison:
    """Return how tables are compared: as PBN's Scoring says, else matches by IMPs, others by matchpoints.

    PBN's Butler compares with the mean of all scores, its Butler-2 leaves out the two extreme ones.
    """
    text = scoring.upper()
    if "BUTLER" in text:
        return Comparison.BUTLER_WITHOUT_EXTREMES if "BUTLER-2" in text else Comparison.BUTLER
    if "IMP" in text or "CAVENDISH" in text:
        return Comparison.IMPS
    if "MP" in text or "MATCHPOINT" in text or "BAM" in text:
        return Comparison.MATCHPOINTS
    return Comparison.IMPS if is_match else Comparison.MATCHPOINTS


def comparison_of(tables: Iterable[Any], *, is_match: bool) -> Comparison:
    """Return how tables are compared, records or rows of one deal, by the first that has a scoring."""
    return comparison_for(next((table.scoring for table in tables if table.scoring), ""), is_match=is_match)


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Return North-South's matchpoints at each table (Law 78A): two for each lower score, one for each equal one.

    East-West have the rest of `2 * (len(scores) - 1)`.
    """
    ordered = sorted(scores)
    return [bisect_left(ordered, score) + bisect_right(ordered, score) - 1 for score in scores]


def compare_by_matchpoints(results: Sequence[Result], most: int = 0) -> list[float]:
    """Return North-South's matchpoints at each table, when a board of the evening has up to `most` results.

    An adjusted score is its percentage of a full top (Law 12C2). Fewer scores are enlarged by Neuberg's formula, as
    federations do (Law 78D): M of n scores become (M + 1) · N / n − 1 of N.
    """
    most = max(most, len(results))
    scores = [result for result in results if not isinstance(result, Adjustment)]
    points = iter(matchpoints(scores))
    return [
        result.north_south * (most - 1) / 50
        if isinstance(result, Adjustment)
        else (next(points) + 1) * most / len(scores) - 1
        for result in results
    ]


def compare_by_imps(
    results: Sequence[Result], compare: Callable[[Sequence[int]], Sequence[float]]
) -> list[float | None]:
    """Return North-South's IMPs at each table as `compare` finds those of scores, and those of adjusted scores."""
    points = iter(compare([result for result in results if not isinstance(result, Adjustment)]))
    return [result.imps if isinstance(result, Adjustment) else next(points) for result in results]


def match_imps(result: Result, other: Result) -> int | None:
    """Return North-South's IMPs against the other table of a match. A director's score at either table counts."""
    if isinstance(result, Adjustment):
        return result.imps
    return other.turned().imps if isinstance(other, Adjustment) else imps(result - other)


@lru_cache(maxsize=4096)
def imps(difference: int) -> int:
    """Return the international matchpoints for a difference of two scores, with its sign (Law 78B)."""
    points = bisect_right(_LOWEST_DIFFERENCES, abs(difference))
    return points if difference > 0 else -points


class Won(NamedTuple):
    """What a table won in IMPs, as its North-South see it, and what its deal swung, both whole numbers."""

    imps: int
    swing: int


def compare_match(result: Result, other: Result) -> Won | None:
    """Return what a table won of the other one of its match. The swing is what lies between the two."""
    points = match_imps(result, other)
    return None if points is None else Won(points, abs(points))


def compare_evening(results: Sequence[Result]) -> list[Won | None]:
    """Return what each table won of all others by cross-IMPs. The swing lies between the best score and the worst."""
    scores = [result for result in results if not isinstance(result, Adjustment)]
    if len(scores) < 2:
        return [None] * len(results)
    swing = imps(max(scores) - min(scores))
    means = compare_by_imps(results, cross_imps)
    return [None if mean is None else Won(int(mean + copysign(0.5, mean)), swing) for mean in means]


def cross_imps(scores: Sequence[int]) -> list[float]:
    """Return North-South's IMPs at each table, as the mean of its comparisons with all other tables."""
    others, tables = max(len(scores) - 1, 1), Counter(scores)
    points = {score: sum(imps(score - other) * count for other, count in tables.items()) / others for score in tables}
    return [points[score] for score in scores]


def datum(scores: Sequence[int], *, without_extremes: bool = False) -> int:
    """Return the mean, or 0 without scores, rounded to 10 and halves away from 0. Of three or more, extremes may go."""
    kept = sorted(scores)[1:-1] if without_extremes and len(scores) > 2 else scores
    total, count = sum(kept), max(len(kept), 1)
    rounded = (abs(total) + 5 * count) // (10 * count) * 10
    return rounded if total > 0 else -rounded


def butler(scores: Sequence[int], *, without_extremes: bool = False) -> list[int]:
    """Return North-South's IMPs at each table against the datum of all."""
    middle = datum(scores, without_extremes=without_extremes)
    return [imps(score - middle) for score in scores]


def victory_points(margin: int, boards: int) -> tuple[float, float]:
    """Return both sides' victory points for a margin in IMPs, which is negative where the second side won.

    It is the World Bridge Federation's continuous scale of 20 points ("The New WBF IMP to VP Scales", 2013). A win by
    15·√boards IMPs or more is 20 to 0. The WBF's printed tables are smoothed, so that no IMP is worth more than the one
    before it: a hundredth may differ.
    """
    share = min(abs(margin) / (15 * sqrt(boards)), 1)
    winners = round(10 + 10 * (1 - _GOLDEN ** (3 * share)) / (1 - _GOLDEN**3), 2)
    losers = round(20 - winners, 2)
    return (winners, losers) if margin >= 0 else (losers, winners)
