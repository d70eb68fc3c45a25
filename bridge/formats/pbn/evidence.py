"""The auction and the play of a PBN game held against its hands, its dealer and its contract."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bridge.auction import Auction
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.sections import Columns
from bridge.layout import Layout
from bridge.play import NOT_PLAYED, check_play, from_columns, from_columns_of, from_turned_rows
from bridge.seats import Seat, parse_seat
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


@dataclass(frozen=True, slots=True)
class PlayEvidence:
    """The columns of a play, and the hands and the contract that they are held against."""

    layout: Layout
    contract: Contract
    columns: Columns
    lead: str
    is_bid: bool
    """Whether the auction ends in this contract."""

    @property
    def has_wrong_lead(self) -> bool:
        """Tell whether the first card lies in another hand than the opening leader's."""
        return bool(self.lead) and self.layout.holder(self.lead) is not self.contract.leader

    @property
    def how_turned(self) -> str:
        leader = self.contract.leader
        if leader and parse_seat(self.columns.first) is not leader:
            begin = f"The Play is headed {self.columns.first}, but {leader.full_name} leads."
        else:
            begin = "The rows of the play begin with different seats."
        return f"{begin} Each card was given to the hand that holds it."

    def count_cards(self) -> int:
        return len(self.columns.entries) - self.columns.entries.count(NOT_PLAYED)

    def turn_rows(self) -> tuple[str, ...]:
        """Return the play with each card played by the hand that holds it; () unless the whole of it is legal.

        Where the Play names another seat than the leader, that seat must not have led: the auction says so, or its
        lead would have been illegal.
        """
        try:
            first, cards = parse_seat(self.columns.first), self.columns.cards
        except BridgeError:
            return ()
        if first is self.contract.leader:
            return self.check(self.contract, from_turned_rows, self.layout, self.contract, cards)
        other = replace(self.contract, declarer=first.partner.next)
        if not self.is_bid and self.check(other, from_columns, other, first, cards):
            return ()
        return self.check(self.contract, from_columns_of, self.contract, first, cards) or self.check(
            self.contract, from_turned_rows, self.layout, self.contract, cards
        )

    def check(self, contract: Contract, read: Callable[..., tuple[str, ...]], *arguments: Any) -> tuple[str, ...]:
        """Return the play as it is read so, or () when it is not legal."""
        try:
            cards = read(*arguments)
            check_play(self.layout, contract, cards)
        except BridgeError:
            return ()
        return cards

    def count_sound_tricks(self) -> int:
        """Return how many whole tricks there are before the fault."""
        columns = self.columns.cards
        for tricks in range(min(13, len(columns) // 4), 0, -1):
            try:
                cards = from_columns(self.contract, parse_seat(self.columns.first), columns[: 4 * tricks])
                check_play(self.layout, self.contract, cards)
            except BridgeError:
                continue
            if len(cards) == 4 * tricks:
                return tricks
        return 0
