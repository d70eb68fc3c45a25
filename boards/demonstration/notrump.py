"""Stayman and transfers, and what follows them, over any balanced notrump bid of one or two."""

from collections.abc import Iterator

from .bid import Bid
from .hand import MAJORS
from .position import Position
from .words import NAMES

_TRANSFERS = {"H": "D", "S": "H"}


def notrump_responses(position: Position) -> Iterator[Bid]:
    """`position.partner_last` is the notrump bid; 25 points make a game."""
    hand, opening = position.hand, position.partner_last
    level = opening.level + 1
    game = 25 - opening.low
    invites = 25 - opening.high if opening.level == 1 else game
    for major in sorted(MAJORS, key=hand.length, reverse=True):
        if hand.length(major) >= 5:
            yield Bid(
                f"{level}{_TRANSFERS[major]}",
                suits={major: 5},
                forcing=True,
                question="transfer",
                trump=major,
                explanation=f"Transfer: five or more {NAMES[major]}",
            )
    four = any(hand.length(major) == 4 for major in MAJORS)
    if four and hand.hcp >= invites and hand.shape[0] > 3 + (hand.shape[1] == 3):
        yield Bid(
            f"{level}C",
            invites,
            forcing=True,
            question="stayman",
            explanation="Stayman: asks for a four-card major",
        )
    yield from _raises(hand.points(), invites, game)
    yield Bid("Pass", high=max(invites - 1, 0))


def _raises(points: int, invites: int, game: int) -> Iterator[Bid]:
    """In notrump; a good opener of 33 points together makes a slam."""
    if points >= game + 8:
        yield Bid("6NT", game + 8)
    if points >= game + 6:
        yield Bid("4NT", game + 6, game + 7, invites=True)
    if points >= game:
        yield Bid("3NT", game, game + 5)
    if points >= invites:
        yield Bid("2NT", invites, game - 1, invites=True)


def after_stayman(position: Position) -> Iterator[Bid]:
    hand, answer = position.hand, position.partner_last
    partner, suit = position.partner, answer.denomination
    if suit in MAJORS and hand.length(suit) >= 4:
        points = hand.points(suit)
        if points + partner.low >= 33:
            yield keycard_question(suit)
        if points + partner.low >= 25:
            yield Bid(f"4{suit}", 25 - partner.low, 32 - partner.low, {suit: 4})
        yield Bid(f"3{suit}", 25 - partner.high, 24 - partner.low, {suit: 4}, invites=True)
    other = {major: 4 for major in MAJORS if suit == "H" != major and hand.length(major) >= 4}
    yield from _notrump(position, other)


def _notrump(position: Position, suits: dict[str, int]) -> Iterator[Bid]:
    partner, points = position.partner, position.hand.points()
    if points + partner.low >= 33:
        yield Bid("6NT", 33 - partner.low, suits=suits)
    if points + partner.low >= 31:
        yield Bid("4NT", 31 - partner.low, 32 - partner.low, suits, invites=True)
    if points + partner.low >= 25:
        yield Bid("3NT", 25 - partner.low, 30 - partner.low, suits)
    yield Bid("2NT", 25 - partner.high, 24 - partner.low, suits, invites=True)
    yield Bid("3NT", suits=suits)


def after_transfer(position: Position) -> Iterator[Bid]:
    hand, suit = position.hand, position.mine[-1].trump
    partner, length = position.partner, position.hand.length(suit)
    points = hand.points(suit) if length > 5 else hand.points()
    if length > 5 and points + partner.low >= 33:
        yield keycard_question(suit)
    if points + partner.low >= 25:
        yield from _game_after_transfer(position, suit)
    if points + partner.high >= 25:
        invitation = f"3{suit}" if length > 5 else "2NT"
        yield Bid(invitation, 25 - partner.high, 24 - partner.low, {suit: length}, invites=True)
    yield Bid("Pass", high=24 - partner.high)


def _game_after_transfer(position: Position, suit: str) -> Iterator[Bid]:
    hand, low = position.hand, 25 - position.partner.low
    other = next((s for s in "SHDC" if s != suit and hand.length(s) >= 4), "")
    call = position.cheapest(other) if other else ""
    if hand.length(suit) > 5:
        yield Bid(f"4{suit}", low, low + 7, {suit: 6})
    if call and call[0] <= "3" and position.hand.shape[-1] <= 1:
        yield Bid(call, low, suits={suit: 5, other: 4}, forcing=True, to_game=True)
    yield from _notrump(position, {suit: 5})


def keycard_question(trump: str) -> Bid:
    return Bid(
        "4NT",
        forcing=True,
        question="keycards",
        trump=trump,
        explanation=f"Roman key-card Blackwood for {NAMES[trump]}",
    )
