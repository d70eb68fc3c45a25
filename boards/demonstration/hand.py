"""What a player sees in thirteen cards."""

from dataclasses import dataclass
from functools import cached_property

from deals.bridge.cards import SUITS
from deals.bridge.deal import Deal
from deals.bridge.seats import Seat

MAJORS = ("S", "H")
_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
_SHORT = {3: (3, 2, 1), 4: (5, 3, 1)}
_STOPPER_LENGTHS = {"A": 1, "K": 2, "Q": 3, "J": 4}


@dataclass(frozen=True)
class Hand:
    """Suit letter → ranks, descending."""

    suits: dict[str, str]

    @classmethod
    def of(cls, deal: Deal, seat: Seat) -> "Hand":
        return cls(deal.suits(seat))

    def length(self, suit: str) -> int:
        return len(self.suits[suit])

    @cached_property
    def hcp(self) -> int:
        return sum(_POINTS.get(rank, 0) for ranks in self.suits.values() for rank in ranks)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The four lengths, longest first."""
        return tuple(sorted((len(ranks) for ranks in self.suits.values()), reverse=True))

    @property
    def balanced(self) -> bool:
        return self.shape in ((4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2))

    @property
    def longest(self) -> str:
        """The higher of two equally long suits."""
        return max(SUITS, key=self.length)

    def points(self, trump: str | None = None) -> int:
        """High cards, and with a fit in `trump` also short suits; without one, long suits."""
        if trump is None:
            return self.hcp + sum(max(len(ranks) - 4, 0) for ranks in self.suits.values())
        values = _SHORT.get(self.length(trump), _SHORT[3]) if self.length(trump) > 2 else (0, 0, 0)
        return self.hcp + sum(values[len(ranks)] for ranks in self.suits.values() if len(ranks) < 3)

    def stops(self, suit: str) -> bool:
        """Ace, guarded king, twice guarded queen or jack to four."""
        ranks = self.suits[suit]
        return any(rank in ranks and len(ranks) >= long for rank, long in _STOPPER_LENGTHS.items())

    def good(self, suit: str) -> bool:
        """Two of the three top honours, or three of the five."""
        ranks = self.suits[suit]
        return sum(rank in ranks for rank in "AKQ") >= 2 or sum(rank in ranks for rank in "AKQJT") >= 3

    def keycards(self, trump: str) -> int:
        """The four aces and the king of trumps."""
        return sum("A" in ranks for ranks in self.suits.values()) + ("K" in self.suits[trump])
