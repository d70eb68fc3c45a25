"""Par contracts of the solver's library, against the scores of the laws."""

from itertools import product
from random import Random

from bridge.double_dummy import DoubleDummyTable, par_for
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.deals.solver.pars import scores
from tests.deals.solver.solvers import require_dds

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
        tricks = DoubleDummyTable(str(answer["table"])).tricks()
        pars = answer["par"]
        assert isinstance(pars, dict)
        for vulnerability, dealer in product(Vulnerability, Seat):
            par = par_for(pars, vulnerability, dealer)
            assert all(scores(text, tricks, vulnerability) == {par["score"]} for text in par["contracts"])
