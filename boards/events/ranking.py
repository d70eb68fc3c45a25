"""Who won at an event: each stage with its pairs, ranked by what they won on its boards.

Pairs are followed by their numbers. In a match of teams whoever sits North-South or East-West for a team is followed by
team and direction, as the matches tell them. Where a file says neither, nobody is ranked.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from boards.events.matches import Match, MatchBoard, find_matches, fold_team
from boards.events.reading import MAX_EVENT_TABLES, ListedDeal, read_all_deals
from boards.events.tables import Table
from boards.identity import whole_stage
from bridge.board import teams_of
from bridge.ranking import Field, Place, Played, find_repeated, has_two_fields, most_results, rank
from bridge.scores import Comparison, Result, comparison_for

NO_EVENT = f"No board of this event is published, or it has more than {MAX_EVENT_TABLES:,} tables, too many to rank."
MAX_PAIRS = 1000
"""The pairs of a stage that are ranked. More are no evening."""


class Stage:
    """The deals of a stage of an event, and who sat at their tables."""

    def __init__(self, key: str, deals: Sequence[ListedDeal]) -> None:
        self.key = key
        self.deals = deals

    @property
    def name(self) -> str:
        name = self.deals[0].board.stage
        return whole_stage(name) if len({deal.stage_key for deal in self.deals}) > 1 else name

    @property
    def shown_of(self) -> str:
        """Return the account whose tables are shown where another holds them too."""
        return next((deal.shown_of for deal in self.deals if deal.shown_of), "")

    @cached_property
    def matches(self) -> list[Match]:
        is_of_teams = any(all(teams_of(table)) for deal in self.deals for table in deal.tables)
        return find_matches(self.deals) if is_of_teams else []

    @cached_property
    def pairs(self) -> dict[UUID, tuple[str, str]]:
        """Return who sat North-South and East-West at each table, "" for whom the file does not tell."""
        pairs = {table.pk: (table.pair_ns, table.pair_ew) for deal in self.deals for table in deal.tables}
        for match in self.matches:
            for board in match.boards:
                pairs |= {table.pk: teams for table, teams in seats_in(match, board)}
        return pairs

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the pairs and teams that sat at the tables, as they are compared."""
        return frozenset(fold_team(pair) for pairs in self.pairs.values() for pair in pairs if pair)

    def seated(self, pair: str) -> bool:
        return fold_team(pair) in self.names

    @cached_property
    def match_imps(self) -> dict[UUID, int]:
        """Return North-South's IMPs against the other table of the match, by table."""
        found: dict[UUID, int] = {}
        for match in self.matches:
            for board in match.boards:
                for table, (team, _) in seats_in(match, board):
                    if board.imps is not None:
                        found[table.pk] = board.imps if team == match.home else -board.imps
        return found

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Return how tables are compared, both by matchpoints and by IMPs where the file does not say it for pairs."""
        scoring = next((table.scoring for deal in self.deals for table in deal.tables if table.scoring), "")
        of_match = comparison_for(scoring, is_match=True)
        return [of_match] if self.matches else [*dict.fromkeys((comparison_for(scoring, is_match=False), of_match))]

    @cached_property
    def compared(self) -> list[list[Table]]:
        """Return the tables of each deal that have a score, or a director's that is a percentage."""
        return [[table for table in deal.tables if table.compared is not None] for deal in self.deals]

    @cached_property
    def boards(self) -> list[list[Played]]:
        return [[Played(*self.pairs[table.pk], result_of(table)) for table in tables] for tables in self.compared]

    @property
    def most_results(self) -> int:
        return most_results(self.compared)

    @cached_property
    def repeated(self) -> str:
        """Return a pair that sat twice on one side of a board, so that nobody can be followed, or ""."""
        return find_repeated(self.boards)

    @cached_property
    def has_two_fields(self) -> bool:
        return has_two_fields(self.boards)

    @cached_property
    def rankings(self) -> Mapping[Comparison, list[Field]]:
        """Return the fields by the ways in which they are compared, none where pairs cannot be followed."""
        if self.repeated or len({pair for pairs in self.pairs.values() for pair in pairs}) > MAX_PAIRS:
            return {}
        found = {comparison: rank(self.boards, comparison) for comparison in self.comparisons}
        return {comparison: fields for comparison, fields in found.items() if fields}


def seats_in(match: Match, board: MatchBoard) -> list[tuple[Table, tuple[str, str]]]:
    """Return the tables of a board of a match with the teams that sat North-South and East-West there."""
    tables = (board.home_north_south, board.visit_north_south)
    teams = (match.home, match.visit)
    return [(table, each) for table, each in zip(tables, (teams, teams[::-1]), strict=True) if table]


def result_of(table: Table) -> Result:
    assert table.compared is not None
    return table.compared


def read_stages(slug: str) -> list[Stage]:
    """Return the stages of an event by one statement, none of an event that is too large or has no published board."""
    return stages_of(read_all_deals(slug))


def stages_of(deals: Iterable[ListedDeal]) -> list[Stage]:
    """Return the stages of these deals in their order. All parts of a match are one."""
    found: dict[str, list[ListedDeal]] = defaultdict(list)
    for deal in deals:
        found[whole_stage(deal.stage_key)].append(deal)
    return [Stage(key, of_stage) for key, of_stage in found.items()]


class StageField(NamedTuple):
    """A field of a stage, ranked in one way."""

    stage: str
    comparison: Comparison
    side: str
    places: list[Place]


def list_fields(stages: Iterable[Stage]) -> list[StageField]:
    """Return all rankings of an event."""
    return [
        StageField(stage.name, comparison, *field)
        for stage in stages
        for comparison, fields in stage.rankings.items()
        for field in fields
    ]
