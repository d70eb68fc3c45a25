from deals.double_dummy import Par, par_for

NORTH: Par = {"score": 90, "contracts": ["NS 1NT"]}
EAST: Par = {"score": -90, "contracts": ["EW 1NT"]}
PARS = {"None": NORTH, "None E": EAST, "None W": EAST, "NS": NORTH, "EW": NORTH, "All": NORTH}


def test_par_depends_on_the_vulnerability() -> None:
    assert par_for(PARS, "NS", "E") == NORTH


def test_a_dealer_with_another_par_has_an_entry_of_its_own() -> None:
    assert [par_for(PARS, "None", dealer) for dealer in "NESW"] == [NORTH, EAST, NORTH, EAST]
