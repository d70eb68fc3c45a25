"""Comparing the tables of a deal: Law 78 of the Laws of Duplicate Bridge 2017. Scores are North-South's.

Law 78D leaves victory points to the regulating authority. These are the World Bridge Federation's.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import accumulate
from math import sqrt
from typing import Protocol

from bridge.adjusting import Adjustment

MAX_IMPS = 24
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


class Scored(Protocol):
    """A record of a table, or a row of one."""

    @property
    def scoring(self) -> str: ...


def comparison_of(tables: Iterable[Scored], *, is_match: bool) -> Comparison:
    """Return how these tables of a deal are compared: as the first says that says it."""
    return comparison_for(next((table.scoring for table in tables if table.scoring), ""), is_match=is_match)


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Return North-South's matchpoints at each table (Law 78A): two for each lower score, one for each equal one.

    East-West have the rest of `2 * (len(scores) - 1)`.
    """
    counts = Counter(scores)
    values = sorted(counts)
    lower = dict(zip(values, accumulate((counts[value] for value in values), initial=0), strict=False))
    return [2 * lower[score] + counts[score] - 1 for score in scores]


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


def imps(difference: int) -> int:
    """Return the international matchpoints for a difference of two scores, with its sign (Law 78B)."""
    points = bisect_right(_LOWEST_DIFFERENCES, abs(difference))
    return points if difference > 0 else -points


def cross_imps(scores: Sequence[int]) -> list[float]:
    """Return North-South's IMPs at each table, as the mean of its comparisons with all others.

    There is no comparison of a table with itself.
    """
    others = max(len(scores) - 1, 1)
    return [sum(imps(score - other) for other in scores) / others for score in scores]


def datum(scores: Sequence[int], *, without_extremes: bool = False) -> int:
    """Return the mean of the scores, or 0 without any, rounded to 10 and halves away from 0.

    Of three scores or more the best and the worst may be left out.
    """
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
