"""Double dummy and par: what each side makes when all cards are open, and their stored forms.

Needs no Django, since the solver's child process imports it. Par is stored as {"None": {"score": 420, "contracts":
["NS 4S"]}, "NS": …, "EW": …, "All": …}: an entry for each vulnerability, valid when North deals. The dealer matters
rarely (when both sides make the same contract, the side that bids first has it), so only a dealer with another par
has an entry of its own, as in {"None E": {"score": -90, …}}.

The score is North-South's. A contract is its declarer (N, E, S, W, or NS or EW when either partner may declare), then
level, denomination and X when doubled, then overtricks or undertricks: "NS 4S", "E 1NT+1", "EW 5DX-2". PBN's
ParContract tag is written so. When nobody can make anything, par is {"score": 0, "contracts": ["Pass"]}.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, TypedDict

from bridge.names import DENOMINATIONS
from bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class DoubleDummyTable:
    """Tricks by declarer and denomination. `digits` is the stored form: 20 hexadecimal digits, North's five first."""

    digits: str

    @classmethod
    def from_tricks(cls, tricks: Mapping[str, Mapping[str, int]]) -> Self:
        return cls("".join(f"{tricks[seat][denomination]:x}" for seat in Seat for denomination in DENOMINATIONS))

    def tricks(self) -> dict[str, dict[str, int]]:
        """Return {"N": {"C": 7, …}, …}."""
        rows = (self.digits[start : start + 5] for start in range(0, 20, 5))
        return {
            seat: {denomination: int(digit, 16) for denomination, digit in zip(DENOMINATIONS, row, strict=True)}
            for seat, row in zip(Seat, rows, strict=True)
        }


class Par(TypedDict):
    score: int
    contracts: list[str]


def split_par_contract(text: str) -> tuple[str, str, str]:
    """Return a par contract's bid, what follows it, and its side: ("5D", "X-2", "EW"); all "" for "Pass"."""
    side, _, contract = text.partition(" ")
    if not contract:
        return "", "", ""
    length = 3 if contract[1:3] == "NT" else 2
    return contract[:length], contract[length:], side


def dealer_key(vulnerability: str, dealer: str) -> str:
    """Return the key of the entry that is valid for this dealer only."""
    return f"{vulnerability} {dealer}"


def par_for(pars: Mapping[str, Par], vulnerability: str, dealer: str) -> Par:
    """Look up a board's par in `pars`, the stored ones of its deal."""
    return pars.get(dealer_key(vulnerability, dealer)) or pars[vulnerability]
