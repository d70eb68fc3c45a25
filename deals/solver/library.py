"""Call DDS 2.9, Bo Haglund's double-dummy solver, a C++ library. Only `dds` imports this.

endplay's wheel carries the library; where endplay has no wheel, open-spiel's does (decision 0024). The code avoids
these pitfalls:

- DDS crashes on a card that is dealt twice, and when it uses two threads of its own.
- It gives a wrong answer, without an error, for a missing card and when two Python threads call it.
- ctypes cannot see whether the structures below are the library's, so a deal with a known answer is solved first.
"""

import ctypes
from collections.abc import Sequence
from ctypes import Structure, byref, c_int, c_uint
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from bridge.cards import RANKS, SUITS
from bridge.contract import Contract, Denomination
from bridge.layout import Layout
from bridge.play import trick_on_table
from bridge.seats import Seat

# Suits are numbered as in a Layout, spades first, and seats as in Seat.index.
RANK_NUMBERS = {rank: 14 - index for index, rank in enumerate(RANKS)}
RANK_BITS = {rank: 1 << (14 - index) for index, rank in enumerate(RANKS)}

SUCCESS = 1
NOTRUMP = 4
ANY_TARGET, ALL_CARDS, ALWAYS_SEARCH = -1, 3, 1
"""How SolveBoard is asked: for the most tricks, of each card, even where there is only one."""

# The structures of DDS 2.9's dll.h, field by field.
Cards = (c_uint * 4) * 4
Tricks = (c_int * 4) * 5
DDSTable: TypeAlias = "ctypes.Array[ctypes.Array[c_int]]"
"""The tricks by denomination (S, H, D, C, NT) and declarer."""


class Deal(Structure):
    _fields_ = (("cards", Cards),)


class ParContract(Structure):
    """A contract. `denomination` counts NT, S, H, D, C, and `seats` N, E, S, W, NS, EW.

    Its undertricks and overtricks can be wrong, even negative, when the partners do not take the same tricks.
    """

    _fields_ = tuple((name, c_int) for name in ("undertricks", "overtricks", "level", "denomination", "seats"))


class DealerPar(Structure):
    """The first `count` contracts."""

    _fields_ = (("score", c_int), ("count", c_int), ("contracts", ParContract * 10))


class Position(Structure):
    """A position in a play. `cards` are those in the hands; `suits` and `ranks` are those of the trick."""

    _fields_ = (("trump", c_int), ("leader", c_int), ("suits", c_int * 3), ("ranks", c_int * 3), ("cards", Cards))


class Play(Structure):
    _fields_ = (("count", c_int), ("suits", c_int * 52), ("ranks", c_int * 52))


class PlayTricks(Structure):
    """Declarer's tricks before each of the cards, and after the last one."""

    _fields_ = (("count", c_int), ("tricks", c_int * 53))


class FutureTricks(Structure):
    """The cards that the player may play, one for those that are equal, whose ranks are the bits of `equals`."""

    _fields_ = (
        *(("nodes", c_int), ("count", c_int)),
        *((name, c_int * 13) for name in ("suits", "ranks", "equals", "tricks")),
    )


class Library:
    """DDS with one thread. Raise OSError when it is not installed, or is not DDS 2.9 for this machine."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or find_library()
        self._dll = ctypes.CDLL(str(self.path))
        for function in ("SetMaxThreads", "CalcDDtable", "DealerParBin", "AnalysePlayBin", "SolveBoard"):
            if not hasattr(self._dll, function):
                raise OSError(f"{self.path} has no function {function}, so it is not DDS 2.9.")
        self._dll.SetMaxThreads(1)
        self._check_known_answer()

    def compute_table(self, layout: Layout) -> DDSTable:
        deal, table = Deal(), Tricks()
        _deal(deal.cards, layout)
        _check(self._dll.CalcDDtable(deal, byref(table)))
        return table

    def compute_par(self, table: DDSTable, vulnerability: int, dealer: int) -> DealerPar:
        """Return par by DDS's number of the vulnerability: 0 none, 1 both, 2 North-South, 3 East-West."""
        par = DealerPar()
        _check(self._dll.DealerParBin(byref(table), byref(par), dealer, vulnerability))
        return par

    def trace_play(self, layout: Layout, contract: Contract, cards: Sequence[str]) -> list[int]:
        """Return declarer's tricks before each card of a legal play, and after the last one, with all cards seen.

        DDS leaves out the last trick, in which nobody has a choice.
        """
        play, solved = Play(count=len(cards)), PlayTricks()
        for index, card in enumerate(cards):
            play.suits[index], play.ranks[index] = SUITS.index(card[0]), RANK_NUMBERS[card[1]]
        _check(self._dll.AnalysePlayBin(_position(layout, contract), play, byref(solved), 0))
        tricks: list[int] = solved.tricks[: solved.count]
        return tricks + tricks[-1:] * (len(cards) + 1 - len(tricks))

    def cards_to_play(self, layout: Layout, contract: Contract, played: Sequence[str]) -> dict[str, int]:
        """Return the cards that may be played after these, each with the tricks that its player's side then gets."""
        position, choices = _position(layout, contract), FutureTricks()
        leader, row = trick_on_table(contract, played)
        position.leader = leader.index
        for index, card in enumerate(row):
            position.suits[index], position.ranks[index] = SUITS.index(card[0]), RANK_NUMBERS[card[1]]
        holders = layout.holders
        for card in played:
            position.cards[holders[card].index][SUITS.index(card[0])] &= ~RANK_BITS[card[1]]
        _check(self._dll.SolveBoard(position, ANY_TARGET, ALL_CARDS, ALWAYS_SEARCH, byref(choices), 0))
        tricks: dict[str, int] = {}
        for index in range(choices.count):
            ranks = choices.equals[index] | 1 << choices.ranks[index]
            suit = SUITS[choices.suits[index]]
            tricks |= {suit + rank: choices.tricks[index] for rank, bit in RANK_BITS.items() if ranks & bit}
        return tricks

    def _check_known_answer(self) -> None:
        """Solve a deal of four whole suits. Raise OSError when the answer is wrong."""
        suit = RANKS
        layout = Layout(f"N:{suit}... .{suit}.. ..{suit}. ...{suit}")
        table = self.compute_table(layout)
        spades_diamonds, hearts_clubs = [13, 0, 13, 0], [0, 13, 0, 13]
        expected = [spades_diamonds, hearts_clubs, spades_diamonds, hearts_clubs, [0, 0, 0, 0]]
        if [list(row) for row in table] != expected or self.compute_par(table, 1, 0).score != 2210:
            raise OSError(f"{self.path} gives a wrong answer, so it is not DDS 2.9.")
        contract = Contract(7, Denomination.SPADES, "", Seat.NORTH)
        trace = self.trace_play(layout, contract, ["HA", "DA", "CA", "SA", "SK"])
        if trace != [13] * 6 or self.cards_to_play(layout, contract, ["HA", "DA"]) != {f"C{rank}": 0 for rank in RANKS}:
            raise OSError(f"{self.path} gives a wrong answer about a play, so it is not DDS 2.9.")


def find_library() -> Path:
    """Find the library among the installed packages, without importing them. Raise OSError when there is none."""
    if (endplay := find_spec("endplay")) and endplay.origin:
        for path in Path(endplay.origin).with_name("_dds").glob("*dds.*"):  # .so, .dylib or .dll
            return path
    if (pyspiel := find_spec("pyspiel")) and pyspiel.origin:
        return Path(pyspiel.origin)
    raise OSError("Neither endplay nor open-spiel is installed.")


def _position(layout: Layout, contract: Contract) -> Position:
    """Return the position before the opening lead. The contract has a denomination and a declarer."""
    assert contract.leader is not None
    assert contract.denomination is not None
    trump = SUITS.index(contract.denomination.trump) if contract.denomination.trump else NOTRUMP
    position = Position(trump=trump, leader=contract.leader.index)
    _deal(position.cards, layout)
    return position


def _deal(cards: "ctypes.Array[ctypes.Array[c_uint]]", layout: Layout) -> None:
    for hand, suits in zip(cards, layout.hands, strict=True):
        hand[:] = [sum(map(RANK_BITS.__getitem__, ranks)) for ranks in suits.split(".")]


def _check(code: int) -> None:
    """Raise OSError for an error of DDS. The deals are legal, so nobody can correct it, and it ends the child."""
    if code != SUCCESS:
        raise OSError(f"DDS returned the error {code}.")
