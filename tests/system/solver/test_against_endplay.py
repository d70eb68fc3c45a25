"""Contracts, declarers and scores are compared with endplay's, which only the tests use as an oracle."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from deals.bridge.auction import BIDS, Auction, Call
from deals.bridge.contract import Contract, Denomination, Doubled
from deals.bridge.scoring import score
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.deals.solver.solvers import require_endplay

CHILD = Path(__file__).with_name("endplay_child.py")


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


SCORES = list(product(range(1, 8), Denomination, get_args(Doubled), Vulnerability, range(14), (Seat.SOUTH, Seat.WEST)))


@pytest.fixture(scope="module")
def auctions() -> list[Auction]:
    random = Random(20261121)
    return [random_auction(random) for _ in range(10_000)]


@pytest.fixture(scope="module")
def answers(auctions: list[Auction]) -> list[Any]:
    """Ask endplay about all auctions and then about all scores, in one process: it takes seconds to start."""
    require_endplay()
    questions: list[dict[str, Any]] = [
        {"dealer": auction.dealer, "calls": [call.call for call in auction.calls]} for auction in auctions
    ]
    questions += [
        {
            "contract": Contract(level, denomination, doubled, declarer).text,
            "declarer": declarer,
            "vulnerability": vulnerability,
            "tricks": tricks,
        }
        for level, denomination, doubled, vulnerability, tricks, declarer in SCORES
    ]
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([sys.executable, str(CHILD)], input=lines, capture_output=True, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_ten_thousand_auctions_end_in_the_same_contracts_as_in_endplay(
    auctions: list[Auction], answers: list[Any]
) -> None:
    contracts = [auction.contract for auction in auctions]
    ours = [[contract.text, contract.declarer or ""] for contract in contracts if contract is not None]
    assert ours == answers[: len(auctions)]


def test_every_possible_score_is_the_same_as_endplays(auctions: list[Auction], answers: list[Any]) -> None:
    ours = []
    for level, denomination, doubled, vulnerability, tricks, declarer in SCORES:
        points = score(Contract(level, denomination, doubled, declarer), vulnerability, tricks)
        ours.append(points if declarer is Seat.SOUTH else -points)
    assert ours == answers[len(auctions) :]
