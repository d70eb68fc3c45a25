"""What pages show of a play: its tricks with what their cards cost, and the table while a board is stepped through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from boards.models import CardCosts
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.play import NOT_PLAYED, play_leaders, to_columns
from bridge.play_analysis import CardChoice, choices_at
from bridge.replay import CurrentTrick, Position, TricksWon, cards_of, count_tricks, current_trick
from bridge.seats import Seat
from deals.models import SolverStatus


class TrickCard(NamedTuple):
    """One player's card in a trick. `card` is "" when it was not played. `cost` is in tricks, with all cards seen."""

    card: str
    is_lead: bool
    is_winner: bool
    cost: int


class Trick(NamedTuple):
    """A trick. `winner` is the name of a seat, or "" when the trick is not complete."""

    cards: list[TrickCard]
    winner: str


def build_tricks(contract: Contract, cards: Sequence[str], costs: Mapping[str, int]) -> list[Trick]:
    """Return the tricks with their cards clockwise from the opening leader's. `costs` has the cards that cost some."""
    leaders = play_leaders(contract, cards)
    winners = [*leaders[1:], None]  # The winner of a trick leads to the next one.
    players = leaders[0].clockwise()
    tricks = []
    for row, leader, winner in zip(to_columns(contract, cards), leaders, winners, strict=False):
        played = [
            TrickCard("" if card == NOT_PLAYED else card, player is leader, player is winner, costs.get(card, 0))
            for card, player in zip(row, players, strict=True)
        ]
        tricks.append(Trick(played, winner.full_name if winner else ""))
    return tricks


class CostGroup(NamedTuple):
    """The cards that cost as many tricks."""

    cost: int
    cards: list[str]


class Choices(NamedTuple):
    """Whose turn it is, and what each card costs that may be played."""

    seat: Seat
    cards: list[CardChoice]

    @property
    def groups(self) -> list[CostGroup]:
        """Return the cards by their costs, the cheapest first."""
        by_cost = groupby(sorted(self.cards, key=lambda choice: choice.cost), key=lambda choice: choice.cost)
        return [CostGroup(cost, [choice.card for choice in group]) for cost, group in by_cost]


@dataclass(frozen=True)
class TableView:
    """The table at a moment of a board. `costs` is the stored answer for the whole play, None when nobody has asked."""

    record: BoardRecord
    position: Position
    costs: CardCosts | None

    @property
    def cards(self) -> tuple[str, ...]:
        """Return the cards that have been played."""
        return cards_of(self.record)[: self.position.cards]

    @property
    def contract(self) -> Contract | None:
        """Return the contract, once it is bid and cards can be played in it."""
        contract = self.record.contract
        is_bid = self.position.calls == (len(self.record.auction.calls) if self.record.auction else 0)
        return contract if is_bid and contract and contract.declarer else None

    @property
    def trick(self) -> CurrentTrick | None:
        return current_trick(self.contract, self.cards) if self.contract else None

    @property
    def tricks_won(self) -> TricksWon | None:
        return count_tricks(self.contract, self.cards) if self.contract and self.cards else None

    @property
    def is_last(self) -> bool:
        return self.position.cards == len(cards_of(self.record))

    @property
    def rest(self) -> str:
        """Say after the last card that is known what became of the others; "" when nothing is to be said."""
        tricks, contract = self.record.tricks, self.contract
        if not contract or not contract.declarer or tricks is None or not self.cards or not self.is_last:
            return ""
        if len(self.cards) == 52:
            return ""
        declaring = tricks if contract.declarer.side == "NS" else 13 - tricks
        how = "The rest was claimed" if len(self.cards) >= 4 else "No other card is recorded"
        return f"{how}: North-South {declaring}, East-West {13 - declaring} in all."

    @property
    def can_ask(self) -> bool:
        """Tell whether cards can be played here whose costs are worth asking for."""
        return self.contract is not None and len(self.cards) < 52

    @property
    def costs_status(self) -> str:
        """Return how far the costs are, "" when nobody has asked for them."""
        return self.costs.status if self.costs else ""

    @property
    def choices(self) -> Choices | None:
        """Return what each card costs that may be played now, once it is computed."""
        if self.costs is None or self.costs.status != SolverStatus.DONE or self.contract is None:
            return None
        found = choices_at(
            self.costs.costs,
            self.record.layout,
            self.contract,
            cards_of(self.record),
            self.position.cards,
        )
        return Choices(*found) if found else None
