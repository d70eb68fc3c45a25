from bridge.double_dummy import DoubleDummyTable, Par, par_for
from bridge.names import DENOMINATIONS
from bridge.seats import Seat

NORTH: Par = {"score": 90, "contracts": ["NS 1NT"]}
EAST: Par = {"score": -90, "contracts": ["EW 1NT"]}
PARS = {"None": NORTH, "None E": EAST, "None W": EAST, "NS": NORTH, "EW": NORTH, "All": NORTH}


def test_a_table_is_stored_by_declarer_from_north_and_by_denomination_from_clubs() -> None:
    tricks: dict[str, dict[str, int]] = {
        seat: {denomination: (row * 5 + column) % 14 for column, denomination in enumerate(DENOMINATIONS)}
        for row, seat in enumerate(Seat)
    }
    table = DoubleDummyTable.from_tricks(tricks)
    assert table.digits == "0123456789abcd012345"
    assert table.tricks() == tricks
    assert tricks["N"] == {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4}
    assert list(tricks) == ["N", "E", "S", "W"]


def test_par_depends_on_the_vulnerability_and_where_it_differs_on_the_dealer() -> None:
    assert par_for(PARS, "NS", "E") == NORTH
    assert [par_for(PARS, "None", dealer) for dealer in "NESW"] == [NORTH, EAST, NORTH, EAST]
