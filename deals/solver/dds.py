"""Tables and par by Bo Haglund's DDS, as endplay 0.5 packs it. For the child process alone.

What looks careful here is: DDS crashes on a card dealt twice and on two threads, and is wrong without an
error on a card missing or with two Python threads; a batch is at most 40 deals and never none; the contracts
of a ParList change under the reader's hands; North, spades and "nobody vulnerable" are falsy.
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
from deals.double_dummy import Table
from deals.par import Par, own_entry

SetMaxThreads(1)

PLAYERS: dict[str, Player] = dict(
    zip(Seat, (Player.north, Player.east, Player.south, Player.west), strict=True)
)
DENOMS: dict[str, Denom] = dict(zip(DENOMINATIONS, Denom.bidorder(), strict=True))
VULNERABILITIES = {"None": Vul.none, "NS": Vul.ns, "EW": Vul.ew, "All": Vul.both}
_SEAT_OF = {player: seat for seat, player in PLAYERS.items()}
_DENOMINATION_OF = {denom: denomination for denomination, denom in DENOMS.items()}


def solve(batch: Sequence[str]) -> Iterator[dict[str, object]]:
    """{"table": 20 digits, "par": …} for each deal, in order; {"refused": why} for what is not 52 cards."""
    refusals = [_refusal(cards) for cards in batch]
    legal = [Deal(cards) for cards, refusal in zip(batch, refusals, strict=True) if not refusal]
    tables = iter(calc_all_tables(legal) if legal else ())
    for refusal in refusals:
        yield {"refused": refusal} if refusal else _answer(next(tables))


def _refusal(cards: str) -> str:
    try:
        Layout(cards)
    except BridgeError as error:
        return error.message
    return ""


def _answer(table: DDTable) -> dict[str, object]:
    tricks = {
        seat: {denomination: table[denom, player] for denomination, denom in DENOMS.items()}
        for seat, player in PLAYERS.items()
    }
    return {"table": Table.of(tricks).digits, "par": _pars(table)}


def _pars(table: DDTable) -> dict[str, Par]:
    """As `deals.par` says it."""
    pars: dict[str, Par] = {}
    for vulnerability, vul in VULNERABILITIES.items():
        entries = {seat: _par(table, vul, player) for seat, player in PLAYERS.items()}
        usual = pars[vulnerability] = entries["N"]
        pars |= {own_entry(vulnerability, seat): entry for seat, entry in entries.items() if entry != usual}
    return pars


def _par(table: DDTable, vul: Vul, dealer: Player) -> Par:
    found = par(table, vul, dealer)
    declarers: dict[str, str] = {}
    for contract in found:
        text = _text(contract)
        declarers[text] = declarers.get(text, "") + _SEAT_OF[contract.declarer]
    contracts = [text if text == "Pass" else f"{seats} {text}" for text, seats in declarers.items()]
    return {"score": found.score, "contracts": contracts}


def _text(contract: Contract) -> str:
    """ "4S", "1NT+1", "5DX-2", "Pass"."""
    if contract.level == 0:
        return "Pass"
    doubled = "X" if contract.result < 0 else ""
    result = f"{contract.result:+d}" if contract.result != 0 else ""
    return f"{contract.level}{_DENOMINATION_OF[contract.denom]}{doubled}{result}"
