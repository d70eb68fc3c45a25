"""What each card of a play costs when all cards are open, and how it is stored.

Needs no Django, since the solver's child process imports it. A card costs the tricks that its side could have had and
has no longer, whatever is played afterwards. No card gains any: a good play keeps what there is.

The trace of a play is stored as a hexadecimal digit for each moment, before each card and after the last one: the
tricks that declarer makes from there. The costs of the cards that could have been played are a digit for each, in the
order of DECK, with a full stop between two moments: "000.02.0011".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bridge.contract import Contract
from bridge.layout import Layout
from bridge.play import cards_to_play, players_of
from bridge.seats import Seat


class PlayedCard(NamedTuple):
    """A card of a play. `trick` counts from 1, and `cost` is what it cost its side, in tricks."""

    trick: int
    seat: Seat
    card: str
    cost: int


@dataclass(frozen=True, slots=True)
class Trace:
    """Declarer's tricks at each moment of a play. `digits` is the stored form."""

    digits: str

    @classmethod
    def from_tricks(cls, tricks: Iterable[int]) -> "Trace":
        return cls("".join(f"{number:x}" for number in tricks))

    @property
    def tricks(self) -> list[int]:
        return [int(digit, 16) for digit in self.digits]

    def costs(self, contract: Contract, cards: Sequence[str]) -> list[PlayedCard]:
        """Return the cards of the play with what each cost. They are those that the trace was made of."""
        tricks, declarer = self.tricks, contract.declarer
        return [
            PlayedCard(index // 4 + 1, seat, card, abs(tricks[index] - tricks[index + 1]))
            for index, (seat, card) in enumerate(zip(players_of(contract, cards), cards, strict=True))
            if declarer
        ]


def lost_by(side: str, played: Iterable[PlayedCard]) -> int:
    """Return the tricks that the cards of a side cost it, together."""
    return sum(each.cost for each in played if each.seat.side == side)


class CardChoice(NamedTuple):
    """A card that may be played, and what it costs."""

    card: str
    cost: int


def write_costs(moments: Iterable[Sequence[int]]) -> str:
    return ".".join("".join(f"{cost:x}" for cost in costs) for costs in moments)


def choices_at(
    costs: str, layout: Layout, contract: Contract, cards: Sequence[str], moment: int
) -> tuple[Seat, list[CardChoice]] | None:
    """Return whose turn it is after a number of cards, and what each playable card costs.

    `costs` is the stored form. Return None after the last card, and where nothing is stored.
    """
    digits = costs.split(".")
    if moment >= len(digits) or not digits[moment]:
        return None
    seat, choices = cards_to_play(layout, contract, cards[:moment])
    return seat, [CardChoice(card, int(digit, 16)) for card, digit in zip(choices, digits[moment], strict=True)]
