"""Reading BRI: 128 bytes for a deal, of which the first 78 are the numbers of the cards of North, East and South.

Each number has two digits, from 01 for the ace of spades to 52 for the two of clubs. West has the other cards.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.cards import DECK
from bridge.errors import BridgeError
from bridge.formats.dealing_machines.records import read_deals, suits_of
from bridge.formats.outcomes import Outcome
from bridge.formats.raw_records import read_chunks
from bridge.layout import Layout, fourth_hand
from bridge.seats import Seat

CARDS_SIZE = 78
_RECORD_SIZE = 128
_NUMBERS = re.compile(rb"(?:0[1-9]|[1-4][0-9]|5[0-2]){39}")


def read_bri(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield the file's boards, numbered from 1. Parameters are those of `read_pbn`."""
    return read_deals(read_chunks(stream, _RECORD_SIZE), lambda chunk: read_cards(chunk[:CARDS_SIZE]), check)


def read_cards(data: bytes) -> Layout:
    """Read 78 digits. Raise `malformed_deal`, or what a Layout raises."""
    if not _NUMBERS.fullmatch(data):
        message = "The hands of North, East and South are 39 numbers of cards from 01 to 52."
        raise BridgeError("malformed_deal", message)
    cards = [DECK[int(data[start : start + 2]) - 1] for start in range(0, CARDS_SIZE, 2)]
    hands = suits_of({seat: cards[13 * seat.index :][:13] for seat in Seat if seat is not Seat.WEST})
    return Layout.from_hands(hands | fourth_hand(hands))


def write_cards(layout: Layout) -> bytes:
    """Write the hands of North, East and South as 78 digits, each in the order of the deck."""
    held = (layout.cards_held_by(seat) for seat in Seat if seat is not Seat.WEST)
    return b"".join(b"%02d" % index for hand in held for index, card in enumerate(DECK, 1) if card in hand)
