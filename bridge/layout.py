"""The layout of a deal: who holds which of the 52 cards, and what players count in a hand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from typing import Self

from bridge.cards import DECK, RANKS, SUITS, check_cards
from bridge.errors import BridgeError
from bridge.seats import SEATS, Seat, parse_seat

MAX_DEAL_LENGTH = 400
"""The limit is in characters. A Deal value of 52 cards with every ten as "10" and ample spaces has fewer."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The holders of 52 distinct cards, 13 a hand.

    `cards` is canonical: "N:" and the hands N E S W, ranks descending, 69 characters. The constructor takes
    any PBN Deal value (PBN 2.1 §3.4.11: any first hand, ranks in any order; also lower case, "10",
    spare spaces and hands such as "SA7.H864.…") and raises BridgeError: `malformed_deal`, `unknown_hand` for a
    hand written as "-", `duplicate_card` or `wrong_card_count`.
    """

    cards: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", _canonical(_hands(self.cards)))

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(text)

    @classmethod
    @lru_cache(maxsize=16)
    def parse_three(cls, text: str) -> Self:
        """Read a Deal value in which one hand may be "-": it has the cards that the other three leave.

        The tables of a board follow each other in a file, each with the same text.
        """
        hands = _hands(text)
        three = {seat: dict(zip(SUITS, suits, strict=True)) for seat, suits in hands.items() if len(suits) == 4}
        if len(three) == 3:
            return cls.from_hands(three | fourth_hand(three))
        return cls.from_canonical(_canonical(hands))

    @classmethod
    def from_canonical(cls, cards: str) -> Self:
        """Take canonical text, such as our own database holds, without checking it."""
        layout = object.__new__(cls)
        object.__setattr__(layout, "cards", cards)
        return layout

    @classmethod
    def from_hands(cls, hands: Mapping[Seat, Mapping[str, str]]) -> Self:
        """Read seat → suit letter → ranks. An absent suit is a void, an absent hand raises `unknown_hand`."""
        suits_by_seat = {seat: [_ranks(suits.get(suit, "")) for suit in SUITS] for seat, suits in hands.items()}
        return cls.from_canonical(_canonical(suits_by_seat))

    @property
    def key(self) -> str:
        """Return 26 lower-case hex digits: two bits a card (the holder's index) in the order of `DECK`."""
        return f"{int(''.join(str(self.holders[card].index) for card in DECK), base=4):026x}"

    @property
    def hands(self) -> list[str]:
        """Return the hands from North clockwise, each as "AKx.x.x.x": spades, hearts, diamonds, clubs."""
        return self.cards[2:].split(" ")

    def suits(self, seat: Seat) -> Mapping[str, str]:
        """Return the seat's ranks by suit letter, in the order of `SUITS`."""
        return _suits(self.cards)[seat]

    def cards_held_by(self, seat: Seat) -> frozenset[str]:
        """Return the seat's 13 cards."""
        return frozenset(suit + rank for suit, ranks in self.suits(seat).items() for rank in ranks)

    @property
    def holders(self) -> Mapping[str, Seat]:
        """Return who holds each of the cards."""
        return _holders(self.cards)

    def holder(self, card: str) -> Seat:
        """Return who holds the card; raise `malformed_card` for what is not spelt as in `DECK`."""
        check_cards(card)
        return self.holders[card]

    def hcp(self, seat: Seat) -> int:
        return high_card_points(self.hands[seat.index])

    def pbn(self, first: Seat) -> str:
        """Return the PBN Deal value that begins with this hand."""
        hands = self.hands
        return f"{first}:" + " ".join(hands[seat.index] for seat in first.clockwise())


# A play asks for each of its cards, and the tables of a board, which follow each other in a file, for the same deal.
@lru_cache(maxsize=16)
def _suits(cards: str) -> dict[Seat, dict[str, str]]:
    """Return each seat's ranks by suit letter, of canonical text."""
    return {
        seat: dict(zip(SUITS, hand.split("."), strict=True))
        for seat, hand in zip(SEATS, cards[2:].split(" "), strict=True)
    }


@lru_cache(maxsize=16)
def _holders(cards: str) -> dict[str, Seat]:
    """Return who holds each card of canonical text."""
    return {suit + rank: seat for seat, hand in _suits(cards).items() for suit, ranks in hand.items() for rank in ranks}


def fourth_hand(hands: Mapping[Seat, Mapping[str, str]]) -> dict[Seat, dict[str, str]]:
    """Return the hand that three hands leave, by its seat. Raise `wrong_card_count` unless each has 13 cards."""
    for seat, suits in hands.items():
        check_card_count(seat, sum(map(len, suits.values())))
    dealt = {suit + rank for suits in hands.values() for suit, ranks in suits.items() for rank in ranks}
    rest = dict.fromkeys(SUITS, "")
    for card in DECK:
        if card not in dealt:
            rest[card[0]] += card[1]
    return {seat: rest for seat in Seat if seat not in hands}


def high_card_points(hand: str) -> int:
    """Count 4 for each ace of a hand, 3 for a king, 2 for a queen, 1 for a jack."""
    return 4 * hand.count("A") + 3 * hand.count("K") + 2 * hand.count("Q") + hand.count("J")


def _hands(text: str) -> dict[Seat, list[str]]:
    """Split a Deal value into the four suits of every hand that is given, still unchecked."""
    first, colon, rest = text.strip().partition(":")
    hands = _ranks(rest).split()
    if not colon or len(hands) != 4 or len(text) > MAX_DEAL_LENGTH:
        raise BridgeError("malformed_deal", "Write a deal as its first seat and four hands: N:AK5.QJ2.T98.7643 … … …")
    try:
        seats = parse_seat(first).clockwise()
    except BridgeError:
        raise BridgeError("malformed_deal", f"A deal begins with N, E, S or W, not {first[:20]!r}.") from None
    return {seat: _split(hand) for seat, hand in zip(seats, hands, strict=True) if hand != "-"}


def _split(hand: str) -> list[str]:
    """Return the ranks of the suits. A hand that names each suit by its letter may have them in any order."""
    suits = hand.split(".")
    if hand[:1] not in SUITS:
        return suits
    ranks = {suit[:1]: suit[1:] for suit in suits}
    return [ranks[letter] for letter in SUITS] if len(suits) == 4 and ranks.keys() == set(SUITS) else suits


def _ranks(text: str) -> str:
    return text.upper().replace("10", "T")


def _canonical(hands: Mapping[Seat, Sequence[str]]) -> str:
    """Return the canonical text of four hands, or raise what is wrong with them. Every check of a deal is here."""
    owners: dict[str, Seat] = {}
    for seat in SEATS:
        for card in _cards(seat, hands.get(seat)):
            if card in owners:
                where = " and ".join(each.full_name for each in SEATS if each in (owners[card], seat))
                raise BridgeError("duplicate_card", f"{card} is dealt twice, to {where}.")
            owners[card] = seat
    for seat in SEATS:
        check_card_count(seat, sum(map(len, hands[seat])))
    return "N:" + " ".join(".".join(map(_descending, hands[seat])) for seat in SEATS)


def _cards(seat: Seat, hand: Sequence[str] | None) -> Iterator[str]:
    """Yield the cards of a hand that is given suit by suit; raise `unknown_hand` or `malformed_deal`."""
    if hand is None:
        raise BridgeError("unknown_hand", f"{seat.full_name}'s hand is missing.")
    if len(hand) != 4:
        raise BridgeError("malformed_deal", f"{seat.full_name}'s hand has {len(hand)} suits, not four.")
    for suit, ranks in zip(SUITS, hand, strict=True):
        for rank in ranks:
            if rank not in RANKS:
                message = f"{rank!r} in {seat.full_name}'s hand is not a rank. Write A, K, Q, J, T or 9 to 2."
                raise BridgeError("malformed_deal", message)
            yield suit + rank


def _descending(ranks: str) -> str:
    return "".join([rank for rank in RANKS if rank in ranks])


def check_card_count(seat: Seat, count: int) -> None:
    """Raise `wrong_card_count` unless the seat holds 13 cards."""
    if count != 13:
        cards = "1 card" if count == 1 else f"{count} cards"
        raise BridgeError("wrong_card_count", f"{seat.full_name}'s hand has {cards}, not 13.")


CONTROLS = {"A": 2, "K": 1}

SHAPES = tuple(sorted(shape[::-1] for shape in combinations_with_replacement(range(14), 4) if sum(shape) == 13))
"""The 39 shapes of a hand without regard to suits, each longest suit first, from (4, 3, 3, 3) to (13, 0, 0, 0)."""


@cache
def controls(ranks: str) -> int:
    """Count an ace as two and a king as one. `ranks` are those of a suit."""
    return sum(CONTROLS.get(rank, 0) for rank in ranks)


@cache
def losers(ranks: str) -> int:
    """Count the losers of a suit: ace, king and queen that are missing, no more than it has cards."""
    cards = min(3, len(ranks))
    return cards - sum(rank in ranks for rank in "AKQ"[:cards])


def shape_of(lengths: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of the suits, longest first."""
    return tuple(sorted(lengths, reverse=True))
