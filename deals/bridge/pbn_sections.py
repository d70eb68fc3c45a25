"""The Auction and Play sections of a PBN game."""

from collections.abc import Sequence

from .auction import Auction, Call, parse_call
from .contract import Contract
from .errors import BridgeError
from .pbn_tokens import Tag
from .play import NOT_PLAYED, from_columns
from .seats import parse_seat

LONGEST_AUCTION = 319
"""Calls: three passes, then each of the 35 bids doubled and redoubled with two passes before each, then three."""

_ALL_PASS = {"AP", "ALLPASS"}
_IRREGULAR = {
    "I": "an insufficient bid",
    "S": "a call out of rotation",
    "R": "a revoke",
    "L": "a lead out of turn",
}


def read_auction(tag: Tag) -> Auction | None:
    """PBN 2.1 §3.5; None when nothing is said: no seat, or neither a call nor "*" nor "+".

    Hyphens pass over the seats before the dealer, so that the auction's dealer is its first caller. A note
    or "!" makes a call alerted; other suffixes and NAGs are opinions and are dropped. `malformed_auction`,
    `malformed_call`, `illegal_call`, or `irregularity` for what §3.9 marks with "^".
    """
    if tag.value.strip() in ("", "?"):
        return None
    seat = parse_seat(tag.value)
    calls: list[Call] = []
    ended, waiting = False, False
    for kind, text in tag.elements():
        _refuse_oddities(kind, text, "auction")
        if kind == "end":
            ended = True
        elif kind == "word" and not text.strip("-"):
            seat = seat if calls else seat.next
            waiting = bool(calls)
        elif kind == "word":
            if ended or waiting:
                raise BridgeError("malformed_auction", f"The call {text[:20]} comes after the auction's end.")
            if len(calls) > LONGEST_AUCTION:
                raise BridgeError("malformed_auction", f"No auction has more than {LONGEST_AUCTION} calls.")
            calls += _passes(calls) if text.upper() in _ALL_PASS else [Call(parse_call(text))]
        elif calls and (kind == "note" or text == "!"):
            calls[-1] = _alerted(calls[-1], tag.notes.get(text, ""))
    return Auction(seat, tuple(calls)) if calls or ended else None


def _alerted(call: Call, explanation: str) -> Call:
    return Call(call.call, True, explanation or call.explanation)


def _passes(calls: Sequence[Call]) -> list[Call]:
    """The passes that "AP" still stands for."""
    needed = 3 if any(call.call != "Pass" for call in calls) else 4
    for call in reversed(calls):
        if call.call != "Pass" or not needed:
            break
        needed -= 1
    return [Call("Pass")] * needed


def read_play(tag: Tag, contract: Contract | None) -> tuple[tuple[str, ...], bool]:
    """The cards in the order of play (PBN 2.1 §3.6) and whether "+" says that the play goes on.

    The columns may stop in mid-trick, and "*" ends them; annotations are dropped. `malformed_play`,
    `malformed_card`, `illegal_lead`, `play_without_contract` or `irregularity`.
    """
    columns: list[str] = []
    continued = False
    for kind, text in tag.elements():
        _refuse_oddities(kind, text, "play")
        if kind == "word":
            columns.append(text if text.strip("-") else NOT_PLAYED)
        elif kind == "end" and text == "*":
            break
        elif kind == "end":
            continued = True
            columns.append(NOT_PLAYED)
    if not any(card != NOT_PLAYED for card in columns):
        return (), continued
    if len(columns) > 52:
        raise BridgeError("malformed_play", "The play has more than 13 tricks.")
    if contract is None:
        raise BridgeError("play_without_contract", "There is a play, but no contract.")
    return from_columns(contract, parse_seat(tag.value), columns), continued


def _refuse_oddities(kind: str, text: str, section: str) -> None:
    if kind == "irregularity":
        message = f"The {section} contains {_IRREGULAR[text.upper()]} (^{text}); such a board cannot be kept."
        raise BridgeError("irregularity", message)
    if kind == "stray":
        raise BridgeError(f"malformed_{section}", f"{text!r} has no place in the {section}.")
