"""Reading DGE: 128 bytes for a deal, of which the first 68 are a diagram in the characters of DOS.

Each hand has 17: the symbol of each suit (6 spades, 3 hearts, 4 diamonds, 5 clubs) and the ranks behind it.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.cards import SUITS
from bridge.errors import BridgeError
from bridge.formats.dealing_machines.records import read_deals
from bridge.formats.outcomes import Outcome
from bridge.formats.raw_records import read_chunks
from bridge.layout import Layout
from bridge.seats import Seat

DIAGRAM_SIZE = 68
_RECORD_SIZE = 128
_SYMBOLS = dict(zip(SUITS, (b"\x06", b"\x03", b"\x04", b"\x05"), strict=True))
_LETTERS = {symbol: suit for suit, symbol in _SYMBOLS.items()}
_SUIT = re.compile(rb"([\x03-\x06])([2-9TJQKA]*+)")
_DIAGRAM = re.compile(rb"(?:%s){16}" % _SUIT.pattern)


def read_dge(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield the file's boards, numbered from 1. Parameters are those of `read_pbn`."""
    return read_deals(read_chunks(stream, _RECORD_SIZE), lambda chunk: read_diagram(chunk[:DIAGRAM_SIZE]), check)


def is_diagram(data: bytes) -> bool:
    return len(data) == DIAGRAM_SIZE and _DIAGRAM.fullmatch(data) is not None


def read_diagram(data: bytes) -> Layout:
    """Read 68 bytes. Raise `malformed_deal`, or what a Layout raises."""
    if not is_diagram(data):
        message = "The four hands are not written as 13 ranks with four suit symbols each."
        raise BridgeError("malformed_deal", message)
    suits = [(_LETTERS[symbol], ranks.decode()) for symbol, ranks in _SUIT.findall(data)]
    return Layout.from_hands({seat: dict(suits[4 * seat.index :][:4]) for seat in Seat})


def write_diagram(layout: Layout) -> bytes:
    """Write the four hands from North on, ranks descending."""
    return b"".join(_SYMBOLS[suit] + ranks.encode() for seat in Seat for suit, ranks in layout.suits(seat).items())
