"""Reading DLM, the text file of Duplimate: a header, then "Board 01=" with 26 letters and a checksum.

Each letter holds two cards, in the order of the deck from the ace of spades to the two of clubs: "a" plus four times
the first card's holder plus the second's, where North is 0 and West 3. The checksum is the exclusive or of the
letters' codes and the board's number. Such a file always has 99 boards. Those outside "From board" and "To board" are
filler.

The checksum of the header is not verified: programs that write DLM disagree about what it covers.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial, reduce
from operator import xor
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.cards import DECK
from bridge.errors import BridgeError
from bridge.formats.dealing_machines.records import read_deal, suits_of
from bridge.formats.outcomes import Outcome, RecordError
from bridge.formats.raw_records import RawRecord, read_lines
from bridge.layout import Layout
from bridge.seats import Seat

_BOARD = re.compile(rb"\s*Board\s+0*([0-9]{1,3})\s*=(.*)", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(rb"\s*(From board|To board|Crypto key)\s*=\s*([0-9]{1,9})\s*", re.IGNORECASE)
_DEAL = re.compile(r"([a-p]{26})([0-9]{1,3})")
_SEATS = tuple(Seat)


def read_dlm(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield the boards of the file's span; a board of it that is missing is an error. Parameters are `read_pbn`'s."""
    fields: dict[bytes, int] = {}
    seen: set[int] = set()
    record, line = 0, 1
    for raw in read_lines(stream):
        line = raw.line
        board = _BOARD.match(raw.data)
        if field := _FIELD.fullmatch(raw.data):
            fields.setdefault(field[1].lower(), int(field[2]))
        elif board:
            if error := _error_of_header(fields, record + 1, line):
                yield error
                return
            number = int(board[1])
            if fields[b"from board"] <= number <= fields[b"to board"]:
                record += 1
                seen.add(number)
                read = partial(_read_layout, RawRecord(line, board[2]), number)
                yield read_deal(record, number, read, check, line)
    for number in range(fields.get(b"from board", 1), min(fields.get(b"to board", 0), 999) + 1):
        if number not in seen:
            record += 1
            message = f"Board {number} is in the file's span, but the file does not have it."
            yield RecordError(record, str(number), line, "no_deal", message)


def _error_of_header(fields: dict[bytes, int], record: int, line: int) -> RecordError | None:
    """Return why the boards cannot be told from the filler, or cannot be read; None if they can."""
    if not {b"from board", b"to board"} <= fields.keys():
        message = 'The header does not say which boards the file has: "From board" or "To board" is missing.'
        return RecordError(record, "", line, "malformed_header", message)
    if fields.get(b"crypto key"):
        message = "The deals are encrypted. Save the file without a crypto key."
        return RecordError(record, "", line, "encrypted_file", message)
    return None


def _read_layout(raw: RawRecord, number: int) -> Layout:
    match = _DEAL.fullmatch(raw.text().strip())
    if match is None:
        message = "A board of a DLM file is 26 letters from a to p and a checksum of three digits."
        raise BridgeError("malformed_deal", message)
    letters = match[1].encode()
    checksum = reduce(xor, letters, number)
    if checksum != int(match[2]):
        message = f"The checksum of board {number} is {match[2]}, but its letters give {checksum:03}."
        raise BridgeError("checksum_mismatch", message)
    holders = [holder for letter in letters for holder in divmod(letter - ord("a"), 4)]
    hands: dict[Seat, list[str]] = {seat: [] for seat in Seat}
    for card, holder in zip(DECK, holders, strict=True):
        hands[_SEATS[holder]].append(card)
    return Layout.from_hands(suits_of(hands))
