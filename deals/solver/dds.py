"""Compute tables and par with Bo Haglund's DDS, as endplay 0.5 packages it. Only the child process imports this.

The code avoids these pitfalls:

- DDS crashes on a card that is dealt twice, and when it uses two threads of its own.
- It gives a wrong answer, without an error, for a missing card and when two Python threads call it.
- A batch must have 1 to 40 deals.
- The contracts of a ParList change while they are read.
- North, spades and "nobody vulnerable" are falsy in endplay.
"""

from collections.abc import Iterator, Sequence

from endplay._dds import SetMaxThreads
from endplay.dds import calc_all_tables, par
from endplay.dds.ddtable import DDTable
from endplay.types import Contract, Deal, Denom, Player, Vul

from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout
from deals.bridge.names import DENOMINATIONS
from deals.bridge.seats import Seat
from deals.double_dummy import Par, Table, dealer_key

SetMaxThreads(1)

PLAYERS: dict[str, Player] = dict(
    zip(Seat, (Player.north, Player.east, Player.south, Player.west), strict=True)
)
DENOMS: dict[str, Denom] = dict(zip(DENOMINATIONS, Denom.bidorder(), strict=True))
VULNERABILITIES = {"None": Vul.none, "NS": Vul.ns, "EW": Vul.ew, "All": Vul.both}
_SEAT_OF = {player: seat for seat, player in PLAYERS.items()}
_DENOMINATION_OF = {denom: denomination for denomination, denom in DENOMS.items()}


def solve(batch: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield {"table": 20 digits, "par": …} for each deal, in order; {"refused": reason} for one without 52 cards."""
    refusals = [_check(cards) for cards in batch]
    legal = [Deal(cards) for cards, refusal in zip(batch, refusals, strict=True) if not refusal]
    tables = iter(calc_all_tables(legal) if legal else ())
    for refusal in refusals:
        yield {"refused": refusal} if refusal else _build_answer(next(tables))


def _check(cards: str) -> str:
    """Return why these are not 52 cards, 13 to a hand; "" when they are."""
    try:
        Layout(cards)
    except BridgeError as error:
        return error.message
    return ""


def _build_answer(table: DDTable) -> dict[str, object]:
    tricks = {
        seat: {denomination: table[denom, player] for denomination, denom in DENOMS.items()}
        for seat, player in PLAYERS.items()
    }
    return {"table": Table.from_tricks(tricks).digits, "par": _compute_pars(table)}


def _compute_pars(table: DDTable) -> dict[str, Par]:
    """Compute par for every vulnerability and dealer, in the stored form of `deals.double_dummy`."""
    pars: dict[str, Par] = {}
    for vulnerability, vul in VULNERABILITIES.items():
        by_dealer = {seat: _compute_par(table, vul, player) for seat, player in PLAYERS.items()}
        usual = pars[vulnerability] = by_dealer["N"]
        pars |= {
            dealer_key(vulnerability, seat): other for seat, other in by_dealer.items() if other != usual
        }
    return pars


def _compute_par(table: DDTable, vul: Vul, dealer: Player) -> Par:
    par_list = par(table, vul, dealer)
    declarers: dict[str, str] = {}
    for contract in par_list:
        text = _write_contract(contract)
        declarers[text] = declarers.get(text, "") + _SEAT_OF[contract.declarer]
    contracts = [text if text == "Pass" else f"{seats} {text}" for text, seats in declarers.items()]
    return {"score": par_list.score, "contracts": contracts}


def _write_contract(contract: Contract) -> str:
    """Write the contract without its declarer: "4S", "1NT+1", "5DX-2", "Pass"."""
    if contract.level == 0:
        return "Pass"
    doubled = "X" if contract.result < 0 else ""
    result = f"{contract.result:+d}" if contract.result != 0 else ""
    return f"{contract.level}{_DENOMINATION_OF[contract.denom]}{doubled}{result}"
