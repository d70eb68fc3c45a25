"""The traveller of a board: the tables that played the same deal at the same event, compared (Law 78)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from boards.events.reading import Table
from boards.names import table_of
from deals.bridge.comparing import Comparison, comparison_for, cross_imps, matchpoints
from deals.bridge.names import format_result


class Row(NamedTuple):
    """A table. `points` are North-South's matchpoints or IMPs, as they are shown, "" without a score."""

    table: Table
    name: str
    result: str
    points: str


@dataclass(frozen=True)
class Traveller:
    """All tables of a deal, the best score of North-South first. There are two or more."""

    tables: Sequence[Table]
    board_id: UUID

    @cached_property
    def comparison(self) -> Comparison:
        scoring = next((table.scoring for table in self.tables if table.scoring), "")
        return comparison_for(scoring, len(self.scored))

    @cached_property
    def scored(self) -> dict[UUID, int]:
        """Return the scores that are known, by board."""
        return {table.pk: score for table in self.tables if (score := table.score) is not None}

    @cached_property
    def points(self) -> dict[UUID, str]:
        """Return what each table with a score has of the comparison. A single one is compared with nothing."""
        scores = list(self.scored.values())
        if len(scores) < 2:
            return {}
        if self.comparison is Comparison.MATCHPOINTS:
            shown = [str(points) for points in matchpoints(scores)]
        else:
            shown = [format_imps(points) for points in cross_imps(scores)]
        return dict(zip(self.scored, shown, strict=True))

    @property
    def top(self) -> int:
        """Return the matchpoints of a score that is better than all others."""
        return 2 * (len(self.scored) - 1)

    @property
    def is_match(self) -> bool:
        """Tell whether the IMPs are the swing between two tables, and not a mean."""
        return len(self.scored) == 2

    @property
    def is_matchpointed(self) -> bool:
        return self.comparison is Comparison.MATCHPOINTS

    @cached_property
    def rows(self) -> list[Row]:
        tables = sorted(self.tables, key=lambda table: -self.scored.get(table.pk, -(10**6)))
        matches = {teams_of(table) for table in tables}
        return [
            Row(
                table,
                name_of_table(table, teams_of(table) if len(matches) > 1 else "") or f"Result {number}",
                result_of(table),
                self.points.get(table.pk, ""),
            )
            for number, table in enumerate(tables, 1)
        ]


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


def format_imps(points: float) -> str:
    """Write IMPs with their sign, and with one decimal unless they are whole."""
    rounded = round(points, 1)
    shown = f"{abs(rounded):.0f}" if rounded == int(rounded) else f"{abs(rounded):.1f}"
    return f"{'+' if rounded > 0 else '−' if rounded < 0 else ''}{shown}"
