"""What pages show of a play: its tricks with what their cards cost, and stepping through a board by links."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rest_framework import serializers

from boards.models import CardCosts
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.names import SEAT_KEYS
from bridge.play_analysis import CardChoice, choices_at
from bridge.replay import CurrentTrick, Position, TricksWon, cards_of, count_tricks, current_trick
from bridge.seats import Seat
from config.api.fields import ChoiceField
from config.api.serializers import QuerySerializer
from deals.models import SolverStatus
from pages.site.base import path_with_query


class PlayableCards(NamedTuple):
    """Whose turn it is, and what each card costs that may be played."""

    seat: Seat
    cards: list[CardChoice]


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
    def rest(self) -> str:
        """Say after the last card that is known what became of the others; "" when nothing is to be said."""
        tricks, contract, number = self.record.tricks, self.contract, len(self.cards)
        if not contract or not contract.declarer or tricks is None or number in (0, 52):
            return ""
        if number < len(cards_of(self.record)):
            return ""
        declaring = tricks if contract.declarer.side == "NS" else 13 - tricks
        how = "The rest was claimed" if number >= 4 else "No other card is recorded"
        return f"{how}: North-South {declaring}, East-West {13 - declaring} in all."

    @property
    def can_ask(self) -> bool:
        """Tell whether cards can be played here whose costs are worth asking for."""
        return self.contract is not None and len(self.cards) < 52

    @property
    def choices(self) -> PlayableCards | None:
        """Return what each card costs that may be played now, once it is computed."""
        if self.costs is None or self.costs.status != SolverStatus.DONE or self.contract is None:
            return None
        played, moment = cards_of(self.record), self.position.cards
        found = choices_at(self.costs.costs, self.record.layout, self.contract, played, moment)
        return PlayableCards(*found) if found else None


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
            raise serializers.ValidationError("Name hands by seat: north, east, south, west.")
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
        return path_with_query(self.path, self.parameters)

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
        path = path_with_query(self.path, {**self.parameters, "step": END if step >= self.last else str(step)})
        return f"{path}#{fragment}" if fragment else path
