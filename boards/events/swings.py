"""What the tables of a deal won in IMPs, and how far it swung.

Where two tables are a match, they are compared with each other, and the swing is what lies between them. An evening
without teams is compared by cross-IMPs; its swing lies between the best score of the deal and the worst.
"""

from collections.abc import Collection, Iterator, Sequence
from math import copysign
from typing import NamedTuple
from uuid import UUID

from boards.events.matches import other_tables, teams_of_match
from boards.events.tables import Table, rank_owners, without_copies
from bridge.board import teams_of
from bridge.scores import compare_by_imps, cross_imps, imps, match_imps

MAX_OWNERS = 5
"""The accounts whose tables of a deal are compared, the first ones: each is compared with all others."""


class Won(NamedTuple):
    """What a table won in IMPs, as its North-South see it, and what its deal swung, both whole numbers."""

    imps: int
    swing: int


def compare_deal(tables: Sequence[Table], club: Collection[str] = ()) -> dict[UUID, Won]:
    """Return by board what each table of a deal won, as far as it is compared with another one.

    Each account's tables are compared with those that count where its own do (boards.events.tables).
    """
    won: dict[UUID, Won] = {}
    owners = rank_owners(tables, club)[:MAX_OWNERS]
    tables = [table for table in tables if table.owner_id in owners]
    for owner in owners:
        held = without_copies(tables, club, owner).tables
        own = {table.pk for table in held if table.owner_id == owner}
        won |= {pk: each for pk, each in compare([table for table in held if table.compared is not None]) if pk in own}
    return won


def compare(tables: Sequence[Table]) -> Iterator[tuple[UUID, Won]]:
    results = {table.pk: result for table in tables if (result := table.compared) is not None}
    others = other_tables(tables)
    for pk, other in others.items():
        if (points := match_imps(results[pk], results[other])) is not None:
            yield pk, Won(points, abs(points))
    scores = [result for result in results.values() if isinstance(result, int)]
    if len(scores) < 2 or len(others) == len(tables):
        return
    swing = imps(max(scores) - min(scores))
    means = compare_by_imps([*results.values()], cross_imps)
    for table, mean in zip(tables, means, strict=True):
        if mean is not None and table.pk not in others and not teams_of_match(*teams_of(table)):
            yield table.pk, Won(int(mean + copysign(0.5, mean)), swing)
