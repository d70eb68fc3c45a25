"""What the auction ends in."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self, cast, get_args

from deals.bridge.errors import BridgeError
from deals.bridge.seats import Seat

Doubled = Literal["", "X", "XX"]


class Denomination(StrEnum):
    """In ascending order (Law 18E)."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "NT"

    @property
    def rank(self) -> int:
        """0 for clubs to 4 for notrump."""
        return tuple(Denomination).index(self)

    @property
    def trump(self) -> str | None:
        """The suit's letter; None for notrump."""
        return None if self is Denomination.NOTRUMP else self.value


_TEXT = re.compile(r"([1-7]) ?(C|D|H|S|NT?) ?(XX|X|R|)")
_PASSED_OUT = {"PASS", "P", "AP", "PASSED OUT"}


@dataclass(frozen=True, slots=True)
class Contract:
    """`level` and `denomination` are None when every player passed, and then nothing else is set.

    A real contract's `declarer` may be None while it is not known. `malformed_contract` for a mixture.
    """

    level: int | None
    denomination: Denomination | None
    doubled: Doubled = ""
    declarer: Seat | None = None

    def __post_init__(self) -> None:
        if self.level is None:
            sound = not (self.denomination or self.doubled or self.declarer)
        else:
            named = self.denomination is not None and self.doubled in get_args(Doubled)
            sound = 1 <= self.level <= 7 and named
        if not sound:
            raise BridgeError("malformed_contract", "A contract is a level 1–7 and a denomination, or Pass.")

    @classmethod
    def parse(cls, text: str, declarer: Seat | None) -> Self:
        """Reads "4SX", "4S X", "3N", "3NT", "Pass" in any case (PBN 2.1 §3.4.14); `malformed_contract`.

        "R" is some programs' redouble. The declarer of a passed-out board is dropped.
        """
        written = " ".join(text.upper().split())
        if written in _PASSED_OUT:
            return cls(None, None)
        match = _TEXT.fullmatch(written)
        if match is None:
            raise BridgeError("malformed_contract", f"{text[:20]!r} is not a contract like 4S, 3NTX or Pass.")
        level, denomination, doubled = match.groups()
        denomination = Denomination("NT" if denomination == "N" else denomination)
        return cls(int(level), denomination, cast(Doubled, doubled.replace("R", "XX")), declarer)

    @property
    def passed_out(self) -> bool:
        return self.level is None

    @property
    def text(self) -> str:
        """As in "4SX", "3NT" or "Pass"; the declarer is not part of it."""
        return "Pass" if self.passed_out else f"{self.level}{self.denomination}{self.doubled}"

    @property
    def leader(self) -> Seat | None:
        """Who makes the opening lead (Law 41A): declarer's left-hand opponent."""
        return None if self.declarer is None else self.declarer.next

    @property
    def tricks_needed(self) -> int | None:
        """7 to 13; None when passed out."""
        return None if self.level is None else self.level + 6

    def __str__(self) -> str:
        """For sentences: "4SX by South"."""
        return self.text if self.declarer is None else f"{self.text} by {self.declarer.spoken}"


PASSED_OUT = Contract(None, None)
