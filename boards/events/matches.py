"""Matches of teams: two tables of a deal at which the same two teams sat the other way round, their IMPs and standings.

A match is all that two teams played in one stage of an event, in all halves or segments of it. Files tell in three ways
which team sat North-South: each team is the home team at one of the tables, and sat North-South there (RealBridge's
PBN); one team is the home team at both, and sat North-South in the open room and East-West in the closed one (vugraph
files in LIN, RBN, and PBN with the Room tag); or the table is called by the direction of the first team, "NS" or "EW"
(USEBIO, as bridge.formats.usebio reads it). Where none of them does, the two tables of a board are compared on its own
page, and are not a match here.

The standings of a Swiss or a league are what teams won in victory points, round by round. There are none where a team
has played one round alone, as in a knock-out, nor for two teams or two rounds. There is no carry-over: the readers take
none from a file.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from boards.events.reading import ListedDeal
from boards.events.tables import Table, Teams, fold_team, teams_of_match
from boards.identity import stage_key_of, whole_stage
from bridge.board import teams_of
from bridge.scores import match_imps, victory_points


class MatchBoard(NamedTuple):
    """A board of a match: the table where the home team sat North-South, and the one where the other team did.

    `imps` are the home team's, or None when the two tables cannot be compared.
    """

    board_number: int | None
    home_north_south: Table | None
    visit_north_south: Table | None
    imps: int | None

    def turned(self) -> "MatchBoard":
        """Return it as the other team sees it."""
        imps = None if self.imps is None else -self.imps
        return MatchBoard(self.board_number, self.visit_north_south, self.home_north_south, imps)


class Match:
    """What two teams played in one stage of an event. `tables` are theirs, deal by deal.

    A match in halves, segments, sets, stanzas or quarters has the key of the stage without these words.
    """

    def __init__(self, stage_key: str, teams: Teams, tables: Sequence[Sequence[Table]]) -> None:
        self.stage_key = stage_key
        self.teams = teams
        self.tables = tables

    @cached_property
    def first(self) -> Table:
        """Return the table that names the teams: one of the open room, else the first in the alphabet."""
        every = [table for tables in self.tables for table in tables]
        return min(every, key=lambda table: (table.room != "Open", *teams_of(table)))

    @cached_property
    def home(self) -> str:
        return teams_of(self.first)[0]

    @cached_property
    def visit(self) -> str:
        return teams_of(self.first)[1]

    @property
    def stage(self) -> str:
        return whole_stage(self.first.stage) if self.parts else self.first.stage

    @cached_property
    def parts(self) -> list["Match"]:
        """Return the halves or segments of the match, none of one that was played without a break."""
        if len({tables[0].stage for tables in self.tables}) == 1:
            return []
        found: dict[str, list[Sequence[Table]]] = defaultdict(list)
        for tables in self.tables:
            found[stage_key_of(tables[0].stage)].append(tables)
        return [Match(key, self.teams, tables) for key, tables in found.items()] if len(found) > 1 else []

    @cached_property
    def changes_home(self) -> bool:
        homes = {teams_of(table)[0] for tables in self.tables for table in tables}
        return len({*map(fold_team, homes)}) == 2

    @cached_property
    def boards(self) -> list[MatchBoard]:
        """Return the boards. Each part of the match may name another team as the home team."""
        home, visit = fold_team(self.home), fold_team(self.visit)
        if not self.parts:
            return [self._compare(tables, home, visit) for tables in self.tables]
        return [
            board if fold_team(part.home) == home else board.turned() for part in self.parts for board in part.boards
        ]

    def _compare(self, tables: Sequence[Table], home: str, visit: str) -> MatchBoard:
        """Return a board of the match. `home` and `visit` are its teams, folded."""
        played = [(table, result) for table in tables if (result := table.compared) is not None]
        compared = played if is_match([table for table, _ in played]) else [(table, None) for table in tables]
        shown = {self._north_south_of(table): (table, result) for table, result in reversed(compared)}
        here, result = shown.get(home, (None, None))
        there, other = shown.get(visit, (None, None))
        imps = None if result is None or other is None else match_imps(result, other)
        return MatchBoard(tables[0].board_number, here, there, imps)

    def _north_south_of(self, table: Table) -> str:
        """Return the team that sat North-South, folded; "" when the file does not tell."""
        home, visit = teams_of(table)
        place = table.room or table.table.rpartition(" ")[2]
        if self.changes_home or place in ("Open", "NS"):
            return fold_team(home)
        return fold_team(visit) if place in ("Closed", "EW") else ""

    def seats(self) -> Iterator[tuple[Table, tuple[str, str], int | None]]:
        """Yield the tables with the teams that sat North-South and East-West there, and with North-South's IMPs."""
        teams = self.home, self.visit
        for board in self.boards:
            if board.home_north_south:
                yield board.home_north_south, teams, board.imps
            if board.visit_north_south:
                yield board.visit_north_south, teams[::-1], None if board.imps is None else -board.imps

    @property
    def is_unplayed(self) -> bool:
        """Tell whether the match was not played: all its boards are passed out (boards.events.unplayed)."""
        return not self.compared and any(table.is_unplayed for tables in self.tables for table in tables)

    @cached_property
    def compared(self) -> int:
        """Return the number of boards that have IMPs."""
        return sum(board.imps is not None for board in self.boards)

    @cached_property
    def imps(self) -> tuple[int, int]:
        """Return the IMPs that the home team won on some boards, and those that the visiting team won on others."""
        points = [board.imps for board in self.boards if board.imps is not None]
        return sum(each for each in points if each > 0), -sum(each for each in points if each < 0)

    @property
    def victory_points(self) -> tuple[float, float]:
        home, visit = self.imps
        return victory_points(home - visit, self.compared)


def find_matches(deals: Iterable[ListedDeal]) -> list[Match]:
    """Return the matches in which a board is compared, and those not played, by stage and by the names of the teams."""
    found: dict[tuple[str, Teams], list[list[Table]]] = defaultdict(list)
    for deal in deals:
        for teams, tables in by_teams(deal.tables).items():
            if teams:
                found[whole_stage(deal.stage_key), teams].append(tables)
    matches = [match_of(stage_key, teams, tables) for (stage_key, teams), tables in found.items()]
    shown = [match for match in matches if match.compared or match.is_unplayed]
    return sorted(shown, key=lambda match: (match.stage_key, match.home, match.visit))


def match_of(stage_key: str, teams: Teams, tables: Sequence[Sequence[Table]]) -> Match:
    """Return a match of all parts of a stage, or of the only one, which then has its own key."""
    match = Match(stage_key, teams, tables)
    if not match.parts:
        match.stage_key = stage_key_of(match.first.stage)
    return match


def by_teams(tables: Iterable[Table]) -> dict[Teams, list[Table]]:
    """Return the tables of a deal by the two teams that played there; those of no match under no team."""
    found: dict[Teams, list[Table]] = defaultdict(list)
    for table in tables:
        found[teams_of_match(*teams_of(table))].append(table)
    return found


def is_match(tables: Sequence[Table]) -> bool:
    """Tell whether these are the two tables of a match: they differ in the room or the table, or in the home team.

    The same place twice is a table that was stored twice. Where nothing is said there is no such reason for doubt.
    """
    if len(tables) != 2:
        return False
    first, second = tables
    if (first.room or first.table or first.pk) != (second.room or second.table or second.pk):
        return True
    return fold_team(teams_of(first)[0]) != fold_team(teams_of(second)[0])


def other_tables(tables: Sequence[Table]) -> dict[UUID, UUID]:
    """Return the other table of the same match, by board, of the tables of a deal that have a result.

    A match has two tables. Those without teams are one when there are no more.
    """
    others: dict[UUID, UUID] = {}
    for teams, of_match in by_teams(tables).items():
        if (teams or len(tables) == 2) and is_match(of_match):
            first, second = (table.pk for table in of_match)
            others |= {first: second, second: first}
    return others


MIN_TEAMS = MIN_ROUNDS = 3


class Standing(NamedTuple):
    """A team with the victory points of each round, None for one that it sat out, and their sum."""

    team: str
    rounds: tuple[float | None, ...]
    total: float


class Standings(NamedTuple):
    """The stages that are the rounds, and the teams, the leader first."""

    rounds: tuple[str, ...]
    teams: list[Standing]


def find_standings(matches: Sequence[Match]) -> Standings | None:
    """Return the standings of an event with these matches, which are in the order of their rounds."""
    matches = [match for match in matches if not match.is_unplayed]
    rounds = {match.stage_key: match.stage for match in matches}
    names: dict[str, str] = {}
    points: dict[str, dict[str, float]] = defaultdict(dict)
    for match in matches:
        for team, won in zip((match.home, match.visit), match.victory_points, strict=True):
            names.setdefault(fold_team(team), team)
            of_team = points[fold_team(team)]
            of_team[match.stage_key] = of_team.get(match.stage_key, 0) + won
    if len(points) < MIN_TEAMS or len(rounds) < MIN_ROUNDS or min(map(len, points.values())) < 2:
        return None
    teams = [
        Standing(names[team], tuple(won.get(each) for each in rounds), sum(won.values()))
        for team, won in points.items()
    ]
    return Standings(tuple(rounds.values()), sorted(teams, key=lambda each: (-each.total, each.team)))
