"""Our side's first call after an opponent has opened: overcalls, take-out doubles, balancing."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .openings import balanced_bid
from .position import Position

_KING = 3
"""What the last player may add to his hand: partner is marked with it."""


def overcalls(position: Position) -> Iterator[Bid]:
    last = position.last
    if last is None or last.level > 3 or (last.level == 3 and position.hand.hcp < 14):
        return
    borrowed = _KING if balancing(position) else 0
    if last.denomination == "NT":
        yield from _over_notrump(position)
        return
    points = position.hand.hcp + borrowed
    yield from _notrump(position, points, borrowed)
    if points >= 17 and not borrowed:
        yield _double(position, 17)
    yield from _suits(position, points, borrowed)
    yield from _take_out(position, points, borrowed)
    if not borrowed:
        yield from _jumps(position)


def balancing(position: Position) -> bool:
    """Whether a pass would end the auction."""
    return len(position.history) >= 3 and [bid.call for bid in position.history[-2:]] == ["Pass", "Pass"]


def _over_notrump(position: Position) -> Iterator[Bid]:
    hand, last = position.hand, position.last
    if last is None or last.level > 1:
        return
    if hand.hcp >= 16 and hand.balanced and not balancing(position):
        yield Bid("X", 16, explanation="Penalties: at least as strong as the notrump")
    suit = hand.longest
    if 10 <= hand.hcp <= 15 and hand.length(suit) >= 6 and hand.good(suit):
        yield Bid(position.cheapest(suit), 10, 15, {suit: 6})


def _notrump(position: Position, points: int, borrowed: int) -> Iterator[Bid]:
    hand, call = position.hand, position.cheapest("NT")
    stopped = all(hand.stops(suit) for suit in position.their_suits)
    if hand.balanced and stopped and 15 <= points <= 18 and call[0] <= "2":
        yield balanced_bid(call, 15 - borrowed, 18 - borrowed, question="notrump")


def _suits(position: Position, points: int, borrowed: int) -> Iterator[Bid]:
    hand = position.hand
    for suit in sorted("SHDC", key=hand.length, reverse=True):
        length, call = hand.length(suit), position.cheapest(suit)
        if suit in position.their_suits or length < 5 or not call or call[0] > "3":
            continue
        if call[0] == "1" and points >= 8 and (hand.good(suit) or points >= 11):
            yield Bid(call, 8 - borrowed, 16 - borrowed, {suit: 5})
        if call[0] == "2" and points >= 11 and (length >= 6 or (hand.good(suit) and points >= 12)):
            yield Bid(call, 11 - borrowed, 16 - borrowed, {suit: 5})
        if call[0] == "3" and points >= 14 and length >= 6 and hand.good(suit):
            yield Bid(call, 13, 17, {suit: 6})


def _take_out(position: Position, points: int, borrowed: int) -> Iterator[Bid]:
    """Opening strength, short in their suit, support for the rest, four cards in a lone major."""
    hand, theirs = position.hand, position.their_suits
    unbid = [suit for suit in "SHDC" if suit not in theirs]
    majors = [suit for suit in unbid if suit in MAJORS]
    short = all(hand.length(suit) <= 2 for suit in theirs)
    supports = all(hand.length(suit) >= (4 if len(theirs) > 1 else 3) for suit in unbid)
    supports = supports and any(hand.length(suit) >= 4 for suit in majors)
    if short and supports and points >= 12 + (position.last is not None and position.last.level == 3):
        yield _double(position, 12 - borrowed)


def _double(position: Position, low: int) -> Bid:
    unbid = [suit for suit in "SHDC" if suit not in position.their_suits]
    lone = sum(suit in MAJORS for suit in unbid) == 1
    suits = {suit: 4 if suit in MAJORS and lone else 3 for suit in unbid} if low < 17 else {}
    return Bid("X", low, suits=suits, forcing=True, question="takeout")


def _jumps(position: Position) -> Iterator[Bid]:
    """Weak, as an opening of the same bid."""
    hand, suit = position.hand, position.hand.longest
    opened = len([bid for bid in position.history if bid.denomination]) == 1
    call = position.cheapest(suit, 1)
    weak = 5 <= hand.hcp <= 10 and hand.good(suit) and suit not in position.their_suits
    if opened and weak and position.opening.level == 1 and hand.length(suit) >= int(call[0]) + 4:
        yield Bid(call, 5, 10, {suit: hand.length(suit)})
