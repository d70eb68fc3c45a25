"""After the strong two clubs, its waiting answer, and over partner's preempts."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .openings import balanced_bid
from .position import Position


def strong_rebids(position: Position) -> Iterator[Bid]:
    hand = position.hand
    if hand.balanced and hand.hcp <= 24:
        yield balanced_bid("2NT", 22, 24, question="notrump")
    if hand.balanced:
        yield Bid("3NT", 25, 27, dict.fromkeys("SHDC", 2))
    suit = hand.longest
    yield Bid(position.cheapest(suit), 22, suits={suit: 5}, forcing=True, to_game=True)


def after_waiting(position: Position) -> Iterator[Bid]:
    """Responder's second bid: a raise (stronger below game), a five-card suit, or notrump."""
    hand, suit = position.hand, position.partner_last.denomination
    if suit in MAJORS and hand.length(suit) >= 3:
        if hand.hcp >= 5:
            yield Bid(f"3{suit}", 5, suits={suit: 3}, forcing=True, to_game=True)
        yield Bid(f"4{suit}", 0, 4, {suit: 3})
    for own in sorted(MAJORS, key=hand.length, reverse=True):
        if own != suit and hand.length(own) >= 5:
            yield Bid(position.cheapest(own), 0, suits={own: 5}, forcing=True, to_game=True)
    yield Bid(position.cheapest("NT"), 0, 9, to_game=True, forcing=True)


def over_a_preempt(position: Position) -> Iterator[Bid]:
    """Game with an opening and a fit; the level of the fit with less; else leave partner there."""
    hand, opening = position.hand, position.partner_last
    suit, fit = opening.denomination, position.fit(opening.denomination)
    tricks = hand.hcp + (3 if fit >= 9 else 0)
    if suit in MAJORS and fit >= 8 and tricks >= 16:
        yield Bid(f"4{suit}")
    if (
        hand.hcp >= 16
        and all(hand.stops(other) for other in "SHDC" if other != suit)
        and hand.length(suit) >= 2
    ):
        yield Bid("3NT")
    strong_own = [own for own in MAJORS if hand.length(own) >= 6 and own != suit]
    if strong_own and hand.hcp >= 16:
        yield Bid(f"4{strong_own[0]}", suits={strong_own[0]: 6})
    if opening.level == 2 and fit >= 9 and hand.hcp >= 6:
        yield Bid(f"{min(fit - 6, 4)}{suit}", 6, 12, {suit: fit - 6})
    yield Bid("Pass")
