"""Answer the questions of the worker in stored forms. Only the child process imports this."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from bridge.contract import Contract
from bridge.double_dummy import DoubleDummyTable, Par, dealer_key
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.names import DENOMINATIONS
from bridge.play import cards_to_play, check_play
from bridge.play_analysis import Trace, write_costs
from bridge.seats import Seat, parse_seat
from deals.solver.library import DDSTable, Library, ParContract

# How DDS numbers denominations, seats and vulnerabilities.
TABLE_DENOMINATIONS = ("S", "H", "D", "C", "NT")
PAR_DENOMINATIONS = ("NT", "S", "H", "D", "C")
PAR_SEATS = ("N", "E", "S", "W", "NS", "EW")
VULNERABILITIES = {"None": 0, "NS": 2, "EW": 3, "All": 1}

_LIBRARY = Library()

ChildAnswer = dict[str, object]


class PlayQuestion(TypedDict):
    """A play so far: the deal in canonical notation, the contract such as 4SX, its declarer, and the cards."""

    cards: str
    contract: str
    declarer: str
    play: list[str]


def solve(cards: str) -> ChildAnswer:
    """Return {"table": 20 digits, "par": …} of a deal."""
    return _build_answer(_LIBRARY.compute_table(Layout(cards)))


def trace_play(question: PlayQuestion) -> ChildAnswer:
    """Return {"trace": …}, in the stored form of `bridge.play_analysis`."""
    return {"trace": Trace.from_tricks(_LIBRARY.trace_play(*_read_play(question))).digits}


def find_costs(question: PlayQuestion) -> ChildAnswer:
    """Return {"costs": …}: those of all cards that could be played at each moment, also at the end of the play."""
    layout, contract, play = _read_play(question)
    moments = range(min(len(play) + 1, 52))
    return {"costs": write_costs(_costs_after(layout, contract, play[:moment]) for moment in moments)}


def _read_play(question: PlayQuestion) -> tuple[Layout, Contract, list[str]]:
    """Return the parts of a question. Raise BridgeError for a play that breaks the laws: DDS would answer nonsense."""
    layout = Layout(question["cards"])
    contract = Contract.parse(question["contract"], parse_seat(question["declarer"]))
    check_play(layout, contract, tuple(question["play"]))
    return layout, contract, question["play"]


def _costs_after(layout: Layout, contract: Contract, played: Sequence[str]) -> list[int]:
    """Return what each card costs that may be played next. Where there is one, nothing is to be computed."""
    _, choices = cards_to_play(layout, contract, played)
    if len(choices) == 1:
        return [0]
    tricks = _LIBRARY.cards_to_play(layout, contract, played)
    most = max(tricks.values())
    return [most - tricks[card] for card in choices]


def _build_answer(table: DDSTable) -> ChildAnswer:
    rows = dict(zip(TABLE_DENOMINATIONS, table, strict=True))
    tricks: dict[str, dict[str, int]] = {
        seat: {denomination: int(rows[denomination][seat.index]) for denomination in DENOMINATIONS} for seat in Seat
    }
    return {"table": DoubleDummyTable.from_tricks(tricks).digits, "par": _compute_pars(table)}


def _compute_pars(table: DDSTable) -> dict[str, Par]:
    """Compute par for every vulnerability and dealer, in the stored form of `bridge.double_dummy`."""
    pars: dict[str, Par] = {}
    for vulnerability, number in VULNERABILITIES.items():
        by_dealer = {seat: _compute_par(table, number, seat.index) for seat in Seat}
        usual = pars[vulnerability] = by_dealer[Seat.NORTH]
        pars |= {dealer_key(vulnerability, seat): other for seat, other in by_dealer.items() if other != usual}
    return pars


def _compute_par(table: DDSTable, vulnerability: int, dealer: int) -> Par:
    par = _LIBRARY.compute_par(table, vulnerability, dealer)
    declarers: dict[str, str] = {}
    for contract in par.contracts[: par.count]:
        seats = PAR_SEATS[contract.seats]
        text = _write_contract(contract, table, Seat(seats[0]))
        declarers[text] = declarers.get(text, "") + seats
    contracts = [text if text == "Pass" else f"{seats} {text}" for text, seats in declarers.items()]
    return {"score": par.score, "contracts": contracts}


def _write_contract(contract: ParContract, table: DDSTable, declarer: Seat) -> str:
    """Write the contract without its declarer: "4S", "1NT+1", "5DX-2", "Pass". The table tells its result."""
    if contract.level == 0:
        return "Pass"
    denomination = PAR_DENOMINATIONS[contract.denomination]
    result = table[TABLE_DENOMINATIONS.index(denomination)][declarer.index] - 6 - contract.level
    doubled = "X" if result < 0 else ""
    return f"{contract.level}{denomination}{doubled}{f'{result:+d}' if result else ''}"


TASKS: Mapping[str, Callable[[Any], ChildAnswer]] = {"tables": solve, "plays": trace_play, "costs": find_costs}
"""What the child can be asked, by the names of Queue.task."""


def answer(task: str, question: Any) -> ChildAnswer:
    """Answer a question: {"refused": reason} for a deal without 52 cards, and for a play that breaks the laws."""
    try:
        return TASKS[task](question)
    except BridgeError as error:
        return {"refused": error.message}
