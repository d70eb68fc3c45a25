"""What pages show of a play: its tricks with what their cards cost, and stepping through a board by links."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from rest_framework import serializers

from boards.models import CardCosts
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.names import SEAT_KEYS
from bridge.play import NOT_PLAYED, play_leaders, to_columns
from bridge.play_analysis import CardChoice, choices_at
from bridge.replay import CurrentTrick, Position, TricksWon, cards_of, count_tricks, current_trick
from bridge.seats import Seat
from config.api.fields import ChoiceField
from config.api.serializers import QuerySerializer
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


# No auction has more than 319 calls, and no play more than 52 cards. ASCII digits only.
STEP = re.compile(r"[0-9]{1,3}")
LAST_STEP = 999
END = "end"
"""The last step, whatever its number is: an address that names it tells how long the auction is."""


class StepField(serializers.IntegerField):
    """A query parameter that is the number of a step, from 0 on, or END. A number past the end is the last step."""

    default_error_messages = {"invalid": "Give a whole number in plain digits, from 0 to 999, or end."}

    def to_internal_value(self, data: Any) -> int:
        if data == END:
            return LAST_STEP
        if not STEP.fullmatch(data):
            self.fail("invalid")
        return int(data)


COSTS_SHOWN = "shown"
"""The value of `costs` with which the steps show what each card costs that may be played."""


class BoardPageQuery(QuerySerializer):
    show = serializers.CharField(required=False, allow_blank=True)
    step = StepField(required=False)
    costs = ChoiceField(choices=[COSTS_SHOWN], required=False, allow_blank=True)

    def validate_show(self, value: str) -> tuple[str, ...]:
        """Return the named seats, clockwise from North, or () when all are named."""
        seats = [seat for seat in value.split(",") if seat]
        if not set(seats) <= set(SEAT_KEYS):
            raise serializers.ValidationError("Name the hands by their seats: north, east, south, west.")
        return tuple(seat for seat in SEAT_KEYS if seat in seats) if len(set(seats)) < len(SEAT_KEYS) else ()


@dataclass(frozen=True)
class Steps:
    """Where the reader is, and the addresses of the other steps. Each keeps the page's other parameters.

    A link leads to the link on the next page that goes the same way. So it has the focus there, and the hands are in
    view on a phone.
    """

    path: str
    parameters: Mapping[str, str]
    step: int
    last: int

    @property
    def back(self) -> str:
        return self.address(self.step - 1, "back" if self.step > 1 else "next") if self.step else ""

    @property
    def next(self) -> str:
        is_last = self.step + 1 >= self.last
        return self.address(self.step + 1, "back" if is_last else "next") if self.step < self.last else ""

    @property
    def without(self) -> str:
        """Return the address of the page that shows everything."""
        return self.path + (f"?{urlencode(self.parameters)}" if self.parameters else "")

    @property
    def here(self) -> str:
        return self.address(self.step)

    @property
    def start(self) -> str:
        return self.address(0, "next")

    @property
    def end(self) -> str:
        return self.address(self.last, "back")

    def address(self, step: int, fragment: str = "") -> str:
        hash_sign = "#" if fragment else ""
        value = END if step >= self.last else step
        return f"{self.path}?{urlencode({**self.parameters, 'step': value})}{hash_sign}{fragment}"
