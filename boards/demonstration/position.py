"""The auction as the player whose turn it is sees it."""

from dataclasses import dataclass
from functools import cached_property

from deals.bridge.auction import BIDS, Auction
from deals.bridge.errors import BridgeError
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability

from .bid import Bid, Known
from .hand import Hand

_GAME = {"NT": 3, "S": 4, "H": 4, "D": 5, "C": 5}


@dataclass(frozen=True)
class Position:
    hand: Hand
    dealer: Seat
    vulnerability: Vulnerability
    history: tuple[Bid, ...]

    @property
    def seat(self) -> Seat:
        return self.dealer.clockwise()[len(self.history) % 4]

    def by(self, seat: Seat) -> list[Bid]:
        first = (seat.index - self.dealer.index) % 4
        return list(self.history[first::4])

    @cached_property
    def mine(self) -> list[Bid]:
        return self.by(self.seat)

    @cached_property
    def partners(self) -> list[Bid]:
        return self.by(self.seat.partner)

    @cached_property
    def theirs(self) -> list[Bid]:
        return self.by(self.seat.next) + self.by(self.seat.next.next.next)

    @cached_property
    def partner(self) -> Known:
        return Known.after(self.partners)

    @property
    def right(self) -> Bid:
        """The right-hand opponent's last call; a pass before there is one."""
        return self.history[-1] if self.history else Bid("Pass")

    @property
    def partner_last(self) -> Bid:
        return self.partners[-1] if self.partners else Bid("Pass")

    @cached_property
    def last(self) -> Bid | None:
        """The highest bid so far."""
        return next((bid for bid in reversed(self.history) if bid.denomination), None)

    @cached_property
    def last_seat(self) -> Seat | None:
        """Who made the highest bid."""
        places = [place for place, bid in enumerate(self.history) if bid.denomination]
        return self.dealer.clockwise()[places[-1] % 4] if places else None

    @property
    def ours(self) -> bool:
        """Whether our side made the highest bid."""
        return self.last_seat is not None and self.last_seat.side == self.seat.side

    @cached_property
    def opener(self) -> Seat | None:
        for place, bid in enumerate(self.history):
            if bid.denomination:
                return self.dealer.clockwise()[place % 4]
        return None

    @cached_property
    def opening(self) -> Bid:
        """The first bid; only for use once there is one."""
        return next(bid for bid in self.history if bid.denomination)

    @property
    def contested(self) -> bool:
        return any(bid.call != "Pass" for bid in self.theirs)

    @property
    def passed_hand(self) -> bool:
        """Whether the player passed before anybody opened."""
        return bool(self.mine) and self.mine[0].call == "Pass" and self.mine[0].high <= 11

    @cached_property
    def their_suits(self) -> str:
        return "".join(suit for suit in "SHDC" if any(bid.suits.get(suit, 0) >= 3 for bid in self._natural))

    @property
    def _natural(self) -> list[Bid]:
        return [bid for bid in self.theirs if bid.denomination in "SHDC" and bid.denomination]

    @property
    def unbid(self) -> str:
        """Suits nobody has shown."""
        shown = [bid for bid in self.history if bid.denomination]
        return "".join(suit for suit in "SHDC" if not any(bid.suits.get(suit, 0) >= 3 for bid in shown))

    @property
    def vulnerable(self) -> bool:
        return self.vulnerability.includes(self.seat)

    @property
    def forced(self) -> bool:
        """Whether partner counts on another bid."""
        if self.right.call != "Pass":
            return False
        to_game = any(bid.to_game for bid in self.mine + self.partners)
        return self.partner_last.forcing or (to_game and not self.game_reached)

    @property
    def game_reached(self) -> bool:
        return self.last is not None and self.last.level >= _GAME[self.last.denomination]

    def fit(self, suit: str) -> int:
        """Cards the two hands are known to hold."""
        return self.hand.length(suit) + self.partner.suits[suit]

    def cheapest(self, denomination: str, jump: int = 0) -> str:
        """The lowest sufficient bid, or one so many levels above it; "" past the seven level."""
        lowest = BIDS.index(self.last.call) + 1 if self.last else 0
        levels = [bid for bid in BIDS[lowest:] if bid[1:] == denomination]
        return levels[jump] if jump < len(levels) else ""

    def legal(self, call: str) -> bool:
        """Whether the laws allow the call now."""
        try:
            Auction(self.dealer, tuple(bid.spoken() for bid in (*self.history, Bid(call))))
        except BridgeError:
            return False
        return True
