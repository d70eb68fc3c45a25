"""The standings of a Swiss or a league: what teams won in victory points, round by round.

There are none where a team has played one round alone, as in a knock-out, nor for two teams or two rounds. There is no
carry-over: the readers take none from a file.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from boards.events.matches import Match, fold_team

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
