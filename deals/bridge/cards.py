"""The names of the 52 cards."""

from .errors import BridgeError

SUITS = "SHDC"
RANKS = "AKQJT98765432"

DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)
"""In the order of the deal key: spades ace to two, then hearts, diamonds, clubs."""

POSITION = {card: place for place, card in enumerate(DECK)}


def check_card(card: str) -> None:
    """`malformed_card` unless it is spelt as in `DECK`."""
    if card not in POSITION:
        raise BridgeError("malformed_card", f"{card[:20]!r} is not a card: a suit, then a rank, as in HT.")


def parse_card(text: str) -> str:
    """The canonical spelling of a card in either case, "10" for the ten too; `malformed_card` otherwise."""
    card = text.strip().upper().replace("10", "T")
    check_card(card)
    return card


def outranks(card: str, other: str, trump: str | None) -> bool:
    """Whether `card` beats `other`, played before it in the same trick (Law 44E, 44F)."""
    if card[0] == other[0]:
        return POSITION[card] < POSITION[other]
    return card[0] == trump
