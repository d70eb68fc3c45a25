"""Escaping free texts for LIN, which has no way to write "|".

We write what the format cannot hold as a character reference: "|" as "&#124;", a line break as "&#10;", "!"
before a suit's letter as "&#33;", and "&" before such a reference as "&#38;". Reading undoes it. The suit
symbols are "!S", "!H", "!D" and "!C", as Bridge Base writes them.
"""

import re

from bridge.names import SUIT_SYMBOLS

_CODES = {symbol: f"!{letter}" for letter, symbol in SUIT_SYMBOLS.items()}
_SPECIAL = re.compile(rf"\||\n|[{''.join(_CODES)}]|!(?=[SHDCshdc])|&(?=#(?:10|33|38|124);)")
_ESCAPED = re.compile(r"&#(10|33|38|124);|!([SHDCshdc])")


def escape_text(text: str) -> str:
    return _SPECIAL.sub(lambda special: _CODES.get(special[0]) or f"&#{ord(special[0])};", text)


def unescape_text(text: str) -> str:
    return _ESCAPED.sub(lambda code: chr(int(code[1])) if code[1] else SUIT_SYMBOLS[code[2].upper()], text)
