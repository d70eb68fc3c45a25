from itertools import product
from random import Random

from bridge.double_dummy import Par, Table, par_for
from bridge.names import DENOMINATIONS
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.deals.solver.pars import scores
from tests.deals.solver.solvers import require_dds

NORTH: Par = {"score": 90, "contracts": ["NS 1NT"]}
EAST: Par = {"score": -90, "contracts": ["EW 1NT"]}
PARS = {"None": NORTH, "None E": EAST, "None W": EAST, "NS": NORTH, "EW": NORTH, "All": NORTH}


def test_a_table_is_stored_by_declarer_from_north_and_by_denomination_from_clubs() -> None:
    tricks: dict[str, dict[str, int]] = {
        seat: {denomination: (row * 5 + column) % 14 for column, denomination in enumerate(DENOMINATIONS)}
        for row, seat in enumerate(Seat)
    }
    table = Table.from_tricks(tricks)
    assert table.digits == "0123456789abcd012345"
    assert table.tricks() == tricks
    assert tricks["N"] == {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4}
    assert list(tricks) == ["N", "E", "S", "W"]


def test_par_depends_on_the_vulnerability_and_where_it_differs_on_the_dealer() -> None:
    assert par_for(PARS, "NS", "E") == NORTH
    assert [par_for(PARS, "None", dealer) for dealer in "NESW"] == [NORTH, EAST, NORTH, EAST]


DDS_RESULT_IS_NEGATIVE = ((5, 6, 6, 6), (11, 11, 11, 10), (4, 3, 4, 3), (10, 11, 11, 11), (8, 8, 8, 7))
DDS_SAYS_MADE = ((8, 5, 8, 4), (10, 13, 11, 13), (10, 11, 11, 10), (13, 10, 13, 10), (1, 7, 1, 7))
"""Tricks by denomination (S, H, D, C, NT) and declarer, in tables for which DDS itself gives wrong par contracts."""


def test_every_par_contract_scores_par_whatever_the_table() -> None:
    require_dds()
    from deals.solver import dds  # it loads the library
    from deals.solver.library import Tricks

    random = Random(20261122)
    partners_differ = [[[random.randrange(14) for _ in Seat] for _ in range(5)] for _ in range(200)]
    for rows in (DDS_RESULT_IS_NEGATIVE, DDS_SAYS_MADE, *partners_differ):
        table = Tricks()
        for row, values in zip(table, rows, strict=True):
            row[:] = values
        answer = dds._build_answer(table)
        tricks = Table(str(answer["table"])).tricks()
        pars = answer["par"]
        assert isinstance(pars, dict)
        for vulnerability, dealer in product(Vulnerability, Seat):
            par = par_for(pars, vulnerability, dealer)
            assert all(scores(text, tricks, vulnerability) == {par["score"]} for text in par["contracts"])
