"""The calls of one auction, legal by construction."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deals.bridge.contract import PASSED_OUT, Contract, Denomination, Doubled
from deals.bridge.errors import BridgeError
from deals.bridge.seats import Seat

BIDS = tuple(f"{level}{denomination}" for level in range(1, 8) for denomination in Denomination)
"""In ascending order (Law 18E)."""

LONGEST_AUCTION = 319
"""Calls: three passes, then each of the 35 bids doubled and redoubled with two passes before each, then three."""

_HEIGHT = {bid: height for height, bid in enumerate(BIDS)}
_SPELLINGS = (
    {call.upper(): call for call in (*BIDS, "Pass", "X", "XX")}
    | {f"{level}N": f"{level}NT" for level in range(1, 8)}
    | {"P": "Pass", "D": "X", "DBL": "X", "R": "XX", "RDBL": "XX"}
)


def parse_call(text: str) -> str:
    """The canonical spelling of a call in any case, "1N", "P", "D" and "R" too; `malformed_call`."""
    try:
        return _SPELLINGS.get(text) or _SPELLINGS[text.strip().upper()]
    except KeyError:
        raise _malformed(text) from None


def _malformed(call: str) -> BridgeError:
    return BridgeError("malformed_call", f"{call[:20]!r} is not a call: Pass, X, XX or a bid such as 1NT.")


@dataclass(frozen=True, slots=True)
class Call:
    """`call` is "1C" … "7NT", "Pass", "X" or "XX" exactly; `malformed_call` otherwise."""

    call: str
    alert: bool = False
    explanation: str = ""

    def __post_init__(self) -> None:
        if _SPELLINGS.get(self.call.upper()) != self.call:
            raise _malformed(self.call)


@dataclass(slots=True)
class _State:
    """How an auction stands after some calls."""

    bid: str = ""
    bidder: Seat = Seat.NORTH
    doubled: Doubled = ""
    passes: int = 0
    first_to_name: dict[tuple[str, str], Seat] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Law 22: four passes without a bid, or three after one."""
        return self.passes == (3 if self.bid else 4)

    def objection(self, call: str, seat: Seat) -> str:
        """Why the call is illegal now; "" when it is not."""
        if self.over:
            return "the auction is over"
        if call in _HEIGHT:
            return "" if not self.bid or _HEIGHT[call] > _HEIGHT[self.bid] else f"not higher than {self.bid}"
        if call == "X":
            return self._against_double(seat)
        return self._against_redouble(seat) if call == "XX" else ""

    def _against_double(self, seat: Seat) -> str:
        """Law 19A."""
        if not self.bid:
            return "there is no bid to double"
        if self.doubled:
            return f"{self.bid} is already {'re' * (self.doubled == 'XX')}doubled"
        return f"{self.bid} was bid by the same side" if self.bidder.side == seat.side else ""

    def _against_redouble(self, seat: Seat) -> str:
        """Law 19B."""
        if self.doubled != "X":
            return f"{self.bid} is already redoubled" if self.doubled else "there is no double to redouble"
        return f"{self.bid} was bid by the other side" if self.bidder.side != seat.side else ""

    def make(self, call: str, seat: Seat) -> None:
        self.passes = self.passes + 1 if call == "Pass" else 0
        if call in _HEIGHT:
            self.bid, self.bidder, self.doubled = call, seat, ""
            self.first_to_name.setdefault((seat.side, call[1:]), seat)
        elif call != "Pass":
            self.doubled = "X" if call == "X" else "XX"


def is_over(calls: Sequence[str]) -> bool:
    """Law 22, for calls known to be legal: four passes, or three after a bid, are the only ways to end."""
    return len(calls) >= 4 and all(call == "Pass" for call in calls[-3:])


PLAIN_CALLS = {spelling: Call(call) for spelling, call in [*_SPELLINGS.items(), ("Pass", "Pass")]}
"""The call of a spelling without alert and explanation."""


def final_passes(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The passes that an auction still lacks to be over, none when it is; for files that leave them out."""
    needed = 3 if any(call.call != "Pass" for call in calls) else 4
    for call in reversed(calls):
        if call.call != "Pass" or not needed:
            break
        needed -= 1
    return (Call("Pass"),) * needed


@dataclass(frozen=True, slots=True)
class Auction:
    """May be empty or stop anywhere; `illegal_call` names the offending call, its number and its seat."""

    dealer: Seat
    calls: tuple[Call, ...] = ()
    _end: _State = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        state, seat = _State(), self.dealer
        for number, call in enumerate(self.calls, start=1):
            objection = state.objection(call.call, seat)
            if objection:
                message = f"Call {number}, {call.call} by {seat.spoken}: {objection}."
                raise BridgeError("illegal_call", message)
            state.make(call.call, seat)
            seat = seat.next
        object.__setattr__(self, "_end", state)

    @property
    def complete(self) -> bool:
        return self._end.over

    @property
    def contract(self) -> Contract | None:
        """None until complete. Declarer is the first of the side to have named the denomination (Law 22)."""
        state = self._end
        if not state.over:
            return None
        if not state.bid:
            return PASSED_OUT
        denomination = Denomination(state.bid[1:])
        declarer = state.first_to_name[state.bidder.side, denomination]
        return Contract(int(state.bid[0]), denomination, state.doubled, declarer)
