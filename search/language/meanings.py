"""What words mean that are asked of several facts: a game, a good suit, who is vulnerable, the turn of the opener."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from bridge.cards import RANKS, SUITS
from bridge.names import DENOMINATIONS, SEAT_KEYS, SUIT_NAMES
from bridge.seats import SEATS, Seat
from search.conditions import Between, Condition, Not, OneOf, either, every, exactly
from search.facts import choice, number

Ends = tuple[int | None, int | None]
"""The least and the greatest number that is meant. None leaves that end open."""


def is_seat(fact: str, *seats: Seat) -> OneOf:
    return OneOf(choice(fact), tuple(seat.value for seat in seats))


DECLARING = {"ns": is_seat("declarer", *SEATS[0::2]), "ew": is_seat("declarer", *SEATS[1::2])}
"""The side that plays the contract."""

# --- Contracts and results -----------------------------------------------------------------------------------------


def is_in(*denominations: str) -> OneOf:
    return OneOf(choice("denomination"), denominations)


GAME = either(
    [
        every([exactly("level", 3), is_in("NT")]),
        every([exactly("level", 4), is_in("H", "S", "NT")]),
        exactly("level", 5),
    ]
)
PARTSCORE = every([Between(number("level"), 1, 4), Not(GAME)])
SLAM = Between(number("level"), low=6)

NEEDED: Mapping[str, Mapping[str, int]] = {
    "game": {"C": 11, "D": 11, "H": 10, "S": 10, "NT": 9},
    "slam": dict.fromkeys(DENOMINATIONS, 12),
    "grand": dict.fromkeys(DENOMINATIONS, 13),
}
"""The tricks that it takes in each denomination."""


def vulnerable(side: str) -> OneOf:
    return OneOf(choice("vulnerability"), (side.upper(), "All"))


VULNERABLE = {
    "declarer": either(every([plays, vulnerable(side)]) for side, plays in DECLARING.items()),
    "defence": either(every([DECLARING[other], vulnerable(side)]) for side, other in (("ns", "ew"), ("ew", "ns"))),
}


def led(suit: str) -> OneOf:
    return OneOf(choice("lead"), tuple(suit + rank for rank in RANKS))


TRUMP_LED = either(every([is_in(suit), led(suit)]) for suit in SUITS)


def in_turn(ends: Ends, prefix: str) -> Condition:
    """Return the condition that the opener was the first to call, the second, or up to the fourth."""
    first, last = ends[0] or 1, 4 if ends[1] is None else ends[1]
    return either(
        every([is_seat("dealer", dealer), is_seat("opener", *dealer.clockwise()[first - 1 : last])]) for dealer in SEATS
    )


# --- Hands ---------------------------------------------------------------------------------------------------------

BALANCED = ("4333", "4432", "5332")


def held(cards: Iterable[str], prefix: str) -> Condition:
    """Return the condition that a hand has all of these cards."""
    seat = SEATS[SEAT_KEYS.index(prefix.removesuffix("."))]
    return every(is_seat(f"holder.{card}", seat) for card in cards)


def good(suit: str, prefix: str) -> Condition:
    """Return the condition that a hand has two of the top three honours of a suit, or all."""
    return either(held((suit + one, suit + other), prefix) for one, other in combinations("AKQ", 2))


def shaped(shapes: tuple[str, ...], prefix: str) -> OneOf:
    return OneOf(choice(f"{prefix}shape"), shapes)


def longest(ends: Ends, prefix: str) -> Condition:
    """Return the condition on the cards of a hand's longest suit: one has so many, and none has more."""
    low, high = ends
    has_them = [] if low is None else [either(of_suits(prefix, low=low))]
    return every([*has_them, *([] if high is None else of_suits(prefix, high=high))])


def shortest(ends: Ends, prefix: str) -> Condition:
    """Return the condition on the cards of a hand's shortest suit: one has so few, and none has fewer."""
    low, high = ends
    has_them = [] if high is None else [either(of_suits(prefix, high=high))]
    return every([*has_them, *([] if low is None else of_suits(prefix, low=low))])


def of_suits(prefix: str, low: int | None = None, high: int | None = None) -> list[Condition]:
    return [Between(number(prefix + suit), low, high) for suit in SUIT_NAMES.values()]
