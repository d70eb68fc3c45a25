"""What a search knows of a board, as the facts of the index see it. What several facts are made of is made once."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from operator import add

from bridge.auction import BIDS
from bridge.board import BoardRecord
from bridge.cards import SUITS
from bridge.dates import LAST, known_parts, write_day
from bridge.layout import controls, losers, shape_of
from bridge.seats import SEATS, Seat

SHORT_BIDS = tuple(bid.replace("NT", "N") for bid in BIDS)
CALLS = ("P", "X", "XX", *SHORT_BIDS)

MAX_BEGINNING = 12
"""The first calls of an auction, each of which is a fact."""

SPLITS = tuple(f"{longer}-{total - longer}" for total in range(14) for longer in range((total + 1) // 2, total + 1))
"""How two hands may share the cards of a suit, the longer holding first."""


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
        self.controls = one.controls + other.controls
        self.losers = one.losers + other.losers
        self.aces = one.aces + other.aces


class Subject:
    """A board by the attributes that search.facts reads: its record, its number, and what its record lacks.

    `makes` are the tricks of each denomination by double dummy, five a seat from North, none where they are not known.
    `par` is North-South's score, `costs` the tricks that the lead, declarer and the defence gave away. `tags` says what
    else is true of it.
    """

    def __init__(
        self,
        record: BoardRecord,
        *,
        number: int,
        updated_at: datetime,
        tags: Iterable[str] = (),
        makes: Sequence[int] = (),
        par: int | None = None,
        costs: Sequence[int | None] = (None, None, None),
    ) -> None:
        self.record, self.number, self.updated_at, self.tags = record, number, updated_at, tuple(tags)
        hands = [Hand(cards, record.layout.hcp(seat)) for seat, cards in zip(SEATS, record.layout.hands, strict=True)]
        self.hands = hands
        self.north, self.east, self.south, self.west = hands
        self.ns, self.ew = Side(*hands[0::2]), Side(*hands[1::2])
        self.holders = {
            suit + rank: seat
            for seat, hand in zip("NESW", hands, strict=True)
            for suit, ranks in zip(SUITS, hand.suits, strict=True)
            for rank in ranks
        }
        self.makes: Sequence[int | None] = makes or [None] * 20
        self.par = par
        self.lead_cost, self.declarer_lost, self.defence_lost = costs
        self.played_from, self.played_to = read_days(record.date)
        self.read_contract(record)
        self.read_auction(record)

    def read_contract(self, record: BoardRecord) -> None:
        contract = record.contract
        self.contract = contract
        self.declarer = contract.declarer if contract else None
        self.level = self.denomination = self.doubled = self.result = None
        if contract:
            self.level, self.denomination = contract.level or 0, contract.denomination
            self.doubled = (contract.doubled or "no") if contract.level else None
            if contract.tricks_needed is not None and record.tricks is not None:
                self.result = record.tricks - contract.tricks_needed
        self.fit: int | None = None
        self.trumps: int | None = None
        self.split: str | None = None
        if contract and contract.declarer and contract.denomination:
            self.read_trumps(contract.declarer, contract.denomination.trump)

    def read_trumps(self, declarer: Seat, trump: str | None) -> None:
        """Read the longest fit of declarer's side, and how it shares the trump suit, if there is one."""
        self.fit = (self.ns if declarer.side == "NS" else self.ew).fit
        if trump:
            suit = SUITS.index(trump)
            shorter, longer = sorted(hand.lengths[suit] for hand in self.hands[declarer.index % 2 :: 2])
            self.trumps, self.split = shorter + longer, f"{longer}-{shorter}"

    def read_auction(self, record: BoardRecord) -> None:
        made = record.auction.calls if record.auction else ()
        self.calls = calls = [short_call(each.call) for each in made]
        self.number_of_calls = None if record.auction is None else len(calls)
        self.beginning = [*calls, *[None] * MAX_BEGINNING][:MAX_BEGINNING]
        no_passes = [index for index, call in enumerate(calls) if call != "P"]
        against = [index for index in no_passes if (index - no_passes[0]) % 2]
        order = record.dealer.clockwise()
        self.opening = calls[no_passes[0]] if no_passes else None
        self.opener = order[no_passes[0] % 4].value if no_passes else None
        self.overcaller = order[against[0] % 4].value if against and calls[against[0]] in SHORT_BIDS else None
        self.doubler = order[calls.index("X") % 4].value if "X" in calls else None
        self.is_competitive = bool(against)
        self.is_alerted = any(each.alert or each.explanation for each in made)

    @property
    def against_par(self) -> int | None:
        """Return the points of declarer's side beyond par, None where no such side has a score and a par."""
        contract, score = self.contract, self.record.score
        if contract is None or contract.declarer is None or score is None or self.par is None:
            return None
        return score - self.par if contract.declarer.side == "NS" else self.par - score

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


def short_call(call: str) -> str:
    """Return a call as the language spells it: 1N, P, X."""
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
