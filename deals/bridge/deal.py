"""Who holds which card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from .cards import DECK, POSITION, RANKS, SUITS, check_card
from .errors import BridgeError
from .seats import Seat, parse_seat

_SEATS = tuple(Seat)
_LONGEST = 400
"""Characters of a Deal value that can still be one: 52 cards with every ten as "10" and ample spaces."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Always 52 distinct cards, 13 a hand.

    `cards` is canonical: "N:" and the hands N E S W, ranks descending, 69 characters. Constructing takes
    any PBN Deal value (PBN 2.1 §3.4.11: any first hand, ranks in any order; also lower case, "10" and
    spare spaces) and raises BridgeError: `malformed_deal`, `unknown_hand` for a hand given as "-",
    `duplicate_card` or `wrong_card_count`.
    """

    cards: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", _canonical(_owners(_hands(self.cards))))

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
        return cls.trusted(_canonical(_owners(written)))

    @classmethod
    def from_key(cls, key: str) -> Self:
        """The inverse of `key`; `malformed_deal_key` or `wrong_card_count`."""
        if len(key) != 26 or not set(key) <= set("0123456789abcdef"):
            raise BridgeError("malformed_deal_key", "A deal key is 26 lower-case hexadecimal digits.")
        bits = int(key, 16)
        owners = "".join(str(bits >> shift & 3) for shift in range(102, -1, -2))
        _count(owners)
        return cls.trusted(_canonical(owners))

    @property
    def key(self) -> str:
        """26 lower-case hex digits: two bits a card (the holder's index) in the order of `DECK`."""
        return f"{int(_digits(self.cards), 4):026x}"

    @property
    def hands(self) -> list[str]:
        """From North clockwise, each "AKx.x.x.x": spades, hearts, diamonds, clubs."""
        return self.cards[2:].split(" ")

    def hand(self, seat: Seat) -> str:
        return self.hands[seat.index]

    def suits(self, seat: Seat) -> dict[str, str]:
        return dict(zip(SUITS, self.hand(seat).split("."), strict=True))

    def holder(self, card: str) -> Seat:
        """`malformed_card` for what is not a card, spelt as in `DECK`."""
        check_card(card)
        return self.holders()[card]

    def holders(self) -> dict[str, Seat]:
        """Every card's holder at once, for whoever asks about many."""
        return {card: _SEATS[int(owner)] for card, owner in zip(DECK, _digits(self.cards), strict=True)}

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


def _owners(hands: Mapping[Seat, Sequence[str]]) -> str:
    """52 holders' indices, one digit a card in the order of `DECK`; every check of a deal is here."""
    owners = [""] * 52
    for seat in Seat:
        if seat not in hands:
            raise BridgeError("unknown_hand", f"{seat.spoken}'s hand is not given.")
        if len(hands[seat]) != 4:
            message = f"{seat.spoken}'s hand has {len(hands[seat])} suits, not four."
            raise BridgeError("malformed_deal", message)
        for suit, ranks in zip(SUITS, hands[seat], strict=True):
            for rank in ranks:
                _give(owners, suit + rank, seat)
    _count(owners)
    return "".join(owners)


def _give(owners: list[str], card: str, seat: Seat) -> None:
    place = POSITION.get(card)
    if place is None:
        message = f"{card[1:]!r} in {seat.spoken}'s hand is not a rank: A K Q J T 9 8 7 6 5 4 3 2."
        raise BridgeError("malformed_deal", message)
    if owners[place]:
        names = sorted({_SEATS[int(owners[place])].index, seat.index})
        where = " and ".join(_SEATS[index].spoken for index in names)
        raise BridgeError("duplicate_card", f"{card} is dealt twice, to {where}.")
    owners[place] = str(seat.index)


def _count(owners: Sequence[str]) -> None:
    for seat in Seat:
        check_count(seat, owners.count(str(seat.index)))


def check_count(seat: Seat, held: int) -> None:
    """`wrong_card_count` unless the seat holds 13 cards."""
    if held != 13:
        cards = "1 card" if held == 1 else f"{held} cards"
        raise BridgeError("wrong_card_count", f"{seat.spoken}'s hand has {cards}, not 13.")


def _canonical(owners: str) -> str:
    hands = []
    for owner in "0123":
        held = [rank if holder == owner else "" for rank, holder in zip(RANKS * 4, owners, strict=True)]
        hands.append(".".join("".join(held[start : start + 13]) for start in (0, 13, 26, 39)))
    return "N:" + " ".join(hands)


def _digits(cards: str) -> str:
    """`_owners` of canonical text, which needs no checks."""
    owners = [""] * 52
    for owner, hand in zip("0123", cards[2:].split(" "), strict=True):
        for suit, ranks in zip(SUITS, hand.split("."), strict=True):
            for rank in ranks:
                owners[POSITION[suit + rank]] = owner
    return "".join(owners)
