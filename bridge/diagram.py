"""The hand diagram of a board: what is drawn, and what is read aloud instead. Templates draw it."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bridge.board import BoardRecord
from bridge.names import (
    SUIT_NAMES,
    SUIT_SYMBOLS,
    card_in_words,
    contract_in_words,
    format_ranks,
    format_result,
    format_score,
    holding_in_words,
    vulnerability_in_words,
)
from bridge.seats import Seat


class Suit(NamedTuple):
    """What a hand holds in one suit. `ranks` are as people write them, "AK105"; "" is a void."""

    name: str
    symbol: str
    ranks: str
    in_words: str


class DiagramHand(NamedTuple):
    seat: Seat
    suits: tuple[Suit, ...]
    points: int
    is_dealer: bool
    is_vulnerable: bool

    @property
    def in_words(self) -> str:
        """Name the cards of the hand, as in "North: spades ace king five; hearts …"."""
        return f"{self.seat.full_name}: {'; '.join(suit.in_words for suit in self.suits)}"


@dataclass(frozen=True)
class Diagram:
    """The parts of a board's hand diagram. The record must pass its `check`."""

    record: BoardRecord

    @cached_property
    def hands(self) -> dict[str, DiagramHand]:
        """Return the hands by the keys "north", "east", "south" and "west"."""
        return {seat.key: self._hand(seat) for seat in Seat}

    def _hand(self, seat: Seat) -> DiagramHand:
        record = self.record
        suits = record.layout.suits(seat).items()
        return DiagramHand(
            seat=seat,
            suits=tuple(
                Suit(SUIT_NAMES[suit], SUIT_SYMBOLS[suit], format_ranks(ranks), holding_in_words(suit, ranks))
                for suit, ranks in suits
            ),
            points=record.layout.hcp(seat),
            is_dealer=seat is record.dealer,
            is_vulnerable=record.vulnerability.includes(seat),
        )

    @property
    def heading(self) -> str:
        """Name the board by its number, as in "Board 7"; "" without a number."""
        return f"Board {self.record.board_number}" if self.record.board_number else ""

    @property
    def title(self) -> str:
        """Name the board, its dealer and who is vulnerable: "Board 7: dealer South, both sides vulnerable"."""
        vulnerable = vulnerability_in_words(self.record.vulnerability)
        return f"{self.heading or 'Board'}: dealer {self.record.dealer.full_name}, {vulnerable}"

    @property
    def contract(self) -> tuple[str, str, str]:
        """Return level, symbol (or "NT") and the rest, as in ("4", "♠", "X by South"); blank without a contract."""
        contract = self.record.contract
        if contract is None:
            return "", "", ""
        if contract.passed_out or contract.denomination is None:
            return "", "", "Passed out"
        symbol = SUIT_SYMBOLS.get(contract.denomination, "NT")
        declarer = f" by {contract.declarer.full_name}" if contract.declarer else ""
        return str(contract.level), symbol, contract.doubled + declarer

    @property
    def contract_suit(self) -> str:
        """Return the name of the trump suit; "" when there is none."""
        denomination = self.record.contract.denomination if self.record.contract else None
        return SUIT_NAMES.get(denomination or "", "")

    @property
    def lead(self) -> Suit | None:
        """Return the opening lead as a suit of one rank."""
        card = self.record.opening_lead
        if not card:
            return None
        return Suit(SUIT_NAMES[card[0]], SUIT_SYMBOLS[card[0]], format_ranks(card[1]), card_in_words(card))

    @property
    def result(self) -> str:
        """Say what was made and scored, as in "made +1, North-South +450"; "" when it is not known."""
        record = self.record
        if record.contract is None or record.tricks is None or record.score is None:
            return ""
        return f"{format_result(record.contract, record.tricks)}, {format_score(record.score)}"

    @property
    def outcome(self) -> str:
        """Sum up "Contract: four spades by South. Opening lead: king of hearts. Result: …"; "" without a contract."""
        if self.record.contract is None:
            return ""
        sentences = [f"Contract: {contract_in_words(self.record.contract)}."]
        if self.lead:
            sentences.append(f"Opening lead: {self.lead.in_words}.")
        if self.result:
            sentences.append(f"Result: {self.result}.")
        return " ".join(sentences)

    @property
    def in_words(self) -> str:
        """Describe the whole diagram to people who cannot see the picture."""
        hands = " ".join(f"{hand.in_words}." for hand in self.hands.values())
        return f"{self.title}. {hands} {self.outcome}".rstrip()
