"""An event as it was for those who sat in one place: what they won on each board, beside par and the field."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from boards.events.ranking import Stage
from boards.events.reading import ListedDeal
from boards.events.tables import Table, fold_team
from bridge.play_analysis import Trace
from bridge.ranking import SIDES, Place, percentage
from bridge.scores import Adjustment, Comparison, datum
from config.database import fetch_rows
from config.database.rows import as_uuid
from search.conditions import Among
from search.index.rows import with_ids


class Seat(NamedTuple):
    """Where somebody sat: a pair or a team by its name, or a table by its room and number; and on which side.

    Without `side` a pair is looked for on both.
    """

    pair: str = ""
    room: str = ""
    table: str = ""
    side: str = ""

    def find(self, stage: Stage) -> list[list[tuple[Table, str]]]:
        """Return for each deal the tables that may be meant, with the side."""
        sides = [(side, index) for index, side in enumerate(SIDES) if self.side in ("", side)]
        return [
            [(table, side) for table in deal.tables for side, index in sides if self.is_at(stage, table, index)]
            for deal in stage.deals
        ]

    def is_at(self, stage: Stage, table: Table, index: int) -> bool:
        if self.pair:
            return fold_team(stage.pairs[table.pk][index]) == fold_team(self.pair)
        return bool(self.room or self.table) and self.room in ("", table.room) and self.table in ("", table.table)


class OwnResult(NamedTuple):
    """A board as one side of a table sees it. All scores are that side's.

    `datum` is the mean of all scores of the deal, rounded to 10. `points` are those of each comparison of the stage,
    percent of a top or IMPs, and `match_imps` those against the other table of the match. `rank` is that among all
    `tables` that are compared. What is not known is None.
    """

    deal: ListedDeal
    table: Table
    side: str
    score: int | None
    datum: int | None
    points: list[float | None]
    match_imps: int | None
    rank: int | None
    tables: int

    @property
    def swing(self) -> int:
        """Return how far the score is from the field's mean, in points."""
        return 0 if self.score is None or self.datum is None else self.score - self.datum


def own_results(stage: Stage, found: Sequence[Sequence[tuple[Table, str]]]) -> list[OwnResult]:
    """Return the boards that were played at a seat, which was found once at most in each deal."""
    return [own_result(stage, index, *seats[0]) for index, seats in enumerate(found) if seats]


def own_result(stage: Stage, index: int, table: Table, side: str) -> OwnResult:
    """Return the deal of this index as a side of one of its tables sees it."""
    results = stage.results[index]
    at = next((position for position, (other, _) in enumerate(results) if other is table), None)
    won = [points_of(stage, index, comparison, side) for comparison in stage.comparisons]
    points = [None if at is None else of_tables[at] for of_tables in won]
    mine = points[0]
    scores = [result for _, result in results if not isinstance(result, Adjustment)]
    return OwnResult(
        stage.deals[index],
        table,
        side,
        turn(table.score, side),
        turn(datum(scores), side) if len(scores) > 1 else None,
        points,
        turn(stage.match_imps.get(table.pk), side),
        None if mine is None else 1 + sum(other is not None and other > mine for other in won[0]),
        len(results),
    )


def points_of(stage: Stage, index: int, comparison: Comparison, side: str) -> list[float | None]:
    """Return what one side of each table of a deal won: percent of a top, or IMPs; nothing at a single table."""
    points = [of_table[SIDES.index(side)] for of_table in stage.points_at(index, comparison)]
    if comparison is not Comparison.MATCHPOINTS:
        return points
    return [None if each is None else percentage(each, stage.most_results) for each in points]


def turn(points: int | None, side: str) -> int | None:
    """Return a side's points of North-South's."""
    return points if points is None or side == "NS" else -points


TRACES = """
SELECT id, trace FROM (SELECT board_id AS id, trace FROM boards_playanalysis WHERE status = 'done') AS analysed
"""


def read_costs(board_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the tricks that the most costly card of each of these plays cost, as far as they are analysed."""
    wanted = with_ids(Among(tuple(board_ids)))
    rows = fetch_rows(f"{TRACES} WHERE {wanted.sql}", wanted.parameters)
    tricks = {as_uuid(pk): Trace(digits).tricks for pk, digits in rows}
    return {
        pk: max((abs(before - after) for before, after in pairwise(moments)), default=0)
        for pk, moments in tricks.items()
    }


class OwnPlace(NamedTuple):
    """The place of whoever sat somewhere, in a field of so many pairs."""

    comparison: Comparison
    place: Place
    pairs: int


def own_places(stage: Stage, results: Sequence[OwnResult]) -> list[OwnPlace]:
    """Return the places of the pair that sat there, none where several did, as at a table of a Howell."""
    sat = {(stage.pairs[result.table.pk][SIDES.index(result.side)], result.side) for result in results}
    sat = sat if stage.has_two_fields else {(pair, "") for pair, _ in sat}
    return [
        OwnPlace(comparison, place, len(field.places))
        for comparison, fields in stage.rankings.items()
        for field in fields
        for place in field.places
        if sat == {(place.pair, field.side)}
    ]
