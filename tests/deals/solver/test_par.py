"""Par of tables in which partners take different tricks: DDS itself gives wrong results for some contracts there."""

from random import Random

from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.double_dummy import Table, par_for
from tests.deals.solver.pars import scores
from tests.deals.solver.solvers import require_dds

DDS_RESULT_IS_NEGATIVE = ((5, 6, 6, 6), (11, 11, 11, 10), (4, 3, 4, 3), (10, 11, 11, 11), (8, 8, 8, 7))
DDS_SAYS_MADE = ((8, 5, 8, 4), (10, 13, 11, 13), (10, 11, 11, 10), (13, 10, 13, 10), (1, 7, 1, 7))
"""Tricks by denomination (S, H, D, C, NT) and declarer."""


def random_tables(count: int) -> list[tuple[tuple[int, ...], ...]]:
    random = Random(20261122)
    return [tuple(tuple(random.randrange(14) for _ in Seat) for _ in range(5)) for _ in range(count)]


def test_every_par_contract_scores_par_whatever_the_table() -> None:
    require_dds()
    from deals.solver import dds  # it loads the library
    from deals.solver.library import Tricks

    for rows in (DDS_RESULT_IS_NEGATIVE, DDS_SAYS_MADE, *random_tables(200)):
        table = Tricks()
        for row, values in zip(table, rows, strict=True):
            row[:] = values
        answer = dds._build_answer(table)
        tricks = Table(str(answer["table"])).tricks()
        pars = answer["par"]
        assert isinstance(pars, dict)
        for vulnerability in Vulnerability:
            for dealer in Seat:
                par = par_for(pars, vulnerability, dealer)
                assert all(scores(text, tricks, vulnerability) == {par["score"]} for text in par["contracts"])
