"""A process of its own for endplay, the oracle: questions come in as JSON, a line each; answers go out so.

{"dealer": "N", "calls": ["1C", …]} → ["1CX", "E"], the contract and its declarer, or ["Pass", ""]
{"contract": "4SX", "declarer": "S", "vulnerability": "NS", "tricks": 10} → 790, the declaring side's points
{"cards": "N:… … … …"} → [{"N": {"C": 7, …}, …}, {"None N": [-300, ["N 5DX-2", "S 5DX-2"]], …}], the table and pars
"""

import json
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any

# What endplay's __init__ imports needs packages that are not installed (decision 0024). These modules do not.
_spec = find_spec("endplay")
assert _spec is not None and _spec.submodule_search_locations is not None
sys.modules["endplay"] = ModuleType("endplay")
sys.modules["endplay"].__path__ = list(_spec.submodule_search_locations)

from endplay._dds import SetMaxThreads  # noqa: E402  (the imports need the lines above)
from endplay.dds import calc_dd_table, par  # noqa: E402
from endplay.types import Bid, Contract, Deal, Denom, Penalty, Player, Vul  # noqa: E402

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


def analysis_of(cards: str) -> tuple[dict[str, dict[str, int]], dict[str, Any]]:
    SetMaxThreads(1)
    table = calc_dd_table(Deal(cards))
    tricks = {player.abbr: {name: table[denom, player] for name, denom in DENOMINATIONS.items()} for player in Player}
    pars = {}
    for vulnerability, vul in VULNERABILITIES.items():
        for dealer in Player:
            best = par(table, vul, dealer)
            pars[f"{vulnerability} {dealer.abbr}"] = [best.score, sorted(map(write_contract, best))]
    return tricks, pars


def write_contract(contract: Contract) -> str:
    if contract.is_passout():
        return "Pass"
    denomination = next(name for name, denom in DENOMINATIONS.items() if denom == contract.denom)
    result = f"X{contract.result}" if contract.result < 0 else f"+{contract.result}" if contract.result else ""
    return f"{contract.declarer.abbr} {contract.level}{denomination}{result}"


def answer(question: dict[str, Any]) -> Any:
    if "cards" in question:
        return analysis_of(**question)
    return contract_of(**question) if "calls" in question else score_of(**question)


for line in sys.stdin:
    sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
