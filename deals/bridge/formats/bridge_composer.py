"""The markup that BridgeComposer writes into the texts of its PBN files, which PBN itself does not have.

Only the texts of its own files are read so, which it marks at their beginning: in another file "\\S" and "<b>" mean
what they say, above all in a file that this service wrote.
"""

import re
from dataclasses import replace
from html import unescape

from deals.bridge.auction import Auction
from deals.bridge.board import BoardRecord
from deals.bridge.formats.outcomes import Outcome, ReadBoard
from deals.bridge.names import SUIT_SYMBOLS
from deals.bridge.texts import clean_lines, to_one_line

_HEADER = re.compile(rb"^%[ \t]*(?:Creator:[ \t]*BridgeComposer|BC[A-Z])", re.IGNORECASE | re.MULTILINE)
_SUIT = re.compile(r"\\([SHDC])")
_LINE_BREAK = re.compile(r"<(?:br|p)\s*/?>|</p>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|big|center|div|em|font|h[1-6]|hr|i|li|ol|s|small|span|strong|sub|sup|table|td|tr|u|ul)"
    r"(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_TOO_LONG_REFERENCE = re.compile(r"&#[0-9]{20,};?")
"""No character has such a number, and Python refuses to read one of thousands of digits."""


def is_from_bridge_composer(head: bytes) -> bool:
    return _HEADER.search(head) is not None


def drop_markup(outcome: Outcome) -> Outcome:
    """Return the outcome with suit symbols for `\\S \\H \\D \\C`, entities resolved and tags dropped."""
    if not isinstance(outcome, ReadBoard):
        return outcome
    board = outcome.content
    content = replace(
        board,
        auction=_explained(board),
        commentary=clean_lines(plain_text(board.commentary)),
        title=to_one_line(plain_text(board.title)),
        event=to_one_line(plain_text(board.event)),
        site=to_one_line(plain_text(board.site)),
        stage=to_one_line(plain_text(board.stage)),
    )
    return replace(outcome, content=content)


def _explained(board: BoardRecord) -> Auction | None:
    auction = board.auction
    if auction is None or not any(call.explanation for call in auction.calls):
        return auction
    calls = (
        replace(call, explanation=to_one_line(plain_text(call.explanation))) if call.explanation else call
        for call in auction.calls
    )
    return Auction(auction.dealer, tuple(calls))


def plain_text(text: str) -> str:
    """Resolve the markup of one text."""
    text = _TOO_LONG_REFERENCE.sub("\ufffd", _TAG.sub("", _LINE_BREAK.sub("\n", text)))
    return unescape(_SUIT.sub(lambda suit: SUIT_SYMBOLS[suit[1]], text))
