"""The names and symbols of suits, seats, sides and denominations, and sentences made of them, in English.

Every other module takes them from here. On the wire and in files everything stays ASCII: the letters are those of
`cards.SUITS`, `seats.Seat` and `contract.Denomination`, each in its order.
"""

from bridge.cards import RANKS
from bridge.contract import Contract, Denomination
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
"""The names by the suit's letter, in the order of `SUITS`. They are also the keys of a hand in the API."""

SUIT_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

TEXT_STYLE = "\ufe0e"
"""The variation selector after a suit symbol, so that it is drawn as text and not as a picture."""

SEAT_NAMES = {seat.value: seat.full_name for seat in Seat}
SEAT_KEYS = tuple(seat.key for seat in Seat)
"""The keys of the four hands in the API, from North clockwise."""

SIDE_NAMES = {"NS": "North-South", "EW": "East-West"}

DENOMINATIONS = tuple(Denomination)
"""The denominations in ascending order (Law 18E)."""

_RANK_WORDS = ["ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two"]
RANK_NAMES = dict(zip(RANKS, _RANK_WORDS, strict=True))
_SPOKEN_RANKS = str.maketrans({rank: f" {name}" for rank, name in RANK_NAMES.items()})
_LEVELS = ("one", "two", "three", "four", "five", "six", "seven")
_OTHER_CALLS = {"Pass": "pass", "X": "double", "XX": "redouble"}
_DOUBLED = {"": "", "X": " doubled", "XX": " redoubled"}
_VULNERABLE = {
    Vulnerability.NONE: "neither side vulnerable",
    Vulnerability.NS: f"{SIDE_NAMES['NS']} vulnerable",
    Vulnerability.EW: f"{SIDE_NAMES['EW']} vulnerable",
    Vulnerability.ALL: "both sides vulnerable",
}


def holding_in_words(suit: str, ranks: str) -> str:
    """Name what a hand holds in a suit, as in "spades ace king ten" or "clubs void"."""
    return SUIT_NAMES[suit] + (ranks.translate(_SPOKEN_RANKS) or " void")


def card_in_words(card: str) -> str:
    """Name a card, as in "king of hearts"."""
    return f"{RANK_NAMES[card[1]]} of {SUIT_NAMES[card[0]]}"


def call_in_words(call: str) -> str:
    """Name a call, as in "one spade", "three no trump", "pass" or "double"."""
    if call in _OTHER_CALLS:
        return _OTHER_CALLS[call]
    return _bid_in_words(int(call[0]), call[1:])


def _bid_in_words(level: int, denomination: str) -> str:
    name = SUIT_NAMES.get(denomination, "no trump")
    return f"{_LEVELS[level - 1]} {name.removesuffix('s') if level == 1 else name}"


def contract_in_words(contract: Contract) -> str:
    """Name a contract, as in "four spades doubled by South", "one no trump by West" or "passed out"."""
    if contract.level is None or contract.denomination is None:
        return "passed out"
    declarer = f" by {contract.declarer.full_name}" if contract.declarer else ""
    bid = _bid_in_words(contract.level, contract.denomination)
    return f"{bid}{_DOUBLED[contract.doubled]}{declarer}"


def vulnerability_in_words(vulnerability: Vulnerability) -> str:
    """Say which side is vulnerable, as in "both sides vulnerable"."""
    return _VULNERABLE[vulnerability]


def format_call(call: str) -> str:
    """Write a call as people do: "1♠", "3NT", "Pass" or "X"."""
    return call[0] + SUIT_SYMBOLS[call[1]] if call[1:] in SUIT_SYMBOLS else call


def format_ranks(ranks: str) -> str:
    """Write ranks as people do, the ten as "10"."""
    return ranks.replace("T", "10")


def format_result(contract: Contract, tricks: int) -> str:
    """Compare declarer's tricks with the contract, as in "made", "made +1" or "down 2"."""
    over = tricks - (contract.tricks_needed or 0)
    if over < 0:
        return f"down {-over}"
    return f"made +{over}" if over else "made"


def format_score(score: int) -> str:
    """Give a score to the side that has it, as in "North-South +420"; "0" when the board was passed out."""
    side = SIDE_NAMES["NS" if score > 0 else "EW"]
    return f"{side} +{abs(score)}" if score else "0"
