"""The answer to partner's opening of one in a suit when the next player passes."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .openings import balanced_bid
from .position import Position
from .words import NAMES


def responses(position: Position) -> Iterator[Bid]:
    suit = position.partner_last.denomination
    if position.hand.points(suit if position.hand.length(suit) > 3 else None) < 6:
        yield Bid("Pass", high=5)
    if suit in MAJORS:
        yield from _raises_of_a_major(position, suit)
        yield from _new_suits_over_a_major(position, suit)
    else:
        yield from _new_suits_over_a_minor(position, suit)
        yield from _raises_of_a_minor(position, suit)
        yield from _notrump_over_a_minor(position)
    yield Bid("1NT", 6, 10)


def _raises_of_a_major(position: Position, suit: str) -> Iterator[Bid]:
    hand, length = position.hand, position.hand.length(suit)
    points = hand.points(suit)
    if length >= 5 and hand.hcp <= 9 and hand.shape[-1] <= 1:
        yield Bid(f"4{suit}", 3, 9, {suit: 5})
    if length >= 4 and points >= 13 and not position.passed_hand:
        yield Bid(
            "2NT",
            13,
            37,
            {suit: 4},
            forcing=True,
            to_game=True,
            question="jacoby",
            trump=suit,
            explanation=f"Game-forcing raise with four or more {NAMES[suit]}",
        )
    if length >= 4 and points >= 10:
        yield Bid(f"3{suit}", 10, 12, {suit: 4}, invites=True)
    if length >= 3 and points <= 9:
        yield Bid(f"2{suit}", 6, 9, {suit: 3})


def _new_suits_over_a_major(position: Position, suit: str) -> Iterator[Bid]:
    hand, forcing = position.hand, not position.passed_hand
    if suit == "H" and hand.length("S") >= 4:
        yield Bid("1S", 6, suits={"S": 4}, forcing=forcing)
    if suit == "S" and hand.length("H") >= 5 and hand.hcp >= 10:
        yield Bid("2H", 10, suits={"H": 5}, forcing=forcing)
    minor = max("CD", key=hand.length)
    if hand.hcp >= 10 and hand.length(minor) >= 4:
        yield Bid(f"2{minor}", 10, suits={minor: 4}, forcing=forcing)
    if hand.hcp >= 13:
        yield balanced_bid("3NT", 13, 15)
    if hand.hcp >= 10 and hand.length(suit) >= 3:
        yield Bid(f"3{suit}", 10, 12, {suit: 3}, invites=True)


def _new_suits_over_a_minor(position: Position, suit: str) -> Iterator[Bid]:
    hand, forcing = position.hand, not position.passed_hand
    long = hand.length("D") > max(4, hand.length("S"), hand.length("H"))
    if suit == "C" and long and hand.hcp >= 12:
        yield Bid("1D", 6, suits={"D": 4}, forcing=forcing)
    for major in _majors_in_order(position):
        yield Bid(f"1{major}", 6, suits={major: 4}, forcing=forcing)
    if suit == "C" and hand.length("D") >= 4 and not (hand.balanced and hand.length("D") < 5):
        yield Bid("1D", 6, suits={"D": 4}, forcing=forcing)


def _majors_in_order(position: Position) -> list[str]:
    """Four-card suits up the line, the longer first, spades of two five-card suits."""
    hand = position.hand
    held = [major for major in MAJORS if hand.length(major) >= 4]
    if len(held) == 2 and hand.length("S") == hand.length("H") == 4:
        return ["H", "S"]
    return sorted(held, key=hand.length, reverse=True)


def _raises_of_a_minor(position: Position, suit: str) -> Iterator[Bid]:
    hand = position.hand
    enough = hand.length(suit) >= 5 or (suit == "D" and hand.length(suit) == 4 and not hand.balanced)
    if enough and 6 <= hand.points(suit) <= 9:
        yield Bid(f"2{suit}", 6, 9, {suit: 4})
    if enough and 10 <= hand.hcp <= 12 and not hand.balanced:
        yield Bid(f"3{suit}", 10, 12, {suit: 4}, invites=True)
    if suit == "D" and hand.hcp >= 11 and hand.length("C") >= 5:
        yield Bid("2C", 10, suits={"C": 4}, forcing=not position.passed_hand)


def _notrump_over_a_minor(position: Position) -> Iterator[Bid]:
    hcp = position.hand.hcp
    if 11 <= hcp <= 12:
        yield balanced_bid("2NT", 11, 12, invites=True)
    if 13 <= hcp <= 15:
        yield balanced_bid("3NT", 13, 15)
    if 16 <= hcp <= 17:
        yield balanced_bid("4NT", 16, 17, invites=True)
    if hcp >= 18:
        yield balanced_bid("6NT", 18, 37)
