"""Which tables of a deal are compared, so that each has won IMPs and the deal has swung (bridge.scores.Won).

Where two tables are a match, they are compared with each other, else all that no team played.
"""

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from boards.events.matches import other_tables
from boards.events.tables import Table, rank_owners, teams_of_match, without_copies
from bridge.board import teams_of
from bridge.scores import Won, compare_evening, compare_match

MAX_OWNERS = 5
"""The accounts whose tables of a deal are compared, the first ones: each is compared with all others."""


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
        if won := compare_match(results[pk], results[other]):
            yield pk, won
    if len(others) == len(tables):
        return
    for table, won in zip(tables, compare_evening([*results.values()]), strict=True):
        if won and table.pk not in others and not teams_of_match(*teams_of(table)):
            yield table.pk, won
