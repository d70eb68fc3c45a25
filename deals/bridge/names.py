"""Bridge in English words and symbols, for people who look or listen. On the wire everything stays ASCII."""

from deals.bridge.contract import Contract
from deals.bridge.vulnerability import Vulnerability

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_RANK_NAMES = dict(
    zip(
        "AKQJT98765432",
        (
            "ace",
            "king",
            "queen",
            "jack",
            "ten",
            "nine",
            "eight",
            "seven",
            "six",
            "five",
            "four",
            "three",
            "two",
        ),
        strict=True,
    )
)
_LEVELS = ("one", "two", "three", "four", "five", "six", "seven")
_OTHER_CALLS = {"Pass": "pass", "X": "double", "XX": "redouble"}
_DOUBLED = {"": "", "X": " doubled", "XX": " redoubled"}
_VULNERABLE = {
    Vulnerability.NONE: "neither side vulnerable",
    Vulnerability.NS: "North-South vulnerable",
    Vulnerability.EW: "East-West vulnerable",
    Vulnerability.ALL: "both sides vulnerable",
}


def spoken_suit(suit: str, ranks: str) -> str:
    """As in "spades ace king ten", "clubs void"."""
    return f"{SUIT_NAMES[suit]} {' '.join(map(_RANK_NAMES.__getitem__, ranks)) or 'void'}"


def spoken_card(card: str) -> str:
    """As in "king of hearts"."""
    return f"{_RANK_NAMES[card[1]]} of {SUIT_NAMES[card[0]]}"


def spoken_call(call: str) -> str:
    """As in "one spade", "three no trump", "pass", "double"."""
    if call in _OTHER_CALLS:
        return _OTHER_CALLS[call]
    return _bid(int(call[0]), call[1:])


def _bid(level: int, denomination: str) -> str:
    name = SUIT_NAMES.get(denomination, "no trump")
    return f"{_LEVELS[level - 1]} {name.removesuffix('s') if level == 1 else name}"


def spoken_contract(contract: Contract) -> str:
    """As in "four spades doubled by South", "one no trump by West", "passed out"."""
    if contract.level is None or contract.denomination is None:
        return "passed out"
    declarer = f" by {contract.declarer.spoken}" if contract.declarer else ""
    return f"{_bid(contract.level, contract.denomination)}{_DOUBLED[contract.doubled]}{declarer}"


def spoken_vulnerability(vulnerability: Vulnerability) -> str:
    return _VULNERABLE[vulnerability]


def shown_call(call: str) -> str:
    """As people write it: "1♠", "3NT", "Pass", "X"."""
    return call[0] + SYMBOLS[call[1]] if call[1:] in SYMBOLS else call


def shown_ranks(ranks: str) -> str:
    """As people write them: the ten is "10"."""
    return ranks.replace("T", "10")


def shown_result(contract: Contract, tricks: int) -> str:
    """As in "made", "made +1", "down 2"."""
    over = tricks - (contract.tricks_needed or 0)
    if over < 0:
        return f"down {-over}"
    return f"made +{over}" if over else "made"


def shown_score(score: int) -> str:
    """For the side that has it: "North-South +420"; "0" when the board was passed out."""
    side = "North-South" if score > 0 else "East-West"
    return f"{side} +{abs(score)}" if score else "0"
