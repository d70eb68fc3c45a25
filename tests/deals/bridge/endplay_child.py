"""A process of its own for endplay, the oracle: questions come in as JSON, a line each; answers go out so.

{"dealer": "N", "calls": ["1C", …]} → ["1CX", "E"], the contract and its declarer, or ["Pass", ""]
{"contract": "4SX", "declarer": "S", "vulnerability": "NS", "tricks": 10} → 790, the declaring side's points
"""

import json
import sys
from typing import Any

from endplay.types import Bid, Contract, Denom, Penalty, Player, Vul

VULNERABILITIES = {"None": Vul.none, "NS": Vul.ns, "EW": Vul.ew, "All": Vul.both}
PENALTIES = {"": Penalty.passed, "X": Penalty.doubled, "XX": Penalty.redoubled}
DENOMINATIONS = {"C": Denom.clubs, "D": Denom.diamonds, "H": Denom.hearts, "S": Denom.spades, "NT": Denom.nt}


def contract_of(dealer: str, calls: list[str]) -> list[str]:
    contract = Contract.from_auction(Player.find(dealer), [Bid(call) for call in calls])
    if not contract.level:
        return ["Pass", ""]
    denomination = next(name for name, denom in DENOMINATIONS.items() if denom == contract.denom)
    doubled = next(name for name, penalty in PENALTIES.items() if penalty == contract.penalty)
    return [f"{contract.level}{denomination}{doubled}", contract.declarer.abbr]


def score_of(contract: str, declarer: str, vulnerability: str, tricks: int) -> int:
    level, rest = int(contract[0]), contract[1:]
    denomination = rest.rstrip("X")
    played = Contract(
        level=level,
        denom=DENOMINATIONS[denomination],
        declarer=Player.find(declarer),
        penalty=PENALTIES[rest.removeprefix(denomination)],
        result=tricks - level - 6,
    )
    return played.score(VULNERABILITIES[vulnerability])


def answer(question: dict[str, Any]) -> Any:
    return contract_of(**question) if "calls" in question else score_of(**question)


for line in sys.stdin:
    sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
