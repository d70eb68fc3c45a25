"""The names of the 52 cards."""

from deals.bridge.errors import BridgeError

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
    if text in POSITION:
        return text
    card = text.strip().upper().replace("10", "T")
    check_card(card)
    return card


def _strengths(led: str, trump: str | None) -> dict[str, int]:
    suits = {led: 13, trump: 26}
    return {card: suits[card[0]] - place % 13 if card[0] in suits else 0 for card, place in POSITION.items()}


STRENGTHS = {trump: {led: _strengths(led, trump) for led in SUITS} for trump in (*SUITS, None)}
"""By the trump suit and the suit led, how a trick's cards compare: the highest wins, 0 never does (Law 44E, 44F)."""
