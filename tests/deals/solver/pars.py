"""What a par contract scores by the rules, to be compared with the par score."""

import re

from bridge.contract import Contract
from bridge.scores import score
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

CONTRACT = re.compile(r"(NS|EW|[NESW]) ([1-7](?:C|D|H|S|NT)X?)([+-]\d+)?")


def scores(text: str, tricks: dict[str, dict[str, int]], vulnerability: Vulnerability) -> set[int]:
    """Return the scores of a par contract, one for each player who may declare it."""
    if text == "Pass":
        return {0}
    match = CONTRACT.fullmatch(text)
    assert match
    results = set()
    for seat in match[1]:
        contract = Contract.parse(match[2], Seat(seat))
        assert contract.tricks_needed is not None
        taken = contract.tricks_needed + int(match[3] or 0)
        assert tricks[seat][str(contract.denomination)] == taken
        results.add(score(contract, vulnerability, taken))
    return results
