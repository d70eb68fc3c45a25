"""Suit signs, HTML tags and entities that programs write into the texts of a board, as people read them.

Texts are stored and given back as they were written. Pages and plain text show what `for_people` makes of them.
"""

import re
from html import unescape

from bridge.names import SUIT_SYMBOLS
from bridge.texts import to_one_line

_MARKED = re.compile(r"[\\!{<&]")
_SIGN = re.compile(
    r"(?<![A-Za-z:\\])\\([SHDC])(?![a-wyz])|!([SHDCshdc])(?=[AKQJTx]{0,13}(?![^\W\d_]))|\{([SHDCshdc])\}"
)
"""`1\\S` as BridgeComposer writes it but not `C:\\Deals`, `1!s` as Bridge Base does but not "No!Hearts", and `1{s}`."""

_LINE_BREAK = re.compile(r"</?(?:br|p)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|big|blockquote|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|pre|s|small|span|strong|sub|sup"
    r"|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_TOO_LONG_REFERENCE = re.compile(r"&#[0-9]{20,};?")
"""No character has such a number, and Python refuses to read one of thousands of digits."""


def for_people(text: str) -> str:
    """Return a text with suit symbols for suit signs, without HTML tags, and with entities resolved."""
    return resolve_html(text, _SIGN) if _MARKED.search(text) else text


def line_for_people(text: str) -> str:
    """Return a text on one line, such as a title or an explanation, as people read it."""
    return to_one_line(for_people(text))


def resolve_html(text: str, sign: re.Pattern[str]) -> str:
    """Drop the tags, put a suit symbol for each sign, whose group is the suit's letter, and resolve the entities."""
    text = _TAG.sub("", _LINE_BREAK.sub("\n", text))
    text = sign.sub(lambda match: SUIT_SYMBOLS[match[match.lastindex or 1].upper()], text)
    return unescape(_TOO_LONG_REFERENCE.sub("\ufffd", text))
