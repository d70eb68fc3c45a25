"""The answer to partner's take-out double or overcall."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .interference import natural_notrump
from .openings import balanced_bid
from .position import Position
from .words import NAMES


def advances(position: Position) -> Iterator[Bid]:
    if position.partner_last.question == "takeout":
        yield from _after_a_double(position)
    elif position.partner_last.denomination in list("SHDC"):
        yield from _after_an_overcall(position)


def _after_a_double(position: Position) -> Iterator[Bid]:
    hand, free = position.hand, position.right.call != "Pass"
    if free and hand.hcp < 7:
        yield Bid("Pass", high=6)
    suit = _best_unbid(position)
    points = hand.points(suit) if hand.length(suit) >= 4 else hand.hcp
    if suit in MAJORS and hand.length(suit) >= 4:
        yield from _in_a_suit(position, suit, points)
    yield from natural_notrump(position)
    yield from _in_a_suit(position, suit, points)


def _best_unbid(position: Position) -> str:
    """The longest, a four-card major before a minor of five."""
    unbid = [suit for suit in "SHDC" if suit not in position.their_suits]
    hand = position.hand
    return max(unbid, key=lambda suit: hand.length(suit) + 1.5 * (suit in MAJORS and hand.length(suit) > 3))


def _in_a_suit(position: Position, suit: str, points: int) -> Iterator[Bid]:
    length = position.hand.length(suit)
    if suit in MAJORS and points >= 13 and length >= 4:
        yield Bid(f"4{suit}", 12, suits={suit: 4})
    jump = position.cheapest(suit, 1)
    if points >= 9 and jump[:1] <= "3" and position.right.call == "Pass":
        yield Bid(jump, 9, 12, {suit: min(length, 4)}, invites=True)
    call = position.cheapest(suit)
    if call[:1] <= "2" or points >= 9 or position.right.call == "Pass":
        yield Bid(call, 0, 8, {suit: min(length, 4)})


def after_a_cue_bid(position: Position) -> Iterator[Bid]:
    """Overcaller's answer: game with an opening hand."""
    suit = position.partner_last.trump
    if suit in MAJORS and position.hand.points(suit) >= 14:
        yield Bid(f"4{suit}", 14)
    yield Bid(position.cheapest(suit), 8, 13)


def _after_an_overcall(position: Position) -> Iterator[Bid]:
    hand, suit = position.hand, position.partner_last.denomination
    length, points = hand.length(suit), hand.points(suit)
    if position.fit(suit) >= 8:
        yield from _raises(position, suit, points)
    if points >= 8 + 2 * (position.partner.low < 11) and hand.hcp <= 12 and length < 3:
        yield from _notrump(position)
    if hand.hcp + position.partner.low >= 25:
        yield from _game_in_notrump(position)
    for own in sorted("SHDC", key=hand.length, reverse=True):
        call = position.cheapest(own)
        new = own not in position.their_suits + suit and hand.length(own) >= 5
        if new and hand.hcp >= 10 and call[0] <= "2" and hand.good(own):
            yield Bid(call, 10, 14, {own: 5})


def _raises(position: Position, suit: str, points: int) -> Iterator[Bid]:
    fit, theirs = position.fit(suit), position.their_suits
    if fit >= 10 and position.hand.hcp <= 9 and suit in MAJORS:
        yield Bid(f"4{suit}", 3, 9, {suit: 5})
    if points >= 11 and suit in MAJORS and points + position.partner.low >= 25:
        yield Bid(f"4{suit}", 13, suits={suit: 3})
    cue = position.cheapest(theirs[0]) if len(theirs) == 1 else ""
    if points >= 11 and cue and cue < f"3{suit}":
        yield Bid(
            cue,
            11,
            suits={suit: 3},
            forcing=True,
            trump=suit,
            explanation=f"Cue-bid: a good raise in {NAMES[suit]}",
        )
    if fit >= 9 and points <= 9 and position.cheapest(suit)[:1] == "2":
        yield Bid(position.cheapest(suit, 1), 4, 9, {suit: 4})
    if points >= 6 and position.cheapest(suit)[:1] <= ("3" if fit >= 9 or points >= 10 else "2"):
        yield Bid(position.cheapest(suit), 6, 10, {suit: 3})


def _notrump(position: Position) -> Iterator[Bid]:
    call, hand = position.cheapest("NT"), position.hand
    if all(hand.stops(suit) for suit in position.their_suits) and call[0] <= "2" and hand.shape[-1] > 1:
        yield balanced_bid(call, 8, 12)


def _game_in_notrump(position: Position) -> Iterator[Bid]:
    if all(position.hand.stops(suit) for suit in position.their_suits):
        yield balanced_bid("3NT", 13, 18)
