"""What partner's question is answered with."""

from collections.abc import Callable, Iterator

from .bid import Bid
from .notrump import notrump_responses
from .position import Position
from .words import NAMES


def _stayman(position: Position) -> Iterator[Bid]:
    level = position.partner_last.level
    for major in "HS":
        if position.hand.length(major) >= 4:
            yield Bid(f"{level}{major}", suits={major: 4})
    yield Bid(f"{level}D", explanation="No four-card major")


def _transfer(position: Position) -> Iterator[Bid]:
    hand, suit, strongest = position.hand, position.partner_last.trump, position.mine[-1].high
    if hand.length(suit) >= 4 and hand.hcp >= strongest and position.mine[-1].level == 1:
        yield Bid(position.cheapest(suit, 1), strongest, strongest, {suit: 4})
    yield Bid(position.cheapest(suit))


def _strong(_: Position) -> Iterator[Bid]:
    yield Bid(
        "2D", forcing=True, question="waiting", explanation="Waiting: artificial, says nothing about diamonds"
    )


def _jacoby(position: Position) -> Iterator[Bid]:
    hand, trump = position.hand, position.partner_last.trump
    for suit in "CDHS":
        if suit != trump and hand.length(suit) <= 1:
            yield Bid(
                f"3{suit}", 12, forcing=True, to_game=True, explanation=f"Singleton or void in {NAMES[suit]}"
            )
    if hand.points(trump) >= 18:
        yield Bid(f"3{trump}", 18, forcing=True, to_game=True, explanation="Extra values, no short suit")
    if hand.points(trump) >= 15:
        yield Bid("3NT", 15, 17, forcing=True, to_game=True, explanation="15-17 points, no short suit")
    yield Bid(f"4{trump}", 12, 14, explanation="A minimum without a short suit")


def _keycards(position: Position) -> Iterator[Bid]:
    hand, trump = position.hand, position.partner_last.trump
    count = hand.keycards(trump)
    queen = "Q" in hand.suits[trump] or position.fit(trump) >= 10
    if count in (1, 4):
        yield Bid("5C", explanation="One or four key cards")
    if count in (0, 3):
        yield Bid("5D", explanation="None or three key cards")
    if queen:
        yield Bid("5S", explanation="Two or five key cards with the queen of trumps")
    yield Bid("5H", explanation="Two or five key cards without the queen of trumps")


ANSWERS: dict[str, Callable[[Position], Iterator[Bid]]] = {
    "notrump": notrump_responses,
    "stayman": _stayman,
    "transfer": _transfer,
    "strong": _strong,
    "jacoby": _jacoby,
    "keycards": _keycards,
}


def after_keycards(position: Position) -> Iterator[Bid]:
    """Six with at most one key card missing, seven with none, the queen and 37 points; else five."""
    hand, trump = position.hand, position.mine[-1].trump
    mine = hand.keycards(trump)
    missing = 5 - mine - _count(position, 5 - mine)
    if (
        missing <= 0
        and position.partner_last.call == "5S"
        and hand.points(trump) + position.partner.low >= 37
    ):
        yield Bid(f"7{trump}")
    if missing <= 1:
        yield Bid(f"6{trump}")
    yield Bid("Pass" if position.partner_last.denomination == trump else f"5{trump}")
    yield Bid(f"6{trump}")


def _count(position: Position, most: int) -> int:
    """Partner's key cards: the higher reading where the cards and an opening's strength allow it."""
    low, high = {"5C": (1, 4), "5D": (0, 3)}.get(position.partner_last.call, (2, 2))
    return high if high <= most and position.partner.low >= 12 else low
