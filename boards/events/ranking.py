"""Who won at an event: each stage with its pairs, ranked by what they won on its boards.

Pairs are followed by their numbers. In a match of teams whoever sits North-South or East-West for a team is followed by
team and direction, as the matches tell them. Where a file says neither, nobody is ranked.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from boards.events.counting import MAX_EVENT_TABLES, open_event
from boards.events.listing import list_events
from boards.events.matches import Match, find_matches
from boards.events.owners import find_club
from boards.events.reading import ListedDeal, read_all_deals
from boards.events.tables import Table, fold_team, rank_owners
from boards.identity import whole_stage
from boards.models import Event
from bridge.board import teams_of
from bridge.ranking import (
    Field,
    Place,
    Played,
    Points,
    compare_board,
    compare_boards,
    find_repeated,
    has_two_fields,
    most_results,
    rank,
)
from bridge.scores import Comparison, Result, comparison_for

NO_EVENT = f"No board of this event is published, or it has more than {MAX_EVENT_TABLES:,} tables, too many to rank."
MAX_PAIRS = 1000
"""The pairs of a stage that are ranked. An evening has fewer."""


class Stage:
    """The deals of a stage of an event, and who sat at their tables.

    Where several accounts hold it, the name of the stage, the way of scoring and whether teams played are those of the
    first of `owners`. `club` are the accounts of the club among them (boards.events.owners).
    """

    def __init__(self, key: str, deals: Sequence[ListedDeal], club: Collection[str] = ()) -> None:
        self.key = key
        self.deals = deals
        self.club = club

    @cached_property
    def tables(self) -> list[Table]:
        return [table for deal in self.deals for table in deal.tables]

    @cached_property
    def played(self) -> list[Table]:
        """Return the tables without the deals that nobody played, unless there is nothing else."""
        return [table for table in self.tables if not table.is_deal_alone] or self.tables

    @cached_property
    def owners(self) -> list[str]:
        """Return the accounts that hold the tables, in the order in which they count."""
        return rank_owners(self.played, self.club)

    @cached_property
    def first_tables(self) -> list[Table]:
        """Return the tables of the first account."""
        return [table for table in self.played if table.owner_id == self.owners[0]]

    def held_by(self, owners: Collection[str]) -> "Stage":
        """Return the stage as these accounts hold it, without the tables of others."""
        if len(owners) == len(self.owners):
            return self
        deals = [
            deal._replace(tables=tables, shown_of=self.owners[0])
            for deal in self.deals
            if (tables := [table for table in deal.tables if table.owner_id in owners])
        ]
        return Stage(self.key, deals, self.club)

    @cached_property
    def name(self) -> str:
        name = self.first_tables[0].stage
        return whole_stage(name) if len({deal.stage_key for deal in self.deals}) > 1 else name

    @property
    def shown_of(self) -> str:
        """Return the account whose tables are shown where another holds them too."""
        return next((deal.shown_of for deal in self.deals if deal.shown_of), "")

    @cached_property
    def matches(self) -> list[Match]:
        is_of_teams = any(all(teams_of(table)) for table in self.first_tables)
        return find_matches(self.deals) if is_of_teams else []

    @cached_property
    def pairs(self) -> dict[UUID, tuple[str, str]]:
        """Return who sat North-South and East-West at each table, "" for whom the file does not tell."""
        pairs = {table.pk: (table.pair_ns, table.pair_ew) for table in self.tables}
        return pairs | {table.pk: teams for match in self.matches for table, teams, _ in match.seats()}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the pairs and teams that sat at the tables, as they are compared."""
        return frozenset(fold_team(pair) for pairs in self.pairs.values() for pair in pairs if pair)

    def seated(self, pair: str) -> bool:
        return fold_team(pair) in self.names

    @cached_property
    def match_imps(self) -> dict[UUID, int]:
        """Return North-South's IMPs against the other table of the match, by table."""
        seats = (seat for match in self.matches for seat in match.seats())
        return {table.pk: imps for table, _, imps in seats if imps is not None}

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Return how tables are compared, both by matchpoints and by IMPs where the file does not say it for pairs."""
        scoring = next((table.scoring for table in self.first_tables if table.scoring), "")
        of_match = comparison_for(scoring, is_match=True)
        return [of_match] if self.matches else [*dict.fromkeys((comparison_for(scoring, is_match=False), of_match))]

    @cached_property
    def results(self) -> list[list[tuple[Table, Result]]]:
        """Return the tables of each deal that have a score, or a director's that is a percentage, with it."""
        return [
            [(table, result) for table in deal.tables if (result := table.compared) is not None] for deal in self.deals
        ]

    @cached_property
    def boards(self) -> list[list[Played]]:
        return [[Played(*self.pairs[table.pk], result) for table, result in of_deal] for of_deal in self.results]

    @cached_property
    def most_results(self) -> int:
        return most_results(self.boards)

    @cached_property
    def points(self) -> dict[Comparison, list[list[Points]]]:
        """Return what both sides won at these tables, by the ways in which they are compared."""
        return {comparison: compare_boards(self.boards, comparison) for comparison in self.comparisons}

    def points_at(self, index: int, comparison: Comparison) -> list[Points]:
        """Return what both sides won at the tables of one deal. The others are compared only where all are ranked."""
        if self.can_be_ranked:
            return self.points[comparison][index]
        return compare_board(self.boards[index], comparison, self.most_results)

    @cached_property
    def repeated(self) -> str:
        """Return a pair that sat twice on one side of a board, so that nobody can be followed, or ""."""
        return find_repeated(self.boards)

    @cached_property
    def has_two_fields(self) -> bool:
        return has_two_fields(self.boards)

    @cached_property
    def can_be_ranked(self) -> bool:
        """Tell whether each pair can be followed, and there are not too many."""
        return not self.repeated and len({pair for pairs in self.pairs.values() for pair in pairs}) <= MAX_PAIRS

    @cached_property
    def rankings(self) -> Mapping[Comparison, list[Field]]:
        """Return the fields by the ways in which they are compared, none where pairs cannot be followed."""
        if not self.can_be_ranked:
            return {}
        found = {comparison: rank(self.boards, comparison, points) for comparison, points in self.points.items()}
        return {comparison: fields for comparison, fields in found.items() if fields}


def read_stages(slug: str) -> list[Stage]:
    """Return the stages of an open event, by one statement.

    Where several accounts hold the event it takes two more, which ask which of them are the club's.
    """
    return stages_of(read_all_deals(slug))


class EventDetails(NamedTuple):
    """An event as the list has it, and its stages: None for one that is too large."""

    event: Event
    boards: int
    deals: int
    stages: Sequence[Stage] | None


def read_event(slug: str) -> EventDetails | None:
    """Return an event that has published boards, or None. Raise TooManyRunning as `open_event` does."""
    counted = open_event(slug)
    listed = list_events([slug]).get(slug) if counted else None
    if not counted or not listed:
        return None
    return EventDetails(*listed, None if counted.is_too_large else read_stages(slug))


def stages_of(deals: Sequence[ListedDeal]) -> list[Stage]:
    """Return the stages of these deals in their order. All parts of a match are one."""
    found: dict[str, list[ListedDeal]] = defaultdict(list)
    for deal in deals:
        found[whole_stage(deal.stage_key)].append(deal)
    club = find_club([[table for deal in deals for table in deal.tables]])
    return [choose_owners(Stage(key, of_stage, club)) for key, of_stage in found.items()]


def choose_owners(stage: Stage) -> Stage:
    """Return the stage with the tables of the accounts that are ranked together: of the club's alone, if it has any.

    Where a pair would sit twice on one side of a board, they are those of the first account: two programs may call one
    table otherwise, so that a copy of an evening is not known as one.
    """
    if of_club := [owner for owner in stage.owners if owner in stage.club]:
        stage = stage.held_by(of_club)
    return stage.held_by(stage.owners[:1]) if len(stage.owners) > 1 and stage.repeated else stage


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
