"""The traveller of a board: the tables that played the same deal at the same event, compared (Law 78)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from boards.events.matches import by_teams, pair_of
from boards.events.reading import Table
from boards.models.names import table_of
from deals.bridge.comparing import Comparison, comparison_for, cross_imps, imps, matchpoints
from deals.bridge.names import format_result

LOWEST = -(10**6)
"""Less than any score. Tables without a score come last."""


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
    more tables, each one is compared with all others too.
    """

    tables: Sequence[Table]
    board_id: UUID

    @cached_property
    def scored(self) -> dict[UUID, int]:
        """Return the scores that are known, by board."""
        return {table.pk: score for table in self.tables if (score := table.score) is not None}

    @cached_property
    def other_tables(self) -> dict[UUID, UUID]:
        """Return the other table of the same match, by board, where both have a score.

        A match has two tables. Those without teams are one when there are no more.
        """
        others: dict[UUID, UUID] = {}
        for teams, tables in by_teams(table for table in self.tables if table.pk in self.scored).items():
            pair = pair_of(tables) if teams or len(self.scored) == 2 else None
            if pair:
                first, second = (table.pk for table in pair)
                others |= {first: second, second: first}
        return others

    @cached_property
    def columns(self) -> list[Column]:
        """Return the comparisons. A single score is compared with nothing."""
        scoring = next((table.scoring for table in self.tables if table.scoring), "")
        if len(self.scored) < 2:
            return []
        if comparison_for(scoring, is_match=bool(self.other_tables)) is Comparison.MATCHPOINTS:
            return [self.matchpoints]
        return [
            *([self.match_imps] if self.other_tables else []),
            *([self.cross_imps] if len(self.scored) > 2 or not self.other_tables else []),
        ]

    @property
    def matchpoints(self) -> Column:
        points = map(str, matchpoints(list(self.scored.values())))
        top = 2 * (len(self.scored) - 1)
        rule = f"2 for each score that is lower, 1 for each that is equal; a top is {top}"
        return Column("MP", "Matchpoints", rule, dict(zip(self.scored, points, strict=True)))

    @property
    def match_imps(self) -> Column:
        points = {
            table: format_imps(imps(self.scored[table] - self.scored[other]))
            for table, other in self.other_tables.items()
        }
        return Column("IMPs", "IMPs", "against the other table of this match", points)

    @property
    def cross_imps(self) -> Column:
        points = map(format_mean, cross_imps(list(self.scored.values())))
        rule = "average against all other tables"
        return Column("Cross-IMPs", "Cross-IMPs", rule, dict(zip(self.scored, points, strict=True)))

    @cached_property
    def rows(self) -> list[Row]:
        return [
            Row(
                table,
                name_of_table(table, teams_of(table) if self.has_teams else "") or f"Result {number}",
                result_of(table),
                [column.points.get(table.pk, "") for column in self.columns],
            )
            for number, table in enumerate(self.in_order(), 1)
        ]

    @cached_property
    def has_teams(self) -> bool:
        """Tell whether the teams tell the tables apart. Their names are long."""
        return len({teams_of(table) for table in self.tables}) > 1

    def in_order(self) -> Iterable[Table]:
        """Return the tables by North-South's score, both tables of a match at the rank of the better one."""
        rank = {table.pk: index for index, table in enumerate(self.tables)}

        def order(table: Table) -> tuple[int, int, int]:
            other = self.other_tables.get(table.pk, table.pk)
            score, others_score = (self.scored.get(each, LOWEST) for each in (table.pk, other))
            return -max(score, others_score), min(rank[table.pk], rank[other]), -score

        return sorted(self.tables, key=order)


def name_of_table(table: Table, teams: str) -> str:
    """Name a table by its match, where there are several, and by its room and number."""
    name = ", ".join(part for part in (teams, *table_of(table)) if part)
    return name[:1].upper() + name[1:]


def teams_of(table: Table) -> str:
    return " – ".join(filter(None, (table.home_team, table.visit_team)))


def result_of(table: Table) -> str:
    contract = table.final_contract
    if contract is None or table.tricks is None:
        return ""
    return format_result(contract, table.tricks)


def format_imps(points: int) -> str:
    return f"{sign_of(points)}{abs(points)}"


def format_mean(points: float) -> str:
    """Write a mean of IMPs with one decimal."""
    rounded = round(points, 1)
    return f"{sign_of(rounded)}{abs(rounded):.1f}"


def sign_of(points: float) -> str:
    return "+" if points > 0 else "−" if points < 0 else ""
