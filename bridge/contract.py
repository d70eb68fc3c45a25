"""The contract, in which an auction ends, and the denominations."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal, cast, get_args

from bridge.errors import BridgeError
from bridge.seats import Seat

Doubled = Literal["", "X", "XX"]


class Denomination(StrEnum):
    """The five denominations in ascending order (Law 18E)."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "NT"

    @property
    def rank(self) -> int:
        """Return 0 for clubs up to 4 for notrump."""
        return tuple(Denomination).index(self)

    @property
    def trump(self) -> str | None:
        """Return the trump suit's letter; None for notrump."""
        return None if self is Denomination.NOTRUMP else self.value


_DOUBLED = get_args(Doubled)
_TEXT = re.compile(r"([1-7]) ?(C|D|H|S|NT?) ?(XX|X|R|\*\*?|)")
_PASSED_OUT = {"PASS", "P", "AP", "PASSED OUT"}


@dataclass(frozen=True, slots=True)
class Contract:
    """A level and a denomination, or neither when every player passed; then nothing else is set.

    The `declarer` of a real contract may be None while it is not known. A mixture raises `malformed_contract`.
    """

    level: int | None
    denomination: Denomination | None
    doubled: Doubled = ""
    declarer: Seat | None = None

    def __post_init__(self) -> None:
        if self.level is None:
            valid = not (self.denomination or self.doubled or self.declarer)
        else:
            is_named = self.denomination is not None and self.doubled in _DOUBLED
            valid = 1 <= self.level <= 7 and is_named
        if not valid:
            raise BridgeError("malformed_contract", "A contract is a level from 1 to 7 with a denomination, or Pass.")

    @staticmethod
    def parse(text: str, declarer: Seat | None) -> "Contract":
        """Read "4SX", "4S X", "3N", "3NT" or "Pass" in any case (PBN 2.1 §3.4.14); else `malformed_contract`.

        Some programs write "R" for a redouble, others "*" for a double and "**" for a redouble. The declarer of a
        passed-out board is dropped.
        """
        normalized = " ".join(text.upper().split())
        if normalized in _PASSED_OUT:
            return PASSED_OUT
        match = _TEXT.fullmatch(normalized)
        if match is None:
            message = f"{text[:20]!r} is not a contract. Write one like 4S, 3NTX or Pass."
            raise BridgeError("malformed_contract", message)
        denomination = "NT" if match[2] == "N" else match[2]
        doubled = cast(Doubled, match[3].replace("R", "XX").replace("*", "X"))
        return real_contract(int(match[1]), denomination, doubled, declarer)

    @property
    def passed_out(self) -> bool:
        return self.level is None

    @property
    def text(self) -> str:
        """Write the contract without its declarer, as in "4SX", "3NT" or "Pass"."""
        return "Pass" if self.passed_out else f"{self.level}{self.denomination}{self.doubled}"

    @property
    def leader(self) -> Seat | None:
        """Return who makes the opening lead (Law 41A): declarer's left-hand opponent."""
        return None if self.declarer is None else self.declarer.next

    @property
    def tricks_needed(self) -> int | None:
        """Return 7 to 13; None when passed out."""
        return None if self.level is None else self.level + 6

    def __str__(self) -> str:
        """Write the contract for a sentence, as in "4SX by South"."""
        return self.text if self.declarer is None else f"{self.text} by {self.declarer.full_name}"


PASSED_OUT = Contract(None, None)


@cache
def real_contract(level: int, denomination: str, doubled: Doubled, declarer: Seat | None) -> Contract:
    """Return the contract of a board that is played. There are only 525, declared or not."""
    return Contract(level, Denomination(denomination), doubled, declarer)
