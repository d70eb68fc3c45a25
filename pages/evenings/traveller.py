"""The traveller of a board: the tables that played the same deal at the same event, compared (Law 78)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple
from uuid import UUID

from boards.drawing.symbols import signed
from boards.events.matches import other_tables
from boards.events.tables import Table
from boards.models.names import table_of
from bridge.board import teams_of
from bridge.names import format_result
from bridge.scores import (
    Comparison,
    Result,
    butler,
    compare_by_imps,
    compare_by_matchpoints,
    comparison_of,
    cross_imps,
    datum,
    match_imps,
)

LOWEST = -(10**6)
"""Less than any score. Tables without a score come last."""


MAX_ROWS = 8
"""The tables of a traveller that are shown unfolded."""


class Column(NamedTuple):
    """A way to compare the tables. `points` are North-South's by board, as they are shown."""

    heading: str
    name: str
    rule: str
    points: Mapping[UUID, str]


class Row(NamedTuple):
    """A table. `points` are those of each column, "" where the table is not compared."""

    table: Table
    name: str
    result: str
    points: list[str]


@dataclass(frozen=True)
class Traveller:
    """All tables of a deal, the best score of North-South first. There are two or more.

    In a match of teams its two tables are compared with each other, and stand together. Where the deal was played at
    more tables, each one is compared with all others too. `most_results` are those of the evening's deal that has most.
    """

    tables: Sequence[Table]
    board_id: UUID
    most_results: int = 0

    @cached_property
    def results(self) -> dict[UUID, Result]:
        """Return the scores that are known, and those that the director gave, by board."""
        return {table.pk: result for table in self.tables if (result := table.compared) is not None}

    @cached_property
    def scores(self) -> dict[UUID, int]:
        return {table: result for table, result in self.results.items() if isinstance(result, int)}

    @cached_property
    def other_tables(self) -> dict[UUID, UUID]:
        """Return the other table of the same match, by board, where both have a score."""
        return other_tables([table for table in self.tables if table.pk in self.results])

    @cached_property
    def columns(self) -> list[Column]:
        """Return the comparisons. A single score is compared with nothing."""
        if len(self.results) < 2:
            return []
        comparison = comparison_of(self.tables, is_match=bool(self.other_tables))
        if comparison is Comparison.MATCHPOINTS:
            return [self.matchpoints]
        columns = [self.match_imps] if self.other_tables else []
        if len(self.results) > 2 or not self.other_tables:
            without_extremes = comparison is Comparison.BUTLER_WITHOUT_EXTREMES
            columns.append(self.cross_imps if comparison is Comparison.IMPS else self.butler(without_extremes))
        return columns

    @property
    def matchpoints(self) -> Column:
        most = max(self.most_results, len(self.results))
        points = compare_by_matchpoints([*self.results.values()], most)
        fewer = "; fewer scores count by Neuberg’s formula" if len(self.scores) < most else ""
        rule = f"2 for each score that is lower, 1 for each that is equal; a top is {2 * (most - 1)}{fewer}"
        return self.column("MP", "Matchpoints", rule, map(format_matchpoints, points))

    @property
    def match_imps(self) -> Column:
        points = {
            table: format_imps(match_imps(self.results[table], self.results[other]))
            for table, other in self.other_tables.items()
        }
        return Column("IMPs", "IMPs", "against the other table of this match", points)

    @property
    def cross_imps(self) -> Column:
        points = compare_by_imps([*self.results.values()], cross_imps)
        return self.column("Cross-IMPs", "Cross-IMPs", "average against all other tables", map(format_mean, points))

    def butler(self, without_extremes: bool) -> Column:
        found = datum([*self.scores.values()], without_extremes=without_extremes)
        points = compare_by_imps([*self.results.values()], partial(butler, without_extremes=without_extremes))
        without = ", without the best and the worst" if without_extremes else ""
        rule = f"against the datum, which is the mean of the scores{without}, rounded to 10"
        return self.column(f"Butler, datum {format_imps(found)}", "Butler", rule, map(format_imps, points))

    def column(self, heading: str, name: str, rule: str, points: Iterable[str]) -> Column:
        return Column(heading, name, rule, dict(zip(self.results, points, strict=True)))

    @cached_property
    def rows(self) -> list[Row]:
        return [
            Row(
                table,
                self.name_of(table) or f"Result {number}",
                result_of(table),
                [column.points.get(table.pk, "") for column in self.columns],
            )
            for number, table in enumerate(self.in_order(), 1)
        ]

    @property
    def is_long(self) -> bool:
        """Tell whether the page shows only the reader's own row at first, and folds the table of all."""
        return len(self.tables) > MAX_ROWS

    @property
    def own_rows(self) -> list[Row]:
        return [row for row in self.rows if row.table.pk == self.board_id]

    def name_of(self, table: Table) -> str:
        """Name a table by its match, where there are several, and by its room and number."""
        teams = name_of_teams(table) if self.has_teams else ""
        name = ", ".join(filter(None, (teams, *table_of(table))))
        return name[:1].upper() + name[1:]

    @cached_property
    def has_teams(self) -> bool:
        """Tell whether the teams tell the tables apart. Their names are long."""
        return len({name_of_teams(table) for table in self.tables}) > 1

    def in_order(self) -> Iterable[Table]:
        """Return the tables by North-South's score, both tables of a match at the rank of the better one."""
        rank = {table.pk: index for index, table in enumerate(self.tables)}

        def order(table: Table) -> tuple[int, int, int]:
            other = self.other_tables.get(table.pk, table.pk)
            score, others_score = (self.scores.get(each, LOWEST) for each in (table.pk, other))
            return -max(score, others_score), min(rank[table.pk], rank[other]), -score

        return sorted(self.tables, key=order)


def name_of_teams(table: Table) -> str:
    return " – ".join(filter(None, teams_of(table)))


def result_of(table: Table) -> str:
    contract = table.final_contract
    if contract is None or table.tricks is None:
        return ""
    return format_result(contract, table.tricks)


def format_matchpoints(points: float) -> str:
    """Write matchpoints with the decimal that fewer scores and adjusted ones bring, if any."""
    return f"{points:.1f}".removesuffix(".0")


def format_imps(points: float | None) -> str:
    return "" if points is None else signed(points)


def format_mean(points: float | None) -> str:
    """Write a mean of IMPs with one decimal."""
    return "" if points is None else signed(round(float(points), 1))
