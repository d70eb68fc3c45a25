"""What came of a deal at all its tables."""

import pytest

from boards.events.reading import Table
from boards.events.results import DealResults
from boards.models import Board
from tests.boards.events.evenings import table

pytestmark = pytest.mark.django_db


def rows(*boards: Board) -> list[Table]:
    names = [name for name in Table._fields if name != "pk"]
    return [Table(board.pk, *(getattr(board, name) for name in names)) for board in boards]


def test_the_best_and_the_worst_score_and_what_lies_between() -> None:
    results = DealResults(
        rows(
            table(1, 1, "1NT", "S", 7, table="1"),
            table(1, 1, "4S", "N", 10, table="2"),
            table(1, 1, "4S", "S", 9, table="3"),
            table(1, 1, "2H", "E", None, table="4"),
        )
    )
    assert (len(results), results.spread) == (4, 470)
    assert results.best and results.worst and results.usual_contract
    assert [(score, row.table) for score, row in (results.best, results.worst)] == [(420, "2"), (-50, "3")]
    assert (results.usual_contract.contract.text, results.usual_contract.tables) == ("4S", 2)


def test_a_contract_of_the_other_side_is_another_one() -> None:
    results = DealResults(rows(table(1, 1, "1NT", "S", 7, table="1"), table(1, 1, "1NT", "E", 7, table="2")))
    assert results.usual_contract and results.usual_contract.tables == 1
    assert str(results.usual_contract.contract) == "1NT by South"


def test_nothing_is_made_up_where_nothing_is_known() -> None:
    board = table(1, 1, "1NT", "S", None)
    assert DealResults(rows(board)).usual_contract
    empty = DealResults([])
    assert (empty.best, empty.worst, empty.spread, empty.usual_contract) == (None, None, None, None)
