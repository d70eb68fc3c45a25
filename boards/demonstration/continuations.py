"""Every later call: both hands are known by now within limits, so add them up and place the contract."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .notrump import keycard_question
from .openings import balanced_bid
from .position import Position


def continuations(position: Position) -> Iterator[Bid]:
    """Uncontested, or partner has just bid; see `competing` for when an opponent has."""
    if not position.game_reached or position.partner_last.forcing:
        yield from _slams(position)
        yield from _games(position)
        yield from _invitations(position)
        yield from _sign_offs(position)
    elif position.partner_last.call == "3NT":
        yield from _corrections(position)
    elif position.partner_last.call == "4NT" and position.hand.hcp + position.partner.high >= 33:
        yield Bid("6NT")
    yield Bid("Pass")


def best_fit(position: Position) -> str:
    """Eight cards or more, majors first; "" when there is no fit."""
    fits = [suit for suit in "SHDC" if position.fit(suit) >= 8 and position.hand.length(suit) >= 2]
    return max(fits, key=lambda suit: (suit in MAJORS, position.fit(suit)), default="")


def combined(position: Position) -> tuple[int, int]:
    """The least and most points of the two hands, as far as the player knows."""
    fit = best_fit(position)
    points = position.hand.points(fit) if fit else position.hand.hcp
    return points + position.partner.low, points + position.partner.high


def _slams(position: Position) -> Iterator[Bid]:
    low, _ = combined(position)
    fit = best_fit(position)
    if low >= 33 and fit and not position.contested:
        yield keycard_question(fit)
    if low >= 33 and not fit and notrump_is_safe(position):
        yield Bid("6NT")


def _games(position: Position) -> Iterator[Bid]:
    low, high = combined(position)
    invited = position.partner_last.invites
    enough = (low + min(high, low + 2) + 1) // 2 if invited else low
    if enough < 25 and not _game_forced(position):
        return
    fit = best_fit(position)
    if fit in MAJORS and fit:
        yield Bid(f"4{fit}", suits={fit: 3})
    if notrump_is_safe(position):
        yield balanced_bid("3NT", 12, 18)
    yield from _fourth_suit(position)
    own = position.hand.longest
    if own in MAJORS and position.hand.length(own) >= 6:
        yield Bid(f"4{own}", suits={own: 6})
    if fit and (low >= 27 or (position.last is not None and position.last.call > "3NT")):
        yield Bid(f"5{fit}")
    yield Bid("3NT")


def _game_forced(position: Position) -> bool:
    return any(bid.to_game for bid in position.mine + position.partners)


def notrump_is_safe(position: Position) -> bool:
    """Every suit is stopped here, or shown by partner, who vouches for all by bidding notrump."""
    if any(bid.denomination == "NT" and not bid.question for bid in position.partners):
        return True
    shown = [suit for suit in "SHDC" if position.partner.suits[suit] >= 3]
    return all(suit in shown or position.hand.stops(suit) for suit in "SHDC")


def _fourth_suit(position: Position) -> Iterator[Bid]:
    unbid = position.unbid
    if len(unbid) != 1 or position.contested or len(position.mine) - position.passed_hand > 1:
        return
    first = position.mine[-1].denomination
    call = position.cheapest(unbid)
    if first in "SHDC" and first and call[0] <= "3":
        suits = {first: 5} if position.hand.length(first) >= 5 else {}
        yield Bid(
            call,
            12,
            suits=suits,
            forcing=True,
            to_game=True,
            explanation="Fourth suit: artificial, forcing to game",
        )


def _invitations(position: Position) -> Iterator[Bid]:
    low, high = combined(position)
    invited = any(bid.invites for bid in position.mine + position.partners)
    if low < 22 or high < 25 or invited or position.game_reached:
        return
    fit, points = best_fit(position), position.hand.points()
    if fit and position.last and position.last.call < f"3{fit}":
        yield Bid(f"3{fit}", points - 1, points + 1, {fit: position.hand.length(fit)}, invites=True)
    own = position.hand.longest
    if position.hand.length(own) >= 6 and own in MAJORS:
        yield Bid(f"3{own}", points - 1, points + 1, {own: 6}, invites=True)
    if notrump_is_safe(position) or not fit:
        yield balanced_bid("2NT", points - 1, points + 1, invites=True)


def _sign_offs(position: Position) -> Iterator[Bid]:
    """The best known trump suit at the lowest level; the present contract when nothing is better."""
    last, hand = position.last, position.hand
    if last is None:
        return
    present = 7.0 if last.denomination == "NT" else position.fit(last.denomination)
    if last.denomination == "NT" and hand.shape[-1] <= 1:
        present = 6.5
    for suit in sorted("SHDC", key=position.fit, reverse=True):
        call = position.cheapest(suit)
        length = position.fit(suit) + (hand.length(suit) >= 6 and not position.partner.suits[suit])
        ours = position.partner.suits[suit] >= 3 or hand.length(suit) >= 6
        better = length > present or (position.forced and length >= 6)
        if ours and better and suit not in position.their_suits and call[:1] <= str(max(last.level, 2)):
            yield Bid(
                call, position.mine[-1].low if position.mine else 0, 10, {suit: min(hand.length(suit), 6)}
            )
    if position.forced and position.cheapest("NT") <= "3NT":
        yield Bid(position.cheapest("NT"), 6, 10)
    yield Bid("Pass")


def _corrections(position: Position) -> Iterator[Bid]:
    """Out of 3NT into a major-suit fit that partner has offered."""
    for suit in MAJORS:
        offered = position.partner_last.suits.get(suit, 0) >= 4
        if offered and position.fit(suit) >= 8 and position.hand.shape != (4, 3, 3, 3):
            yield Bid(f"4{suit}")
