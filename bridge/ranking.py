"""Rankings of an evening: what pairs won on its boards, by the Laws of Duplicate Bridge 2017.

Matchpoints are those of Law 78A, IMPs those of Law 78B as the mean of all comparisons, or Butler. A board that was
played fewer times counts by Neuberg's formula, and an adjusted score as bridge.scores says. Boards that a pair has not
played count for nothing: pairs are ranked by their average for each board, so that sitting out costs nothing.

A pair is known by a number, or by another name such as that of a team. Whether all pairs are one field or North-South
and East-West are two, the numbers tell. In a Howell pairs meet in both directions. In a Mitchell each number belongs to
one line or, if both lines count from 1, appears on both sides of a board, where no pair can play twice.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bridge.scores import (
    Adjustment,
    Comparison,
    Result,
    butler,
    compare_by_matchpoints,
    cross_imps,
)

SIDES = ("NS", "EW")
_DIGITS = re.compile(r"[0-9]+")
IMPS: dict[Comparison, Callable[[Sequence[int]], Sequence[float]]] = {
    Comparison.IMPS: cross_imps,
    Comparison.BUTLER: butler,
    Comparison.BUTLER_WITHOUT_EXTREMES: partial(butler, without_extremes=True),
}
"""How scores are compared by IMPs."""

DIGITS = 9
"""The decimals to which averages are compared: equal sums of thirds and sevenths differ after these."""


class Played(NamedTuple):
    """A result of a board and the pairs that had it. One that is not known is ""."""

    north_south: str
    east_west: str
    result: Result

    @property
    def pairs(self) -> tuple[str, str]:
        return self.north_south, self.east_west


class Place(NamedTuple):
    """A pair with its rank, which is shared by pairs whose averages are equal.

    `points` are the sum for `boards` boards, matchpoints or IMPs. `average` is what the pair won for each of them:
    percent of a top, or IMPs.
    """

    rank: int
    is_shared: bool
    pair: str
    boards: int
    points: float
    average: float


class Field(NamedTuple):
    """The pairs that are ranked together, the first one first. `side` is "" where they sat in both directions."""

    side: str
    places: list[Place]


Points = tuple[float | None, float | None]
"""What North-South and East-West won at a table: matchpoints or IMPs, or None where there are none."""


def compare_sides(results: Sequence[Result], comparison: Comparison, most: int = 0) -> list[Points]:
    """Return what both sides won at each table of a board. `most` are the results of the evening's board that has most.

    An adjusted score that is worth no IMPs has none.
    """
    if comparison is Comparison.MATCHPOINTS:
        turned = [result.turned() if isinstance(result, Adjustment) else -result for result in results]
        return list(zip(compare_by_matchpoints(results, most), compare_by_matchpoints(turned, most), strict=True))
    won = IMPS[comparison]([result for result in results if not isinstance(result, Adjustment)])
    points = iter([(each, 0 - each) for each in won])
    return [(each.imps, each.turned().imps) if isinstance(each, Adjustment) else next(points) for each in results]


def compare_boards(boards: Sequence[Sequence[Played]], comparison: Comparison) -> list[list[Points]]:
    """Return what both sides won at each table of an evening's boards."""
    most = most_results(boards)
    return [compare_board(board, comparison, most) for board in boards]


def compare_board(board: Sequence[Played], comparison: Comparison, most: int) -> list[Points]:
    """Return what both sides won at each table of one board. A single result is compared with nothing."""
    if len(board) < 2:
        return [(None, None)] * len(board)
    return compare_sides([table.result for table in board], comparison, most)


def percentage(matchpoints: float, most: int) -> float:
    """Return matchpoints in percent of a top. `most` is the number of results of the evening's most played board."""
    return 50 * matchpoints / (most - 1)


def most_results(boards: Sequence[Sequence[object]]) -> int:
    return max(map(len, boards), default=0)


def has_two_fields(boards: Sequence[Sequence[Played]]) -> bool:
    """Tell whether North-South and East-West are ranked apart."""
    every_north_south: set[str] = set()
    every_east_west: set[str] = set()
    for board in boards:
        north_south = {table.north_south for table in board} - {""}
        east_west = {table.east_west for table in board} - {""}
        if north_south & east_west:
            return True
        every_north_south |= north_south
        every_east_west |= east_west
    return not every_north_south & every_east_west


def find_repeated(boards: Sequence[Sequence[Played]]) -> str:
    """Return a pair that sat twice on one side of a board, or "". Its number is then used by several pairs."""
    for board in boards:
        for pairs in zip(*(table.pairs for table in board), strict=True):
            counts = Counter(filter(None, pairs))
            if repeated := next((pair for pair, count in counts.items() if count > 1), ""):
                return repeated
    return ""


def rank(
    boards: Sequence[Sequence[Played]], comparison: Comparison, points: Sequence[Sequence[Points]] = ()
) -> list[Field]:
    """Return the fields of an evening with the ranks of their pairs. A board with a single result ranks nobody.

    `points` are what `compare_boards` returns for these boards, where that is known.
    """
    won = gather(boards, points or compare_boards(boards, comparison), has_two_fields(boards))
    top = most_results(boards) if comparison is Comparison.MATCHPOINTS else 0
    return [Field(side, list(rank_field(of_side, top))) for side, of_side in sorted(won.items(), reverse=True)]


def gather(
    boards: Sequence[Sequence[Played]], points: Sequence[Sequence[Points]], is_apart: bool
) -> dict[str, dict[str, list[float]]]:
    """Return what each pair won on each of its boards, by its side where the sides are ranked apart."""
    won: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    north_south, east_west = (won[side if is_apart else ""] for side in SIDES)
    for board, of_board in zip(boards, points, strict=True):
        for table, (for_north_south, for_east_west) in zip(board, of_board, strict=True):
            if table.north_south and for_north_south is not None:
                north_south[table.north_south].append(for_north_south)
            if table.east_west and for_east_west is not None:
                east_west[table.east_west].append(for_east_west)
    return {side: of_side for side, of_side in won.items() if of_side}


def rank_field(won: Mapping[str, Sequence[float]], most: int) -> Iterator[Place]:
    """Yield the pairs by their averages. With `most` these are percent of the top of this number of results."""
    averages = {pair: sum(points) / len(points) for pair, points in won.items()}
    if most:
        averages = {pair: percentage(average, most) for pair, average in averages.items()}
    rounded = {pair: round(average, DIGITS) for pair, average in averages.items()}
    ascending, equal = sorted(rounded.values()), Counter(rounded.values())
    for pair in sorted(won, key=lambda pair: (-rounded[pair], natural_key(pair))):
        better = len(ascending) - bisect_right(ascending, rounded[pair])
        is_shared = equal[rounded[pair]] > 1
        yield Place(better + 1, is_shared, pair, len(won[pair]), sum(won[pair]), averages[pair])


def natural_key(name: str) -> tuple[str, str]:
    """Return what sorts pairs as people count them: 2 before 10, 1-12 before 11-2, A2 before A10 and before B1."""
    return _DIGITS.sub(lambda digits: digits[0].zfill(5), name), name
