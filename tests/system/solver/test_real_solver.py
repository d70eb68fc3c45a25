"""The real child with DDS, compared with what is known without it; contracts, scores and pars with endplay's."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any, get_args

import pytest

from bridge.auction import BIDS, Auction, Call
from bridge.contract import Contract, Denomination, Doubled
from bridge.double_dummy import DoubleDummyTable, par_for
from bridge.layout import Layout
from bridge.scores import score
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from config.worker.runner import ShutdownRequest
from deals.models import Deal
from deals.models import SolverStatus as Status
from deals.solver.process import Solver, SolverFailed
from deals.solver.queues import Columns
from deals.solver.worker import Worker
from tests import factories
from tests.boards.test_demonstration import FRIDAY
from tests.deals.solver.solvers import ask_tables, real_solver, require_endplay


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with real_solver() as solver:
        yield solver


def cards(*seeds: int) -> list[str]:
    return [factories.layout(seed).cards for seed in seeds]


def solve(solver: Solver, *batch: str) -> list[Columns]:
    answers = ask_tables(solver, batch, seconds=300)
    assert all(answers)
    return [answer for answer in answers if answer]


def test_a_deal_of_four_whole_suits_has_the_obvious_table_and_par(solver: Solver) -> None:
    suit = "AKQJT98765432"
    (answer,) = solve(solver, f"N:{suit}... .{suit}.. ..{suit}. ...{suit}")
    tricks = DoubleDummyTable(answer["double_dummy"]).tricks()
    assert tricks["N"] == tricks["S"] == {"C": 0, "D": 13, "H": 0, "S": 13, "NT": 0}
    assert tricks["E"] == tricks["W"] == {"C": 13, "D": 0, "H": 13, "S": 0, "NT": 0}
    assert answer["par"]["None"] == {"score": 1510, "contracts": ["NS 7S"]}
    assert answer["par"]["All"] == {"score": 2210, "contracts": ["NS 7S"]}


def test_the_demonstrations_results_are_those_of_good_play_but_where_a_commentary_says_what_went_wrong(
    solver: Solver,
) -> None:
    solutions = solve(solver, *[board.layout.cards for board in FRIDAY])
    strange = {}
    for board, solution in zip(FRIDAY, solutions, strict=True):
        assert board.contract and board.contract.declarer
        tricks = DoubleDummyTable(solution["double_dummy"]).tricks()[board.contract.declarer][
            str(board.contract.denomination)
        ]
        if board.tricks != tricks:
            strange[board.board_number, board.table] = (board.tricks, tricks)
    assert strange == {(1, "1"): (10, 9), (7, "1"): (7, 9)}


def test_the_tables_of_a_batch_equal_those_of_its_deals_alone(solver: Solver) -> None:
    first, second, *rest = cards(0, 1, 2, 3)
    assert [solve(solver, first)[0], solve(solver, second)[0]] == solve(solver, first, second, *rest)[:2]


def test_rotating_the_cards_rotates_table_and_par(solver: Solver) -> None:
    (deal,) = cards(11)
    original, other = solve(solver, deal, Layout("E" + deal[1:]).cards)
    before, after = (
        DoubleDummyTable(original["double_dummy"]).tricks(),
        DoubleDummyTable(other["double_dummy"]).tricks(),
    )
    assert after == {"E": before["N"], "S": before["E"], "W": before["S"], "N": before["W"]}
    assert other["par"]["NS"]["score"] == -original["par"]["EW"]["score"]


def test_the_child_takes_forty_deals_and_refuses_what_is_not_52_cards(solver: Solver) -> None:
    (good,) = cards(1)
    twice = re.sub(r"^N:(.)", lambda match: "N:" + ("A" if match[1] != "A" else "K"), good)
    answers = ask_tables(solver, [twice, good, good.replace(" ", "2 ", 1), "nonsense"], seconds=300)
    assert [answer is not None for answer in answers] == [False, True, False, False]
    assert ask_tables(solver, ["nonsense"], seconds=300) == [None]
    assert len(solve(solver, *[good] * 40)) == 40


def test_the_child_ignores_signals_to_its_process_group_and_is_replaced_when_it_is_killed(solver: Solver) -> None:
    solver.start()
    pid = solver.pid or 0
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    solve(solver, *cards(1))
    assert solver.pid == pid
    Timer(0.2, os.kill, (pid, signal.SIGKILL)).start()
    with pytest.raises(SolverFailed, match="-9"):
        ask_tables(solver, cards(*range(40)), seconds=300)
    assert solve(solver, *cards(1))


def test_a_worker_solves_real_deals_and_ends_the_child(db: None, solver: Solver) -> None:
    for seed in range(3):
        factories.deal(seed)
    worker = Worker(solver, ShutdownRequest())
    worker.run(once=True)
    assert (worker.solved, solver.pid) == (3, None)
    for deal in Deal.objects.all():
        assert deal.double_dummy_status == Status.DONE and deal.table
        assert set(deal.par or ()) >= {"None", "NS", "EW", "All"}


def test_the_child_exits_at_the_end_of_its_input_and_enforces_the_time_limit_too(solver: Solver) -> None:
    solver.start()
    process = solver._process
    assert process and process.stdin
    process.stdin.close()
    assert process.wait(timeout=30) == 0
    solver.close()

    solver.start()
    started = time.monotonic()
    solver._send({"task": "tables", "questions": cards(*range(40)), "seconds": -9.8})
    assert solver._process
    assert solver._process.wait(timeout=30) == -signal.SIGALRM
    assert time.monotonic() - started < 10
    solver.close()


# --- endplay, which only the tests use as an oracle ------------------------------------------------------------------


CHILD = Path(__file__).with_name("endplay_child.py")
SCORES = list(product(range(1, 8), Denomination, get_args(Doubled), Vulnerability, range(14), (Seat.SOUTH, Seat.WEST)))


def ask_endplay(questions: Iterable[dict[str, Any]]) -> list[Any]:
    """Ask in a process of endplay's own, which takes seconds to start."""
    require_endplay()
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([sys.executable, str(CHILD)], input=lines, capture_output=True, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def random_auction(random: Random) -> Auction:
    """Make a legal auction by short rules, so that ten thousand of them are quick. Auction checks it."""
    calls: list[str] = []
    height, bidder, doubled, passes = -1, 0, "", 0
    while passes < (4 if height < 0 else 3):
        theirs = (len(calls) - bidder) % 2 == 1
        options = ["Pass", "Pass", "Pass", *BIDS[height + 1 : height + 5]]
        if height >= 0 and not doubled and theirs:
            options += ["X"]
        elif doubled == "X" and not theirs:
            options += ["XX"]
        call = random.choice(options)
        if call in BIDS:
            height, bidder, doubled = BIDS.index(call), len(calls), ""
        elif call != "Pass":
            doubled = call
        passes = passes + 1 if call == "Pass" else 0
        calls.append(call)
    return Auction(random.choice(list(Seat)), tuple(map(Call, calls)))


def test_ten_thousand_auctions_end_in_the_same_contracts_and_every_possible_score_is_the_same() -> None:
    random = Random(20261121)
    auctions = [random_auction(random) for _ in range(10_000)]
    questions: list[dict[str, Any]] = [
        {"dealer": auction.dealer, "calls": [call.call for call in auction.calls]} for auction in auctions
    ]
    contracts = [auction.contract for auction in auctions]
    ours: list[Any] = [[contract.text, contract.declarer or ""] for contract in contracts if contract is not None]
    for level, denomination, doubled, vulnerability, tricks, declarer in SCORES:
        contract = Contract(level, denomination, doubled, declarer)
        places = {"declarer": declarer, "vulnerability": vulnerability, "tricks": tricks}
        questions.append({"contract": contract.text, **places})
        points = score(contract, vulnerability, tricks)
        ours.append(points if declarer is Seat.SOUTH else -points)
    assert ours == ask_endplay(questions)


def test_tables_and_pars_are_those_that_endplay_itself_computes() -> None:
    batch = [factories.layout(seed).cards for seed in range(40, 44)]
    theirs = ask_endplay({"cards": cards} for cards in batch)
    with real_solver() as solver:
        for answer, (tricks, pars) in zip(ask_tables(solver, batch, seconds=300), theirs, strict=True):
            assert answer and DoubleDummyTable(answer["double_dummy"]).tricks() == tricks
            for name, par in pars.items():
                ours = par_for(answer["par"], *name.split())
                assert [ours["score"], sorted(name_each_declarer(ours["contracts"]))] == par


def name_each_declarer(contracts: list[str]) -> list[str]:
    """Write "NS 4S" as "N 4S", "S 4S"."""
    return [
        f"{seat} {contract}" if contract else "Pass"
        for declarers, _, contract in (text.partition(" ") for text in contracts)
        for seat in (declarers if contract else "-")
    ]
