"""The first bid: five-card majors, 15–17 notrump, strong two clubs, weak twos."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS, Hand
from .position import Position


def openings(position: Position) -> Iterator[Bid]:
    hand = position.hand
    if hand.hcp >= 22:
        yield Bid("2C", 22, forcing=True, question="strong", explanation="Strong, artificial and forcing")
    if hand.balanced and 20 <= hand.hcp <= 21:
        yield balanced_bid("2NT", 20, 21, question="notrump")
    if hand.balanced and 15 <= hand.hcp <= 17:
        yield balanced_bid("1NT", 15, 17, question="notrump")
    if _worth_opening(position):
        suit = opening_suit(hand)
        yield Bid(f"1{suit}", 12, 21, {suit: 5 if suit in MAJORS else 3})
    yield from _preempts(position)
    yield Bid("Pass", high=11)


def balanced_bid(call: str, low: int, high: int, *, invites: bool = False, question: str = "") -> Bid:
    """`question` is "notrump" where Stayman and transfers apply."""
    return Bid(call, low, high, dict.fromkeys("SHDC", 2), invites=invites, question=question)


def _worth_opening(position: Position) -> bool:
    """Twelve points or the rule of 20; in fourth seat the rule of 15."""
    hand = position.hand
    if len(position.history) == 3 and hand.hcp < 14:
        return hand.hcp >= 11 and hand.hcp + hand.length("S") >= 15
    return hand.hcp >= 12 or (hand.hcp >= 10 and hand.hcp + sum(hand.shape[:2]) >= 20)


def opening_suit(hand: Hand) -> str:
    """The longer five-card major, else the longer minor; diamonds with four each, clubs with three."""
    majors = [suit for suit in MAJORS if hand.length(suit) >= 5]
    best = max(majors, key=hand.length, default="")
    if best and hand.length(best) >= max(hand.length("C"), hand.length("D")):
        return best
    if hand.length("C") == hand.length("D"):
        return "D" if hand.length("D") > 3 else "C"
    return max("DC", key=hand.length)


def _preempts(position: Position) -> Iterator[Bid]:
    hand, suit = position.hand, position.hand.longest
    length = hand.length(suit)
    if len(position.history) == 3 or not 5 <= hand.hcp <= 10 or not hand.good(suit):
        return
    if length >= 8 and suit in MAJORS:
        yield Bid(f"4{suit}", 5, 10, {suit: 8})
    if length >= 7:
        yield Bid(f"3{suit}", 5, 10, {suit: 7})
    if length == 6 and suit != "C" and not _four_cards_in_another_major(hand, suit):
        yield Bid(f"2{suit}", 5, 10, {suit: 6})


def _four_cards_in_another_major(hand: Hand, suit: str) -> bool:
    return any(hand.length(major) >= 4 for major in MAJORS if major != suit)
