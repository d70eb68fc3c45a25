"""The ranking in a PBN file: its TotalScoreTable (PBN 2.1 §5.10). Names of players are passed over."""

from collections.abc import Iterable, Mapping

from bridge.formats.pbn.tables import Row, columns_of, pair_of, rows_of
from bridge.formats.pbn.tokens import TOTAL_SCORE_TABLE, Tags
from bridge.formats.rankings import MAX_PLACES, GivenPlace, GivenRanking, read_place
from bridge.texts import to_one_line

_POINTS = {
    **dict.fromkeys(("TotalMP", "TotalScoreMP", "MP"), "MP"),
    **dict.fromkeys(("TotalIMP", "TotalScoreIMP", "IMP"), "IMP"),
    **dict.fromkeys(("TotalVP", "TotalScoreVP", "VP"), "VP"),
    **dict.fromkeys(("TotalScore", "Score"), ""),
}
"""The columns of sums, with their units. The first that a table has counts."""

_PERCENTAGES = ("MeanPercentage", "Percentage", "TotalPercentage")
_PAIRS = ("PairId", "Team", "TeamId")
_DIRECTIONS = ("Direction", "Dir")
_BOARDS = ("NrBoards", "Boards")


def read_totals(tags: Tags, record: int, texts: Mapping[str, str]) -> GivenRanking | None:
    """Return the ranking that a game gives, or None. `texts` are those of its board.

    A table with a column of sections is about all of them, and calls a pair "A3" as the ScoreTable does. Rows without a
    place, and those that do not fit the columns, are left out.
    """
    header = tags.by_name.get(TOTAL_SCORE_TABLE)
    columns = columns_of(header) if header else []
    if header is None or tags.error or "Rank" not in columns:
        return None
    points = _first(columns, _POINTS)
    places = [place for row in rows_of(header) if row.fits and (place := _read_row(row, columns, points))]
    if not places:
        return None
    stage = "" if "Section" in columns else texts["stage"]
    where = {name: texts[name] for name in ("event", "date", "site")}
    unit = _POINTS.get(points, "")
    return GivenRanking(record, header.line, **where, stage=stage, unit=unit, places=tuple(places[:MAX_PLACES]))


def _read_row(row: Row, columns: list[str], points: str) -> GivenPlace | None:
    named = _first(columns, _PAIRS)
    number = row.value(named)
    return read_place(
        row.value("Rank"),
        to_one_line(number) if named == "Team" else pair_of(number, row.value("Section")),
        side=row.value(_first(columns, _DIRECTIONS)).upper().replace("-", ""),
        boards=row.value(_first(columns, _BOARDS)),
        points=row.value(points),
        percentage=row.value(_first(columns, _PERCENTAGES)),
    )


def _first(columns: Iterable[str], names: Iterable[str]) -> str:
    """Return the first of the names that is a column, or ""."""
    return next((name for name in names if name in columns), "")
