"""The points that a file gives its tables, held against those that pages show of the same tables.

Points are not stored. A file's own are a witness of what came in: a table that is missing changes those of its
neighbours.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from boards.events.reading import MAX_TABLES
from boards.identity import slug_of, stage_key_of
from boards.models.names import table_of
from bridge.board import teams_of
from bridge.formats.outcomes import GivenPoints, ReadBoard
from bridge.ranking import IMPS
from bridge.scores import (
    Comparison,
    Result,
    compare_by_imps,
    compare_by_matchpoints,
    comparison_of,
    cross_imps,
    parse_adjustment,
)

MAX_DIFFERENT = 100
"""The tables whose points differ that are named."""

Stage = tuple[str, str]
"""The slug of the event, and the key of its stage."""


class PointsDifference(NamedTuple):
    """A table of which the file and the pages have different points for North-South, in the unit of the file."""

    record: int
    board: str
    table: str
    ours: str
    theirs: str


class PointedTable(NamedTuple):
    """A table with its result and the points that the file gives for it."""

    record: int
    board: str
    name: str
    comparison: Comparison
    result: Result
    given: GivenPoints


class PointsCheck:
    """The tables of a file that have points, by stage and deal. It is asked once the file is read."""

    def __init__(self) -> None:
        self.stages: dict[Stage, dict[str, list[PointedTable]]] = defaultdict(lambda: defaultdict(list))

    def add(self, read: ReadBoard) -> None:
        """Take a table in. Matches of teams are left out: their points are not those of one table."""
        content, given = read.content, read.points
        result = parse_adjustment(content.adjustment) if content.adjustment else content.score
        if given is None or result is None or any(teams_of(content)):
            return
        stage = slug_of(content.event, content.date, content.site), stage_key_of(content.stage)
        name = ", ".join(filter(None, table_of(content)))
        comparison = comparison_of([content], is_match=True)
        table = PointedTable(read.record, read.board, name, comparison, result, given)
        self.stages[stage][f"{content.board_number} {content.layout.cards}"].append(table)

    @cached_property
    def compared(self) -> int:
        """Return the number of tables whose points are compared: those of deals that pages compare."""
        return sum(len(tables) for deals in self.stages.values() for tables in deals.values() if is_compared(tables))

    @cached_property
    def different(self) -> list[PointsDifference]:
        """Return the tables of which the points differ, in the order of the file."""
        found = [each for deals in self.stages.values() for each in differences(deals)]
        return sorted(found, key=lambda each: each.record)

    @property
    def agreed(self) -> int:
        return self.compared - len(self.different)

    @property
    def first_different(self) -> list[PointsDifference]:
        return self.different[:MAX_DIFFERENT]

    def as_json(self) -> dict[str, object]:
        """Return what a preview stores: how many tables agree, and the first that do not."""
        different = [each._asdict() for each in self.first_different]
        return {"compared": self.compared, "agreed": self.agreed, "different": different}

    def sentence(self) -> str:
        """Say how many agree: "Points agree with the file: 322 of 324." or "" where the file has none."""
        return f"Points agree with the file: {self.agreed:,} of {self.compared:,}." * bool(self.compared)


def is_compared(tables: Sequence[PointedTable]) -> bool:
    """Tell whether pages compare so many tables. The cost of cross-IMPs grows with their square."""
    return 1 < len(tables) <= MAX_TABLES


def differences(deals: Mapping[str, Sequence[PointedTable]]) -> list[PointsDifference]:
    """Return the differences of a stage. Cross-IMPs of a file are means or sums: what most of its tables agree with."""
    most = max(map(len, deals.values()))
    compared = [tables for tables in deals.values() if is_compared(tables)]
    written = [format_points(table.given.north_south) for tables in compared for table in tables]
    digits = max((len(points.partition(".")[2]) for points in written), default=0)

    def found_by(is_sum: bool) -> list[PointsDifference]:
        return [each for tables in compared for each in differences_of(tables, most, digits, is_sum)]

    found = found_by(is_sum=False)
    return found and min(found, found_by(is_sum=True), key=len)


def differences_of(tables: Sequence[PointedTable], most: int, digits: int, is_sum: bool) -> Iterable[PointsDifference]:
    """Yield the tables of a deal whose points differ by more than the last digit that the file writes."""
    for table, points in zip(tables, points_of(tables, most, is_sum), strict=True):
        theirs = table.given.north_south
        if points is None or abs(points - theirs) > 0.51 / 10**digits:
            ours = "–" if points is None else format_points(points)
            yield PointsDifference(table.record, table.board, table.name, ours, format_points(theirs))


def points_of(tables: Sequence[PointedTable], most: int, is_sum: bool) -> list[float | None]:
    """Return North-South's points of a deal as pages show them, in the unit of the file."""
    results = [table.result for table in tables]
    if tables[0].given.is_matchpoints:
        scale = scale_of(tables, most)
        return [points * scale for points in compare_by_matchpoints(results, most)]
    compare = IMPS.get(tables[0].comparison, cross_imps)
    return compare_by_imps(results, sum_of_imps if is_sum and compare is cross_imps else compare)


def sum_of_imps(scores: Sequence[int]) -> list[float]:
    return [points * (len(scores) - 1) for points in cross_imps(scores)]


def scale_of(tables: Sequence[PointedTable], most: int) -> float:
    """Return the file's matchpoints for one of ours: both sides of a table with a score have a top together."""
    given = next((table.given for table in tables if isinstance(table.result, int)), tables[0].given)
    return 1 if given.east_west is None else (given.north_south + given.east_west) / (2 * (most - 1))


def format_points(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")
