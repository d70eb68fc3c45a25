"""The hand diagram of a board: what is drawn and what is read aloud. Drawing is the templates' business."""

from dataclasses import dataclass
from functools import cached_property

from deals.bridge.board import BoardRecord
from deals.bridge.names import (
    SUIT_NAMES,
    SYMBOLS,
    shown_ranks,
    shown_result,
    shown_score,
    spoken_card,
    spoken_contract,
    spoken_suit,
    spoken_vulnerability,
)
from deals.bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class Suit:
    """`ranks` as people write them, "AK105"; "" is a void."""

    name: str
    symbol: str
    ranks: str
    spoken: str


@dataclass(frozen=True, slots=True)
class Hand:
    seat: Seat
    suits: tuple[Suit, ...]
    points: int
    is_dealer: bool
    is_vulnerable: bool

    @property
    def spoken(self) -> str:
        """As in "North: spades ace king five; hearts …"."""
        return f"{self.seat.spoken}: {'; '.join(suit.spoken for suit in self.suits)}"


@dataclass(frozen=True)
class Diagram:
    """Built from a record that passed its check."""

    record: BoardRecord

    @cached_property
    def hands(self) -> dict[str, Hand]:
        """By "north", "east", "south" and "west"."""
        return {seat.word: self._hand(seat) for seat in Seat}

    def _hand(self, seat: Seat) -> Hand:
        record = self.record
        suits = record.deal.suits(seat).items()
        return Hand(
            seat=seat,
            suits=tuple(
                Suit(SUIT_NAMES[suit], SYMBOLS[suit], shown_ranks(ranks), spoken_suit(suit, ranks))
                for suit, ranks in suits
            ),
            points=record.deal.hcp(seat),
            is_dealer=seat is record.dealer,
            is_vulnerable=record.vulnerability.includes(seat),
        )

    @property
    def heading(self) -> str:
        """As in "Board 7"; "" without a number."""
        return f"Board {self.record.board_number}" if self.record.board_number else ""

    @property
    def title(self) -> str:
        """As in "Board 7: dealer South, both sides vulnerable"."""
        vulnerable = spoken_vulnerability(self.record.vulnerability)
        return f"{self.heading or 'Board'}: dealer {self.record.dealer.spoken}, {vulnerable}"

    @property
    def contract(self) -> tuple[str, str, str]:
        """Level, symbol (or "NT") and the rest, as in ("4", "♠", "X by South"); blank when there is none."""
        contract = self.record.contract
        if contract is None:
            return "", "", ""
        if contract.passed_out or contract.denomination is None:
            return "", "", "Passed out"
        symbol = SYMBOLS.get(contract.denomination, "NT")
        declarer = f" by {contract.declarer.spoken}" if contract.declarer else ""
        return str(contract.level), symbol, contract.doubled + declarer

    @property
    def contract_suit(self) -> str:
        """The name of the trump suit; "" for none."""
        denomination = self.record.contract.denomination if self.record.contract else None
        return SUIT_NAMES.get(denomination or "", "")

    @property
    def lead(self) -> Suit | None:
        """The opening lead, as a suit of one rank."""
        card = self.record.opening_lead
        if not card:
            return None
        return Suit(SUIT_NAMES[card[0]], SYMBOLS[card[0]], shown_ranks(card[1]), spoken_card(card))

    @property
    def result(self) -> str:
        """As in "made +1, North-South +450"; "" when it is not known."""
        record = self.record
        if record.contract is None or record.tricks is None or record.score is None:
            return ""
        return f"{shown_result(record.contract, record.tricks)}, {shown_score(record.score)}"

    @property
    def outcome(self) -> str:
        """As in "Contract: four spades by South. Opening lead: king of hearts. Result: …"; "" without a contract."""
        if self.record.contract is None:
            return ""
        sentences = [f"Contract: {spoken_contract(self.record.contract)}."]
        if self.lead:
            sentences.append(f"Opening lead: {self.lead.spoken}.")
        if self.result:
            sentences.append(f"Result: {self.result}.")
        return " ".join(sentences)

    @property
    def spoken(self) -> str:
        """All of it, for who cannot see the picture."""
        hands = " ".join(f"{hand.spoken}." for hand in self.hands.values())
        return f"{self.title}. {hands} {self.outcome}".rstrip()
