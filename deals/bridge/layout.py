"""Who holds which card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from deals.bridge.cards import RANKS, SUITS, check_card
from deals.bridge.errors import BridgeError
from deals.bridge.seats import Seat, parse_seat

_SEATS = tuple(Seat)
_LONGEST = 400
"""Characters of a Deal value that can still be one: 52 cards with every ten as "10" and ample spaces."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Always 52 distinct cards, 13 a hand.

    `cards` is canonical: "N:" and the hands N E S W, ranks descending, 69 characters. Constructing takes
    any PBN Deal value (PBN 2.1 §3.4.11: any first hand, ranks in any order; also lower case, "10" and
    spare spaces) and raises BridgeError: `malformed_deal`, `unknown_hand` for a hand given as "-",
    `duplicate_card` or `wrong_card_count`.
    """

    cards: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", _canonical(_hands(self.cards)))

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(text)

    @classmethod
    def trusted(cls, cards: str) -> Self:
        """For canonical text from our own database: no checks."""
        deal = object.__new__(cls)
        object.__setattr__(deal, "cards", cards)
        return deal

    @classmethod
    def from_hands(cls, hands: Mapping[Seat, Mapping[str, str]]) -> Self:
        """Seat → suit letter → ranks; an absent suit is a void, an absent hand `unknown_hand`."""
        written = {seat: [_ranks(suits.get(suit, "")) for suit in SUITS] for seat, suits in hands.items()}
        return cls.trusted(_canonical(written))

    @classmethod
    def from_key(cls, key: str) -> Self:
        """The inverse of `key`; `malformed_deal_key` or `wrong_card_count`."""
        if len(key) != 26 or not set(key) <= set("0123456789abcdef"):
            raise BridgeError("malformed_deal_key", "A deal key is 26 lower-case hexadecimal digits.")
        bits = int(key, 16)
        hands = {seat: [""] * 4 for seat in Seat}
        for place, shift in enumerate(range(102, -1, -2)):
            hands[_SEATS[bits >> shift & 3]][place // 13] += RANKS[place % 13]
        return cls.trusted(_canonical(hands))

    @property
    def key(self) -> str:
        """26 lower-case hex digits: two bits a card (the holder's index) in the order of `DECK`."""
        bits = 0
        for hand in zip(*(hand.split(".") for hand in self.hands), strict=True):
            bits = bits << 26 | sum(index * _holding(ranks)[1] for index, ranks in enumerate(hand))
        return f"{bits:026x}"

    @property
    def hands(self) -> list[str]:
        """From North clockwise, each "AKx.x.x.x": spades, hearts, diamonds, clubs."""
        return self.cards[2:].split(" ")

    def hand(self, seat: Seat) -> str:
        return self.hands[seat.index]

    def suits(self, seat: Seat) -> dict[str, str]:
        return dict(zip(SUITS, self.hand(seat).split("."), strict=True))

    def held(self, seat: Seat) -> frozenset[str]:
        """The seat's 13 cards."""
        return _held(self.hand(seat))

    def holder(self, card: str) -> Seat:
        """`malformed_card` for what is not a card, spelt as in `DECK`."""
        check_card(card)
        return next(seat for seat in _SEATS if card in self.held(seat))

    def hcp(self, seat: Seat) -> int:
        return high_card_points(self.hand(seat))

    def pbn(self, first: Seat) -> str:
        """The PBN Deal value that begins with this hand."""
        return f"{first}:" + " ".join(self.hand(seat) for seat in first.clockwise())


def high_card_points(hand: str) -> int:
    """Ace 4, king 3, queen 2, jack 1."""
    return 4 * hand.count("A") + 3 * hand.count("K") + 2 * hand.count("Q") + hand.count("J")


def _hands(text: str) -> dict[Seat, list[str]]:
    """The four holdings of every hand that is given, still unchecked."""
    first, colon, rest = text.strip().partition(":")
    hands = _ranks(rest).split()
    if not colon or len(hands) != 4 or len(text) > _LONGEST:
        raise BridgeError("malformed_deal", "A deal is a first seat and four hands: N:AK5.QJ2.T98.7643 … … …")
    return {
        seat: hand.split(".")
        for seat, hand in zip(_first_seat(first).clockwise(), hands, strict=True)
        if hand != "-"
    }


def _ranks(text: str) -> str:
    return text.upper().replace("10", "T")


def _first_seat(text: str) -> Seat:
    """The seat before the colon of a Deal value; `malformed_deal` otherwise."""
    try:
        return parse_seat(text)
    except BridgeError:
        raise BridgeError("malformed_deal", f"A deal begins with N, E, S or W, not {text[:20]!r}.") from None


def _canonical(hands: Mapping[Seat, Sequence[str]]) -> str:
    """Every check of a deal is here."""
    try:
        table = [[_holding(ranks) for ranks in hands[seat]] for seat in _SEATS]
        suits = [sum(bits for _, bits in suit) for suit in zip(*table, strict=True)]
    except (KeyError, ValueError):
        suits = []
    written = suits == _ALL_SUITS and [".".join(ranks for ranks, _ in hand) for hand in table]
    if not written or any(len(hand) != 16 for hand in written):
        raise _fault(hands)
    return f"N:{' '.join(written)}"


_ALL_SUITS = [(4**13 - 1) // 3] * 4
"""Of each suit every rank once: no other counts from 0 to 4 of its ranks add up to this in `_holding`'s bits."""


@lru_cache(maxsize=16)  # A board's hands are asked for several times in a row.
def _held(hand: str) -> frozenset[str]:
    return frozenset(
        suit + rank for suit, ranks in zip(SUITS, hand.split("."), strict=True) for rank in ranks
    )


@lru_cache(maxsize=2**13)
def _holding(ranks: str) -> tuple[str, int]:
    """Descending, and one of two bits for each rank, the ace's highest; KeyError or ValueError for no holding."""
    places = sorted(_PLACES[rank] for rank in ranks)
    if len(set(places)) < len(places):
        raise ValueError
    return "".join(RANKS[place] for place in places), sum(1 << 2 * (12 - place) for place in places)


_PLACES = {rank: place for place, rank in enumerate(RANKS)}


def _fault(hands: Mapping[Seat, Sequence[str]]) -> BridgeError:
    """What is wrong with hands that are no deal."""
    owners: dict[str, Seat] = {}
    for seat in Seat:
        if seat not in hands:
            return BridgeError("unknown_hand", f"{seat.spoken}'s hand is not given.")
        if len(hands[seat]) != 4:
            message = f"{seat.spoken}'s hand has {len(hands[seat])} suits, not four."
            return BridgeError("malformed_deal", message)
        for suit, ranks in zip(SUITS, hands[seat], strict=True):
            for rank in ranks:
                if rank not in _PLACES:
                    message = f"{rank!r} in {seat.spoken}'s hand is not a rank: A K Q J T 9 8 7 6 5 4 3 2."
                    return BridgeError("malformed_deal", message)
                if suit + rank in owners:
                    return _dealt_twice(suit + rank, owners[suit + rank], seat)
                owners[suit + rank] = seat
    return next(filter(None, (wrong_count(seat, [*owners.values()].count(seat)) for seat in Seat)))


def _dealt_twice(card: str, one: Seat, other: Seat) -> BridgeError:
    where = " and ".join(seat.spoken for seat in Seat if seat in (one, other))
    return BridgeError("duplicate_card", f"{card} is dealt twice, to {where}.")


def wrong_count(seat: Seat, held: int) -> BridgeError | None:
    """`wrong_card_count` unless the seat holds 13 cards."""
    if held == 13:
        return None
    cards = "1 card" if held == 1 else f"{held} cards"
    return BridgeError("wrong_card_count", f"{seat.spoken}'s hand has {cards}, not 13.")
