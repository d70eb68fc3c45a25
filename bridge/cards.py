"""The 52 cards: how they are written, and which of them wins a trick."""

from bridge.errors import BridgeError

SUITS = "SHDC"
RANKS = "AKQJT98765432"

DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)
"""The 52 cards in the order of the deal key: spades ace to two, then hearts, diamonds, clubs."""

_POSITIONS = {card: position for position, card in enumerate(DECK)}


def check_cards(*cards: str) -> None:
    """Raise `malformed_card` unless each card is spelt as in `DECK`."""
    for card in cards:
        if card not in _POSITIONS:
            message = f"{card[:20]!r} is not a card. Write the suit, then the rank: HT."
            raise BridgeError("malformed_card", message)


def parse_card(text: str) -> str:
    """Return the canonical spelling of a card in either case, with "10" for the ten too; else `malformed_card`."""
    if text in _POSITIONS:
        return text
    card = text.strip().upper().replace("10", "T")
    check_cards(card)
    return card


def _strengths(led: str, trump: str | None) -> dict[str, int]:
    base = {led: 13, trump: 26}
    return {card: base[card[0]] - position % 13 if card[0] in base else 0 for card, position in _POSITIONS.items()}


STRENGTHS = {trump: {led: _strengths(led, trump) for led in SUITS} for trump in (*SUITS, None)}
"""How a trick's cards compare, by the trump suit and the suit led: the highest wins, 0 never does (Law 44E, 44F)."""
