"""The answer to partner's opening when the next player has doubled or bid."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .openings import balanced_bid
from .position import Position
from .words import NAMES


def contested_responses(position: Position) -> Iterator[Bid]:
    opening = position.partner_last
    if opening.denomination == "NT":
        yield from _over_our_notrump(position)
    elif position.right.call == "X":
        yield from _over_a_double(position)
    elif position.right.denomination == "NT":
        yield from _over_their_notrump(position)
    else:
        yield from _over_an_overcall(position)
    yield Bid("Pass", high=9)


def _over_our_notrump(position: Position) -> Iterator[Bid]:
    hand, partner = position.hand, position.partner
    stopped = all(hand.stops(suit) for suit in position.their_suits)
    for suit in sorted(MAJORS, key=hand.length, reverse=True):
        if suit not in position.their_suits and hand.length(suit) >= 5:
            if hand.hcp + partner.low >= 25:
                yield Bid(
                    f"4{suit}" if hand.length(suit) > 5 else f"3{suit}", 10, suits={suit: 5}, forcing=True
                )
            if hand.hcp >= 4 and position.cheapest(suit)[0] == "2":
                yield Bid(position.cheapest(suit), 4, 8, {suit: 5})
    if hand.hcp + partner.low >= 25 and stopped:
        yield balanced_bid("3NT", 10, 15)
    if hand.hcp >= 8 and stopped:
        yield balanced_bid("2NT", 8, 9, invites=True)


def _over_their_notrump(position: Position) -> Iterator[Bid]:
    hand, suit = position.hand, position.partner_last.denomination
    if hand.hcp >= 9:
        yield Bid("X", 9, explanation="Penalties")
    if suit in MAJORS and position.fit(suit) >= 8 and hand.points(suit) >= 6:
        level = 3 if hand.length(suit) > 3 and hand.shape[-1] <= 1 else 2
        yield Bid(f"{level}{suit}", 5, 8, {suit: hand.length(suit)})


def _over_a_double(position: Position) -> Iterator[Bid]:
    hand, suit = position.hand, position.partner_last.denomination
    length, points = hand.length(suit), hand.points(suit)
    if hand.hcp >= 10:
        yield Bid("XX", 10, explanation="Ten or more points")
    if suit in MAJORS and length >= 4 and points <= 9 and hand.hcp >= 3:
        yield Bid(f"{4 if length > 4 else 3}{suit}", 3, 9, {suit: length}, explanation="Pre-emptive raise")
    if length >= 3 + 2 * (suit in "CD") and points >= 6:
        yield Bid(f"2{suit}", 6, 9, {suit: length})
    for own in sorted("HS", key=hand.length, reverse=True):
        if hand.length(own) >= 4 and hand.hcp >= 6 and position.cheapest(own)[0] == "1":
            yield Bid(position.cheapest(own), 6, 9, {own: 4}, forcing=True)
    if hand.hcp >= 7:
        yield balanced_bid("1NT", 7, 9)


def _over_an_overcall(position: Position) -> Iterator[Bid]:
    suit = position.partner_last.denomination
    if position.fit(suit) >= 8:
        yield from _raises(position, suit)
    yield from _negative_double(position, five=False)
    yield from _new_suits(position)
    yield from _negative_double(position, five=True)
    yield from natural_notrump(position)


def _raises(position: Position, suit: str) -> Iterator[Bid]:
    hand, theirs = position.hand, position.their_suits
    points, length = hand.points(suit), hand.length(suit)
    other_major = any(hand.length(major) >= 4 and major not in theirs for major in MAJORS if major != suit)
    if suit not in MAJORS and (other_major or length < 5):
        return
    cue = position.cheapest(theirs[0]) if theirs else ""
    if points >= 10 and cue and cue[0] <= "3":
        yield Bid(
            cue,
            10,
            suits={suit: length},
            forcing=True,
            trump=suit,
            explanation=f"Cue-bid: at least a limit raise in {NAMES[suit]}",
        )
    if suit in MAJORS and length >= 5 and hand.hcp <= 9:
        yield Bid(f"4{suit}", 3, 9, {suit: 5})
    if (
        length >= 4
        and position.cheapest(suit)[:1] == "2"
        and hand.hcp <= 8
        and points <= 9
        and hand.shape[-1] <= 1
    ):
        yield Bid(f"3{suit}", 4, 8, {suit: length})
    if points >= 6 and position.cheapest(suit)[:1] <= ("3" if position.fit(suit) >= 9 else "2"):
        yield Bid(position.cheapest(suit), 6, 9, {suit: length})


def _negative_double(position: Position, *, five: bool) -> Iterator[Bid]:
    """Four cards in the unbid major; with five (`five`) only when too weak to bid it."""
    hand, theirs, mine = position.hand, position.their_suits, position.partner_last.denomination
    unbid = [suit for suit in MAJORS if suit not in theirs + mine]
    level = position.right.level
    if level > 2 or hand.hcp < (6 if level == 1 else 8):
        return
    shown = {suit: 4 for suit in unbid if hand.length(suit) >= 4}
    long = any(hand.length(suit) >= 5 for suit in unbid)
    if shown and (len(shown) == len(unbid) or five) and (five or not long):
        names = " and ".join(NAMES[suit] for suit in shown)
        yield Bid(
            "X", 6 if level == 1 else 8, suits=shown, forcing=True, explanation=f"Negative: four {names}"
        )


def _new_suits(position: Position) -> Iterator[Bid]:
    hand, forcing = position.hand, not position.passed_hand
    for suit in sorted("SHDC", key=hand.length, reverse=True):
        call = position.cheapest(suit)
        if suit in position.their_suits + position.partner_last.denomination or hand.length(suit) < 4:
            continue
        if call[0] == "1" and hand.hcp >= 6 and (hand.length(suit) > 4 or call != "1S"):
            yield Bid(call, 6, suits={suit: 5 if call == "1S" else 4}, forcing=forcing)
        if call[0] == "2" and hand.hcp >= 10 and hand.length(suit) >= 5:
            yield Bid(call, 10, suits={suit: 5}, forcing=forcing)


def natural_notrump(position: Position) -> Iterator[Bid]:
    """With a stopper in each suit of theirs."""
    hand = position.hand
    if not all(hand.stops(suit) for suit in position.their_suits):
        return
    if hand.hcp >= 13:
        yield balanced_bid("3NT", 13, 17)
    if 11 <= hand.hcp <= 12:
        yield balanced_bid("2NT", 11, 12, invites=True)
    if 7 <= hand.hcp <= 10:
        yield balanced_bid("1NT", 7, 10)
