"""Texts in LIN, which has no way to write "|".

We write what the format cannot hold as a character reference: "|" as "&#124;", a line break as "&#10;", "!"
before a suit's letter as "&#33;", and "&" before such a reference as "&#38;". Reading undoes it. The suit
symbols are "!S", "!H", "!D" and "!C", as Bridge Base writes them.
"""

import re

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_LETTERS = {symbol: f"!{letter}" for letter, symbol in _SUITS.items()}
_SPECIAL = re.compile(r"\||\n|[♠♥♦♣]|!(?=[SHDCshdc])|&(?=#(?:10|33|38|124);)")
_WRITTEN = re.compile(r"&#(10|33|38|124);|!([SHDCshdc])")


def write_text(text: str) -> str:
    return _SPECIAL.sub(lambda special: _LETTERS.get(special[0]) or f"&#{ord(special[0])};", text)


def read_text(text: str) -> str:
    return _WRITTEN.sub(lambda code: chr(int(code[1])) if code[1] else _SUITS[code[2].upper()], text)
