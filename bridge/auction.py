"""Calls and auctions: an Auction that exists is legal."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, takewhile
from typing import Self, TypeVar

from bridge.contract import PASSED_OUT, Contract, Denomination, Doubled, real_contract
from bridge.errors import BridgeError
from bridge.seats import Seat

BIDS = tuple(f"{level}{denomination}" for level in range(1, 8) for denomination in Denomination)
"""The 35 bids in ascending order (Law 18E)."""

Cell = TypeVar("Cell")

MAX_CALLS = 319
"""No auction is longer: three passes, each of 35 bids doubled and redoubled with two passes before each, three more."""

_HEIGHT = {bid: height for height, bid in enumerate(BIDS)}
_SPELLINGS = (
    {call.upper(): call for call in (*BIDS, "Pass", "X", "XX")}
    | {f"{level}N": f"{level}NT" for level in range(1, 8)}
    | {"P": "Pass", "NB": "Pass", "NO BID": "Pass", "NOBID": "Pass", "D": "X", "DBL": "X", "R": "XX", "RDBL": "XX"}
)


def parse_call(text: str) -> str:
    """Return the canonical spelling of a call in any case, "1N", "P", "NB", "D" and "R" too; else `malformed_call`."""
    try:
        return _SPELLINGS[text.strip().upper()]
    except KeyError:
        raise _malformed_call(text) from None


def _malformed_call(text: str) -> BridgeError:
    message = f"{text[:20]!r} is not a call. Write Pass, X, XX or a bid such as 1NT."
    return BridgeError("malformed_call", message)


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `call` is exactly "1C" … "7NT", "Pass", "X" or "XX"; anything else raises `malformed_call`."""

    call: str
    alert: bool = False
    explanation: str = ""

    def __post_init__(self) -> None:
        if _SPELLINGS.get(self.call.upper()) != self.call:
            raise _malformed_call(self.call)


@cache
def plain_call(text: str) -> Call:
    """Return the call without alert and explanation. Most calls are like that, and there are only 38 of them."""
    return Call(text)


@dataclass(slots=True)
class _State:
    """The state of an auction after some calls. `first_to_name` has a side and a denomination as its keys."""

    bid: str = ""
    bidder: Seat = Seat.NORTH
    doubled: Doubled = ""
    passes: int = 0
    first_to_name: dict[tuple[str, str], Seat] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Tell whether the auction has ended (Law 22): by four passes without a bid, or three after one."""
        return self.passes == (3 if self.bid else 4)

    @property
    def contract(self) -> Contract | None:
        """Return the final contract. Declarer is the first of the side to have named the denomination (Law 22)."""
        if not self.is_over:
            return None
        if not self.bid:
            return PASSED_OUT
        denomination = self.bid[1:]
        declarer = self.first_to_name[self.bidder.side, denomination]
        return real_contract(int(self.bid[0]), denomination, self.doubled, declarer)

    def objection(self, call: str, seat: Seat) -> str:
        """Return why the call is illegal now; "" when it is legal."""
        if self.is_over:
            return "the auction is over (Law 22)"
        if call == "Pass":
            return ""
        if call in _HEIGHT:
            is_sufficient = not self.bid or _HEIGHT[call] > _HEIGHT[self.bid]
            return "" if is_sufficient else f"an insufficient bid, not higher than {self.bid} (Law 27)"
        if call == "X":
            return self._objection_to_double(seat)
        return self._objection_to_redouble(seat)

    def _objection_to_double(self, seat: Seat) -> str:
        """Return why a double breaks Law 19A; "" when it is legal."""
        if not self.bid:
            return "there is no bid to double (Law 19A)"
        if self.doubled:
            return f"{self.bid} is already {'re' * (self.doubled == 'XX')}doubled (Law 19A)"
        return f"{self.bid} was bid by the same side (Law 19A)" if self.bidder.side == seat.side else ""

    def _objection_to_redouble(self, seat: Seat) -> str:
        """Return why a redouble breaks Law 19B; "" when it is legal."""
        if self.doubled != "X":
            already = f"{self.bid} is already redoubled" if self.doubled else "there is no double to redouble"
            return f"{already} (Law 19B)"
        return f"{self.bid} was bid by the other side (Law 19B)" if self.bidder.side != seat.side else ""

    def add(self, call: str, seat: Seat) -> None:
        if call == "Pass":
            self.passes += 1
            return
        self.passes = 0
        if call in _HEIGHT:
            self.bid, self.bidder, self.doubled = call, seat, ""
            self.first_to_name.setdefault((seat.side, call[1:]), seat)
        else:
            self.doubled = "X" if call == "X" else "XX"


def legal_calls(dealer: Seat, calls: Sequence[str]) -> list[str]:
    """Return what may be called after calls known to be legal (Laws 18 and 19): Pass, X, XX and the bids, ascending.

    There is nothing when the auction is over.
    """
    state, order = _State(), dealer.clockwise()
    for index, call in enumerate(calls):
        state.add(call, order[index % 4])
    seat = order[len(calls) % 4]
    return [call for call in ("Pass", "X", "XX", *BIDS) if not state.objection(call, seat)]


def is_over(calls: Sequence[str]) -> bool:
    """Tell whether calls known to be legal end an auction (Law 22): four passes, or three after a bid."""
    return len(calls) >= 4 and all(call == "Pass" for call in calls[-3:])


def _count_missing_passes(calls: Sequence[Call]) -> int:
    """Return how many passes would end the auction (Law 22), less than 0 where there are more than that."""
    passes = sum(1 for _ in takewhile(lambda call: call.call == "Pass", reversed(calls)))
    return (3 if passes < len(calls) else 4) - passes


def final_passes(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the passes that would end the auction, none when it is over; for files that leave them out."""
    return (plain_call("Pass"),) * _count_missing_passes(calls)


def without_passes_after_end(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Return the calls without passes after the end of the auction, which some files have."""
    return tuple(calls[: len(calls) + min(_count_missing_passes(calls), 0)])


@dataclass(frozen=True, slots=True)
class Auction:
    """Legal calls from the dealer on. It may be empty or stop anywhere.

    An illegal call raises `illegal_call`, which names the call, its number and its seat.
    """

    dealer: Seat
    calls: tuple[Call, ...] = ()
    _contract: Contract | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_contract", self._replay().contract)

    @classmethod
    def from_legal(cls, dealer: Seat, calls: tuple[Call, ...]) -> Self:
        """Take calls that are legal, such as our own database holds, without checking them."""
        auction = object.__new__(cls)
        for name, value in (("dealer", dealer), ("calls", calls), ("_contract", None)):
            object.__setattr__(auction, name, value)
        return auction

    def _replay(self) -> _State:
        """Return the state of the auction after its calls. Raise `illegal_call` for the first illegal call."""
        state = _State()
        callers = cycle(self.dealer.clockwise())
        for number, (call, seat) in enumerate(zip(self.calls, callers, strict=False), start=1):
            objection = state.objection(call.call, seat)
            if objection:
                message = f"Call {number}, {call.call} by {seat.full_name}: {objection}."
                raise BridgeError("illegal_call", message)
            state.add(call.call, seat)
        return state

    @property
    def complete(self) -> bool:
        return is_over([call.call for call in self.calls[-4:]])

    @property
    def contract(self) -> Contract | None:
        """Return the final contract, None until the auction is complete."""
        return self._contract or (self._replay().contract if self.complete else None)

    def can_end_in(self, contract: Contract) -> bool:
        """Tell whether the auction ends in the contract or, where its end is missing, still can (Laws 18, 19 and 22).

        The bid is the last one or a higher one. Declarer is who was the first of the side to name the denomination,
        or anybody of a side that has not named it; anybody fits a contract without a declarer.
        """
        state = self._replay()
        if state.is_over or contract.passed_out:
            return contract == state.contract if state.is_over else not state.bid
        bid, declarer = f"{contract.level}{contract.denomination}", contract.declarer
        if bid == state.bid:
            is_reachable = len(contract.doubled) >= len(state.doubled)
            return is_reachable and declarer in (None, state.first_to_name[state.bidder.side, bid[1:]])
        is_higher = not state.bid or _HEIGHT[bid] > _HEIGHT[state.bid]
        return is_higher and (not declarer or state.first_to_name.get((declarer.side, bid[1:]), declarer) is declarer)


AUCTION_COLUMNS = Seat.WEST.clockwise()
"""The columns in which an auction is printed, whoever deals."""


def in_rows(dealer: Seat, calls: Sequence[Cell]) -> list[list[Cell | None]]:
    """Return what stands for the calls in rows below AUCTION_COLUMNS; no rows for nothing.

    None fills the first row before the dealer's call and the last row after the last call.
    """
    before = AUCTION_COLUMNS.index(dealer)
    cells: list[Cell | None] = [*[None] * before, *calls] if calls else []
    cells += [None] * (-len(cells) % 4)
    return [cells[start : start + 4] for start in range(0, len(cells), 4)]
