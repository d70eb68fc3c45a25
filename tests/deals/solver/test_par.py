from deals.par import Par, par_for

NORTH: Par = {"score": 90, "contracts": ["NS 1NT"]}
EAST: Par = {"score": -90, "contracts": ["EW 1NT"]}
PARS = {"None": NORTH, "None E": EAST, "None W": EAST, "NS": NORTH, "EW": NORTH, "All": NORTH}


def test_par_is_that_of_the_vulnerability() -> None:
    assert par_for(PARS, "NS", "E") == NORTH


def test_a_dealer_for_whom_par_is_another_gets_his_own() -> None:
    assert [par_for(PARS, "None", dealer) for dealer in "NESW"] == [NORTH, EAST, NORTH, EAST]
