"""A call together with what the partnership has agreed that it means."""

from dataclasses import dataclass, field

from deals.bridge.auction import Call

MOST = 37
"""High-card points one hand can hold."""


@dataclass(frozen=True, slots=True)
class Bid:
    """`low`, `high`: points; `suits`: the fewest cards promised; `question`: what partner is to answer.

    An `explanation` alerts the call. `trump` is the suit agreed by it or asked about.
    """

    call: str
    low: int = 0
    high: int = MOST
    suits: dict[str, int] = field(default_factory=dict)
    forcing: bool = False
    to_game: bool = False
    invites: bool = False
    explanation: str = ""
    question: str = ""
    trump: str = ""

    @property
    def denomination(self) -> str:
        """Empty for Pass, X and XX."""
        return self.call[1:] if self.call[0].isdigit() else ""

    @property
    def level(self) -> int:
        return int(self.call[0]) if self.denomination else 0

    def spoken(self) -> Call:
        return Call(self.call, bool(self.explanation), self.explanation)


@dataclass(frozen=True, slots=True)
class Known:
    """What the table knows of one hand."""

    low: int
    high: int
    suits: dict[str, int]

    @classmethod
    def after(cls, bids: list[Bid]) -> "Known":
        low = max((bid.low for bid in bids), default=0)
        high = min((bid.high for bid in bids), default=MOST)
        suits = {suit: max((bid.suits.get(suit, 0) for bid in bids), default=0) for suit in "SHDC"}
        return cls(low, max(low, high), suits)
