"""A board as the facts of the index see it. What several facts are made of is made once."""

from collections.abc import Sequence
from functools import cache, cached_property
from operator import add

from boards.analysis import summarise_play
from boards.models import Board
from boards.records import StoredCall
from bridge.auction import BIDS
from bridge.cards import SUITS
from bridge.dates import LAST, known_parts, write_day
from bridge.double_dummy import par_for
from bridge.layout import controls, losers, shape_of
from bridge.seats import SEATS

SHORT_BIDS = tuple(bid.replace("NT", "N") for bid in BIDS)
CALLS = ("P", "X", "XX", *SHORT_BIDS)

MAX_BEGINNING = 12
"""The first calls of an auction, each of which is a fact."""


class Hand:
    """What is known of the cards of a hand, "AK8.QJ72.A5.T943"."""

    def __init__(self, cards: str, hcp: int) -> None:
        self.suits = cards.split(".")
        self.spades, self.hearts, self.diamonds, self.clubs = self.lengths = tuple(map(len, self.suits))
        self.hcp = hcp
        self.controls = sum(map(controls, self.suits))
        self.losers = sum(map(losers, self.suits))
        self.aces = cards.count("A")
        self.shape = write_shape(shape_of(self.lengths))


class Side:
    """Two hands together. `fit` is the length of their longest suit."""

    def __init__(self, one: Hand, other: Hand) -> None:
        self.spades, self.hearts, self.diamonds, self.clubs = lengths = tuple(map(add, one.lengths, other.lengths))
        self.hcp = one.hcp + other.hcp
        self.fit = max(lengths)


class Subject:
    """A published board or a draft of `with_details()`, by the attributes that boards.search.facts reads."""

    def __init__(self, board: Board) -> None:
        layout, contract = board.deal.layout, board.final_contract
        self.board = board
        hands = [Hand(cards, layout.hcp(seat)) for seat, cards in zip(SEATS, layout.hands, strict=True)]
        self.north, self.east, self.south, self.west = hands
        self.ns, self.ew = Side(*hands[0::2]), Side(*hands[1::2])
        self.holders = {
            suit + rank: seat
            for seat, hand in zip("NESW", hands, strict=True)
            for suit, ranks in zip(SUITS, hand.suits, strict=True)
            for rank in ranks
        }
        self.makes: Sequence[int | None] = [int(digit, 16) for digit in board.deal.double_dummy] or [None] * 20
        self.contract = contract
        self.level = (contract.level or 0) if contract else None
        self.denomination = contract.denomination if contract else None
        self.doubled = (contract.doubled or "no") if contract and contract.level else None
        self.calls = [short_call(stored) for stored in board.auction or ()]
        self.days = read_days(board.date)

    @property
    def result(self) -> int | None:
        """Return the tricks above the contract, or below it as a negative number."""
        needed = self.contract.tricks_needed if self.contract else None
        return None if needed is None or self.board.tricks is None else self.board.tricks - needed

    @property
    def par(self) -> int | None:
        pars = self.board.deal.par
        return par_for(pars, self.board.vulnerability, self.board.dealer)["score"] if pars else None

    @cached_property
    def first_bid(self) -> int | None:
        """Return the index of the first call that is no pass, or None."""
        return next((index for index, call in enumerate(self.calls) if call != "P"), None)

    @property
    def opening(self) -> str | None:
        return None if self.first_bid is None else self.calls[self.first_bid]

    @property
    def opener(self) -> str | None:
        if self.first_bid is None:
            return None
        return SEATS[("NESW".index(self.board.dealer) + self.first_bid) % 4].value

    @property
    def number_of_calls(self) -> int | None:
        return None if self.board.auction is None else len(self.calls)

    @cached_property
    def beginning(self) -> list[str | None]:
        return [*self.calls, *[None] * MAX_BEGINNING][:MAX_BEGINNING]

    @property
    def makeable(self) -> str | None:
        """Return "yes" or "no" for a contract that makes by double dummy or not, None when that is not known."""
        contract = self.contract
        if contract is None or not contract.denomination or not contract.declarer:
            return None
        tricks = self.makes[contract.declarer.index * 5 + contract.denomination.rank]
        if tricks is None:
            return None
        return "yes" if tricks >= (contract.tricks_needed or 0) else "no"

    @cached_property
    def costs(self) -> tuple[int | None, int | None, int | None]:
        """Return the tricks that the lead, declarer's cards and the defenders' cost, each None until it is known."""
        play = summarise_play(self.board)
        return (play.lead, play.lost_by_declarer, play.lost_by_defence) if play else (None, None, None)

    @property
    def is_competitive(self) -> bool:
        """Tell whether both sides made a call that is no pass."""
        return len({index % 2 for index, call in enumerate(self.calls) if call != "P"}) == 2


def short_call(stored: StoredCall) -> str:
    """Return a call as the language spells it: 1N, P, X."""
    call = stored if isinstance(stored, str) else stored[0]
    return "P" if call == "Pass" else call.replace("NT", "N")


@cache
def write_shape(shape: Sequence[int]) -> str:
    """Write a shape as in "5332", or "10-2-1-0" where a suit has ten cards or more."""
    return ("-" if max(shape) > 9 else "").join(map(str, shape))


def read_days(date: str) -> tuple[int | None, int | None]:
    """Return the first and the last day on which a board with this date may have been played (PBN 2.1 §3.4.3)."""
    if not (parts := known_parts(date)):
        return None, None
    year, month, day = (int(part) for part in [*parts, "0", "0"][:3])
    return write_day(year, month or 1, day or 1), write_day(year, month or LAST, day or LAST)
