"""The auction of a PBN game held against its hands, its dealer and its contract."""

from typing import NamedTuple

from bridge.auction import Auction
from bridge.contract import Contract
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import board_dealer


class OmittedPasses(NamedTuple):
    """The passes that a file leaves out before the first call, the dealer who made the first, and what confirms it."""

    dealer: Seat
    passes: int
    is_witnessed: bool


class AuctionEvidence(NamedTuple):
    """An auction that ends in a `bid`, and what it is held against: the hands, the dealer and the `stated` contract."""

    layout: Layout
    dealer: Seat
    auction: Auction
    bid: Contract
    stated: Contract

    def count_omitted_passes(self) -> int:
        """Return how many passes of the dealer and others before its first call make it end in what is stated.

        None are left out of an auction that begins with a pass, or that ends in another level or denomination.
        """
        stated, bid = self.stated, self.bid
        is_same = (stated.level, stated.denomination) == (bid.level, bid.denomination)
        if not stated.declarer or not bid.declarer or not is_same or self.auction.calls[0].call == "Pass":
            return 0
        begin = self.auction.dealer.clockwise().index(bid.declarer)
        return (self.dealer.clockwise().index(stated.declarer) - begin) % 4

    def is_opened_by_declarer(self, passes: int) -> bool:
        """Tell whether the stated declarer opens in the denomination behind so many passes, but is not the bid's."""
        is_opener = self.dealer.clockwise()[passes] is self.stated.declarer is not self.bid.declarer
        return is_opener and self.auction.calls[0].call[1:] == self.bid.denomination


def is_turned(dealer: Seat, number: int | None) -> bool:
    """Tell whether the board's number implies another dealer, so that a seat may have turned the hands or the calls."""
    return number is not None and dealer is not board_dealer(number)
