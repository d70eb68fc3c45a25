"""What stands between the bars of LIN's tags."""

import re
from collections.abc import Mapping

from deals.bridge.auction import Call, parse_call
from deals.bridge.cards import DECK, parse_card
from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout, wrong_count
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability

SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of the hands; a dealer is his place in it, from 1."""

VULNERABILITIES = {
    "o": Vulnerability.NONE,
    "n": Vulnerability.NS,
    "e": Vulnerability.EW,
    "b": Vulnerability.ALL,
}

_SUIT = re.compile(r"([SHDC])\s*((?:10|[2-9TJQKA])*+)\s*")
_HAND = re.compile(rf"(?:{_SUIT.pattern})*+")
_CALL = re.compile(r"([1-7](?:NT?|[CDHS])|PASS|RDBL|DBL|XX|[PDXR])\s*(!*)\s*", re.IGNORECASE)
_CARD = re.compile(r"([SHDC](?:10|[2-9TJQKA]))\s*", re.IGNORECASE)


def read_deal(value: str) -> tuple[Seat | None, Layout]:
    """The dealer, None when the digit is missing or 0, and the deal; a hand left out has the other cards.

    `malformed_deal`, and the errors of a Deal.
    """
    text = value.strip().upper()
    digit = text[:1] if text[:1] in "01234" else ""
    written = [hand.strip() for hand in text.removeprefix(digit).split(",")]
    if len(written) > 4 and not any(written[4:]):
        written = written[:4]
    if len(written) not in (3, 4):
        raise BridgeError(
            "malformed_deal", "A deal is a dealer's digit and three or four hands, with commas."
        )
    hands = {seat: _hand(seat, hand) for seat, hand in zip(SEATS, written, strict=False) if hand}
    if len(hands) == 3:
        hands |= _other_cards(hands)
    return SEATS[int(digit) - 1] if digit.strip("0") else None, Layout.from_hands(hands)


def _hand(seat: Seat, text: str) -> dict[str, str]:
    if not _HAND.fullmatch(text):
        raise BridgeError("malformed_deal", f"{seat.spoken}'s hand is not a hand: {text[:20]!r}.")
    suits = dict.fromkeys("SHDC", "")
    for suit, ranks in _SUIT.findall(text):
        suits[suit] += ranks.replace("10", "T")
    return suits


def _other_cards(hands: Mapping[Seat, Mapping[str, str]]) -> dict[Seat, dict[str, str]]:
    for seat, suits in hands.items():
        if fault := wrong_count(seat, sum(map(len, suits.values()))):
            raise fault
    given = {suit + rank for suits in hands.values() for suit, ranks in suits.items() for rank in ranks}
    rest = {
        suit: "".join(card[1] for card in DECK if card[0] == suit and card not in given) for suit in "SHDC"
    }
    return {seat: rest for seat in SEATS if seat not in hands}


def read_vulnerability(value: str) -> Vulnerability | None:
    """None when nothing is said; `malformed_vulnerability`. A zero is some files' "o"."""
    letter = value.strip().lower()[:1].replace("0", "o")
    if letter in ("", "-"):
        return None
    if letter not in VULNERABILITIES:
        raise BridgeError("malformed_vulnerability", f"{value[:20]!r} is not a vulnerability: o, n, e or b.")
    return VULNERABILITIES[letter]


def read_calls(value: str) -> list[Call]:
    """One call or several on end, each alerted by a "!" behind it; `malformed_call`."""
    calls = []
    text, place = value.strip(), 0
    while place < len(text):
        match = _CALL.match(text, place)
        if match is None:
            raise BridgeError("malformed_call", f"{text[place : place + 20]!r} is not a call: p, d, r or 1N.")
        calls.append(Call(parse_call(match[1]), bool(match[2])))
        place = match.end()
    return calls


def read_cards(value: str) -> list[str]:
    """One card or several on end; `malformed_card`."""
    cards = []
    text, place = value.strip(), 0
    while place < len(text):
        match = _CARD.match(text, place)
        if match is None:
            raise BridgeError("malformed_card", f"{text[place : place + 20]!r} is not a card, as in HT.")
        cards.append(parse_card(match[1]))
        place = match.end()
    return cards


def read_claim(value: str) -> int | None:
    """Declarer's tricks in all; None when nothing is said; `impossible_result`."""
    text = value.strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) > 13:
        raise BridgeError("impossible_result", f"{text[:20]!r} is not a number of tricks, 0 to 13.")
    return int(text)
