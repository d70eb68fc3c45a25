"""An event as it was for those who sat in one place: what they won on each board, beside par and the field."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from boards.events.ranking import Stage, result_of
from boards.events.reading import ListedDeal
from boards.events.tables import Table, fold_team
from bridge.ranking import SIDES, Place, compare_sides, percentage
from bridge.scores import Comparison, datum


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
    played = zip(stage.compared, stage.deals, found, strict=True)
    return [own_result(stage, compared, deal, *seats[0]) for compared, deal, seats in played if seats]


def own_result(stage: Stage, compared: list[Table], deal: ListedDeal, table: Table, side: str) -> OwnResult:
    index, own = SIDES.index(side), turn_to(side)
    points = [
        {each.pk: of_sides[index] for each, of_sides in zip(compared, of_tables, strict=True)}
        for of_tables in (points_of(compared, comparison, stage.most_results) for comparison in stage.comparisons)
    ]
    scores = [score for each in compared if (score := each.score) is not None]
    mine = points[0].get(table.pk)
    rank = None if mine is None else 1 + sum(other is not None and other > mine for other in points[0].values())
    return OwnResult(
        deal,
        table,
        side,
        None if table.score is None else own(table.score),
        own(datum(scores)) if len(scores) > 1 else None,
        [of_tables.get(table.pk) for of_tables in points],
        own(stage.match_imps[table.pk]) if table.pk in stage.match_imps else None,
        rank,
        len(compared),
    )


def points_of(tables: Sequence[Table], comparison: Comparison, most: int) -> list[tuple[float | None, float | None]]:
    """Return what both sides of each table of a deal won: percent of a top, or IMPs; nothing at a single table."""
    if len(tables) < 2:
        return [(None, None)] * len(tables)
    points = compare_sides([result_of(table) for table in tables], comparison, most)
    if comparison is not Comparison.MATCHPOINTS:
        return points
    return [(percentage(both[0] or 0, most), percentage(both[1] or 0, most)) for both in points]


def turn_to(side: str) -> Callable[[int], int]:
    """Return what makes a side's points of North-South's."""
    return (lambda points: points) if side == "NS" else (lambda points: -points)


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
