"""Opener's second bid after opening one in a suit, with or without interference."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .openings import balanced_bid
from .position import Position


def rebids(position: Position) -> Iterator[Bid]:
    suit, answer = position.opening.denomination, position.partner_last
    if answer.trump == suit:
        yield from _after_a_cue_bid(position, suit)
    elif answer.denomination == suit:
        yield from _after_a_raise(position, suit)
    elif answer.denomination == "NT":
        yield from _after_notrump(position, suit)
    else:
        yield from _raising_partner(position)
        if position.right.call == "Pass":
            yield from _after_a_new_suit(position, suit)
        else:
            yield from _free(position, suit)


def _after_a_raise(position: Position, suit: str) -> Iterator[Bid]:
    points, total = position.hand.points(suit), position.hand.points(suit) + position.partner.low
    if suit in MAJORS and not position.game_reached:
        if total >= 25 or (position.partner_last.invites and total >= 24):
            yield Bid(f"4{suit}", 14)
        if points >= 16 and position.partner_last.level == 2 and not position.contested:
            yield Bid(f"3{suit}", 16, 18, invites=True)
    if suit not in MAJORS and not position.contested and position.hand.balanced and position.hand.hcp >= 18:
        yield balanced_bid("3NT", 18, 19)


def _after_a_cue_bid(position: Position, suit: str) -> Iterator[Bid]:
    """Partner has at least a limit raise: game unless this is a minimum."""
    hand = position.hand
    if suit in MAJORS and hand.points(suit) >= 14:
        yield Bid(f"4{suit}", 14)
    if suit not in MAJORS and hand.hcp >= 14 and all(hand.stops(theirs) for theirs in position.their_suits):
        yield Bid("3NT", 14)
    yield Bid(position.cheapest(suit), 12, 13)


def _after_notrump(position: Position, suit: str) -> Iterator[Bid]:
    hand, answer = position.hand, position.partner_last
    length, total = hand.length(suit), hand.points() + (answer.low + answer.high + 1) // 2
    if suit in MAJORS and length >= 6 and total >= 25:
        yield Bid(f"4{suit}", 16, suits={suit: 6})
    if total >= 33 and answer.level == 3:
        yield Bid("6NT")
    if answer.level == 3:
        yield Bid("Pass")
    if total >= 26 or (answer.invites and total >= 25):
        yield balanced_bid("3NT", 13, 21)
    if answer.level == 2:
        yield Bid("Pass")
    if hand.balanced and hand.hcp >= 18:
        yield balanced_bid("2NT", 18, 19, invites=True)
    if length >= 6:
        yield Bid(f"{3 if hand.hcp >= 16 else 2}{suit}", 12, 18 if hand.hcp >= 16 else 15, {suit: 6})
    yield from _second_suits(position, suit)
    yield Bid("Pass")


def _raising_partner(position: Position) -> Iterator[Bid]:
    """Four-card support, or three cards where partner has shown five."""
    hand, partner = position.hand, position.partner
    for suit in sorted("SHDC", key=lambda name: partner.suits[name], reverse=True):
        if partner.suits[suit] >= 4 and position.fit(suit) >= 8:
            points = hand.points(suit)
            if suit in MAJORS and points + partner.low >= 25:
                yield Bid(f"4{suit}", 19 if partner.low < 10 else 15, 21, {suit: 3})
            if points >= 16 and (suit in MAJORS or not hand.balanced):
                yield Bid(position.cheapest(suit, 1), 16, 18, {suit: 3}, invites=True)
            if suit in MAJORS or not hand.balanced:
                yield Bid(position.cheapest(suit), 12, 15, {suit: 3})


def _after_a_new_suit(position: Position, suit: str) -> Iterator[Bid]:
    hand = position.hand
    over_one = position.partner_last.level < 2
    if over_one and position.cheapest("S") == "1S" and hand.length("S") >= 4:
        yield Bid("1S", 12, 18, {"S": 4})
    if hand.balanced:
        yield from _balanced(position, over_one)
    if hand.length(suit) >= 6:
        yield from _long_suit(position, suit)
    yield from _second_suits(position, suit)
    partners = position.partner_last.denomination
    if over_one and partners in MAJORS and hand.length(partners) == 3 and hand.shape[-1] <= 1:
        yield Bid(position.cheapest(partners), 12, 15, {partners: 3})
    if hand.length(suit) >= 5:
        yield Bid(position.cheapest(suit), 12, 15, {suit: 5})
    yield Bid(position.cheapest("NT"), 12, 14)


def _balanced(position: Position, over_one: bool) -> Iterator[Bid]:
    hcp = position.hand.hcp
    if hcp >= 18:
        call = position.cheapest("NT", 1)
        yield balanced_bid(call, 18, 19)
    yield balanced_bid(position.cheapest("NT"), 12, 14)


def _long_suit(position: Position, suit: str) -> Iterator[Bid]:
    points = position.hand.hcp
    if points >= 19 and suit in MAJORS:
        yield Bid(f"4{suit}", 19, 21, {suit: 6})
    if points >= 16:
        yield Bid(position.cheapest(suit, 1), 16, 18, {suit: 6}, invites=True)
    yield Bid(position.cheapest(suit), 12, 15, {suit: 6})


def _second_suits(position: Position, first: str) -> Iterator[Bid]:
    """Lower suits with any strength, higher ones (a reverse) with 17, a jump with 19 and game forcing."""
    hand = position.hand
    for suit in sorted("CDHS", key=hand.length, reverse=True):
        if suit == first or hand.length(suit) < 4:
            continue
        call = position.cheapest(suit)
        reverse = call > f"2{first}" and "SHDC".index(suit) < "SHDC".index(first)
        if call > "3" and hand.hcp < 15:
            continue
        if hand.hcp >= 19 and not reverse:
            jump = position.cheapest(suit, 1) if call[0] < "3" else call
            yield Bid(jump, 19, 21, {suit: 4}, forcing=True, to_game=True)
        if reverse and call[0] == "2" and hand.hcp >= 17:
            yield Bid(call, 17, 21, {suit: 4, first: 5}, forcing=True)
        if not reverse:
            yield Bid(call, 12, 18, {suit: 4})


def _free(position: Position, suit: str) -> Iterator[Bid]:
    """An opponent has bid: a minimum without a long suit may pass."""
    hand = position.hand
    if hand.length(suit) >= 6 and position.cheapest(suit) and position.cheapest(suit)[0] == "2":
        yield Bid(position.cheapest(suit), 12, 16, {suit: 6})
    if hand.balanced and hand.hcp >= 18 and all(hand.stops(theirs) for theirs in position.their_suits):
        yield balanced_bid(position.cheapest("NT"), 18, 19)
    for other in "SHDC":
        call = position.cheapest(other)
        new = other not in position.their_suits + suit and hand.length(other) >= 4
        if new and call[:1] in ("1", "2") and (call < f"2{suit}" or hand.hcp >= 17):
            yield Bid(call, 12, 18, {other: 4})
