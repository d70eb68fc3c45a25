"""Reading what stands in LIN's tags: the deal, the vulnerability, calls, cards and the claim."""

import re

from bridge.auction import Call, parse_call
from bridge.cards import SUITS, parse_card
from bridge.errors import BridgeError
from bridge.layout import Layout, fourth_hand
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

LIN_SEATS = Seat.SOUTH.clockwise()
"""The order of the hands. A dealer is written as the seat's position in it, from 1."""

VULNERABILITIES = {"o": Vulnerability.NONE, "n": Vulnerability.NS, "e": Vulnerability.EW, "b": Vulnerability.ALL}

_SUIT = re.compile(r"([SHDC])\s*((?:10|[2-9TJQKA])*+)\s*")
_HAND = re.compile(rf"(?:{_SUIT.pattern})*+")
_CALL = re.compile(r"([1-7](?:NT?|[CDHS])|PASS|NB|RDBL|DBL|XX|[PDXR])\s*(!*)\s*", re.IGNORECASE)
_CARD = re.compile(r"([SHDC](?:10|[2-9TJQKA]))\s*", re.IGNORECASE)


def read_layout(value: str) -> tuple[Seat | None, Layout]:
    """Read `md`. Return the dealer, None when the digit is missing or 0, and the layout.

    A hand that is left out gets the cards that the other three leave.

    Raise `malformed_deal`, or what a Layout raises.
    """
    text = value.strip().upper()
    digit = text[:1] if text[:1] in "01234" else ""
    texts = [hand.strip() for hand in text.removeprefix(digit).split(",")]
    if len(texts) > 4 and not any(texts[4:]):
        texts = texts[:4]
    if len(texts) not in (3, 4):
        message = "Write a deal as the dealer's digit and three or four hands, separated by commas."
        raise BridgeError("malformed_deal", message)
    hands = {seat: _hand(seat, hand) for seat, hand in zip(LIN_SEATS, texts, strict=False) if hand}
    if len(hands) == 3:
        hands |= fourth_hand(hands)
    return LIN_SEATS[int(digit) - 1] if digit.strip("0") else None, Layout.from_hands(hands)


def _hand(seat: Seat, text: str) -> dict[str, str]:
    if not _HAND.fullmatch(text):
        raise BridgeError("malformed_deal", f"{seat.full_name}'s hand cannot be read: {text[:20]!r}.")
    suits = dict.fromkeys(SUITS, "")
    for suit, ranks in _SUIT.findall(text):
        suits[suit] += ranks.replace("10", "T")
    return suits


def read_vulnerability(value: str) -> Vulnerability | None:
    """Read `sv`. Return None for an empty one; raise `malformed_vulnerability`. Some files write 0 for o."""
    letter = value.strip().lower()[:1].replace("0", "o")
    if letter in ("", "-"):
        return None
    if letter not in VULNERABILITIES:
        raise BridgeError("malformed_vulnerability", f"{value[:20]!r} is not a vulnerability. Write o, n, e or b.")
    return VULNERABILITIES[letter]


def read_calls(value: str) -> list[Call]:
    """Read `mb`: one call or several in a row, alerted by a "!" behind it. Raise `malformed_call`."""
    calls = []
    text, offset = value.strip(), 0
    while offset < len(text):
        match = _CALL.match(text, offset)
        if match is None:
            message = f"{text[offset : offset + 20]!r} is not a call. Write p, d, r or a bid such as 1N."
            raise BridgeError("malformed_call", message)
        calls.append(Call(parse_call(match[1]), bool(match[2])))
        offset = match.end()
    return calls


def read_cards(value: str) -> list[str]:
    """Read `pc`: one card or several in a row. Raise `malformed_card`."""
    cards = []
    text, offset = value.strip(), 0
    while offset < len(text):
        match = _CARD.match(text, offset)
        if match is None:
            message = f"{text[offset : offset + 20]!r} is not a card. Write the suit, then the rank: HT."
            raise BridgeError("malformed_card", message)
        cards.append(parse_card(match[1]))
        offset = match.end()
    return cards


def read_claim(value: str) -> int | None:
    """Read `mc`. Return all of declarer's tricks, None for an empty claim. Raise `impossible_result`."""
    text = value.strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) > 13:
        raise BridgeError("impossible_result", f"{text[:20]!r} is not a number of tricks, 0 to 13.")
    return int(text)
