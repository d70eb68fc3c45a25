"""The real child with DDS, compared with what is known without it and with endplay's own answers."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from config.worker.shutdown import ShutdownRequest
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from deals.double_dummy import Table, par_for
from deals.models import Deal
from deals.models import SolverStatus as Status
from deals.solver.process import Solver, SolverFailed
from deals.solver.queues import Columns
from deals.solver.worker import Worker
from tests import factories
from tests.deals.solver.pars import scores
from tests.deals.solver.solvers import ask_tables, real_solver, require_endplay

ENDPLAY = Path(__file__).with_name("endplay_child.py")


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with real_solver() as solver:
        yield solver


def solve(solver: Solver, *batch: str) -> list[Columns]:
    answers = ask_tables(solver, batch, seconds=300)
    assert all(answers)
    return [answer for answer in answers if answer]


def test_a_deal_of_four_whole_suits_has_the_obvious_table_and_par(solver: Solver) -> None:
    suit = "AKQJT98765432"
    (answer,) = solve(solver, f"N:{suit}... .{suit}.. ..{suit}. ...{suit}")
    tricks = Table(answer["double_dummy"]).tricks()
    assert tricks["N"] == tricks["S"] == {"C": 0, "D": 13, "H": 0, "S": 13, "NT": 0}
    assert tricks["E"] == tricks["W"] == {"C": 13, "D": 0, "H": 13, "S": 0, "NT": 0}
    assert answer["par"]["None"] == {"score": 1510, "contracts": ["NS 7S"]}
    assert answer["par"]["All"] == {"score": 2210, "contracts": ["NS 7S"]}


def test_the_tables_of_a_batch_equal_those_of_its_deals_alone(solver: Solver) -> None:
    batch = [factories.layout(seed).cards for seed in range(4)]
    assert [solve(solver, cards)[0] for cards in batch[:2]] == solve(solver, *batch)[:2]


def test_tables_and_pars_are_those_that_endplay_itself_computes(solver: Solver) -> None:
    require_endplay()
    batch = [factories.layout(seed).cards for seed in range(40, 44)]
    questions = "".join(json.dumps({"cards": cards}) + "\n" for cards in batch)
    command = [sys.executable, str(ENDPLAY)]
    done = subprocess.run(command, input=questions, capture_output=True, check=True, text=True)
    for answer, line in zip(solve(solver, *batch), done.stdout.splitlines(), strict=True):
        tricks, pars = json.loads(line)
        assert Table(answer["double_dummy"]).tricks() == tricks
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


def test_rotating_the_cards_rotates_table_and_par(solver: Solver) -> None:
    deal = factories.layout(11)
    rotated = Layout("E" + deal.cards[1:])
    original, other = solve(solver, deal.cards, rotated.cards)
    before, after = Table(original["double_dummy"]).tricks(), Table(other["double_dummy"]).tricks()
    assert after == {"E": before["N"], "S": before["E"], "W": before["S"], "N": before["W"]}
    assert other["par"]["NS"]["score"] == -original["par"]["EW"]["score"]


def test_every_par_contract_scores_par_on_the_tricks_of_the_table(solver: Solver) -> None:
    for answer in solve(solver, *(factories.layout(seed).cards for seed in range(20, 25))):
        tricks = Table(answer["double_dummy"]).tricks()
        assert set(answer["par"]) >= set(Vulnerability)
        for vulnerability in Vulnerability:
            for dealer in Seat:
                par = par_for(answer["par"], vulnerability, dealer)
                assert par["contracts"]
                for text in par["contracts"]:
                    assert scores(text, tricks, vulnerability) == {par["score"]}


def test_the_child_refuses_what_is_not_52_cards_and_solves_the_rest(solver: Solver) -> None:
    good = factories.layout(1).cards
    twice = re.sub(r"^N:(.)", lambda match: "N:" + ("A" if match[1] != "A" else "K"), good)
    answers = ask_tables(solver, [twice, good, good.replace(" ", "2 ", 1), "nonsense"], seconds=300)
    assert [answer is not None for answer in answers] == [False, True, False, False]


def test_the_child_takes_forty_deals_and_a_batch_without_a_legal_one(solver: Solver) -> None:
    assert len(solve(solver, *[factories.layout(1).cards] * 40)) == 40
    assert ask_tables(solver, ["nonsense"], seconds=300) == [None]


def test_the_child_ignores_signals_to_its_process_group(solver: Solver) -> None:
    solver.start()
    pid = solver.pid or 0
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid, number)
    solve(solver, factories.layout(1).cards)
    assert solver.pid == pid


def test_a_child_that_is_killed_during_a_batch_is_replaced(solver: Solver) -> None:
    solver.start()
    Timer(0.2, os.kill, (solver.pid, signal.SIGKILL)).start()
    with pytest.raises(SolverFailed, match="-9"):
        ask_tables(solver, [factories.layout(seed).cards for seed in range(40)], seconds=300)
    assert solve(solver, factories.layout(1).cards)


def test_a_worker_solves_real_deals_and_ends_the_child(db: None, solver: Solver) -> None:
    for seed in range(3):
        factories.deal(seed)
    worker = Worker(solver, ShutdownRequest())
    worker.run(once=True)
    assert worker.solved == 3
    assert solver.pid is None
    for deal in Deal.objects.all():
        assert deal.double_dummy_status == Status.DONE
        assert deal.table
        assert set(deal.par or ()) >= {"None", "NS", "EW", "All"}


def test_the_child_exits_at_the_end_of_its_input(solver: Solver) -> None:
    solver.start()
    process = solver._process
    assert process
    assert process.stdin
    process.stdin.close()
    assert process.wait(timeout=30) == 0
    solver.close()


def test_the_child_enforces_the_time_limit_too(solver: Solver) -> None:
    solver.start()
    started = time.monotonic()
    questions = [factories.layout(seed).cards for seed in range(40)]
    solver._send({"task": "tables", "questions": questions, "seconds": -9.8})
    assert solver._process
    assert solver._process.wait(timeout=30) == -signal.SIGALRM
    assert time.monotonic() - started < 10
    solver.close()
