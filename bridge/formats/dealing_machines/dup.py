"""Reading and writing DUP: 156 bytes for a deal, the deal as in BRI, again as in DGE, and ten for the machine.

The ten are Y or N for random hands, Y or N for counting backwards, the number of the first board (3 bytes), the number
of copies (2) and the number of the last board (3), each from the left and filled with spaces. Some programs leave the
diagram blank, or write the ten bytes only with the first deal.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.errors import BridgeError
from bridge.formats.dealing_machines.bri import CARDS_SIZE, read_cards, write_cards
from bridge.formats.dealing_machines.dge import DIAGRAM_SIZE, is_diagram, read_diagram, write_diagram
from bridge.formats.dealing_machines.records import read_deals
from bridge.formats.outcomes import Outcome
from bridge.formats.raw_records import read_chunks
from bridge.layout import Layout

MAX_BOARD_NUMBER = 999
_RECORD_SIZE = 156
_NUMBER_PLACE = slice(148, 151)
_FIRST_NUMBER = re.compile(rb"([1-9][0-9]{0,2}) *")


def read_dup(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield the file's boards, numbered from the number that the first record gives. Parameters are `read_pbn`'s."""
    chunks = read_chunks(stream, _RECORD_SIZE)
    head = next(chunks, b"")
    match = _FIRST_NUMBER.fullmatch(head[_NUMBER_PLACE])
    first = int(match[1]) if match else 1
    return read_deals(chain((head,), chunks), _read_layout, check, first, _find_cut, strict=strict)


def _find_cut(chunk: bytes) -> BridgeError | None:
    """Return what to say of the last record when the file ends within its second copy of the deal."""
    if len(chunk) >= CARDS_SIZE + DIAGRAM_SIZE:
        return None
    message = "The file ends within the second copy of this deal. The two were not compared. Save it again."
    return BridgeError("second_copy_cut", message)


def _read_layout(chunk: bytes) -> Layout:
    layout = read_cards(chunk[:CARDS_SIZE])
    diagram = chunk[CARDS_SIZE : CARDS_SIZE + DIAGRAM_SIZE]
    if is_diagram(diagram) and read_diagram(diagram) != layout:
        raise BridgeError("deals_differ", "The record has the deal twice, and the two differ.")
    return layout


def write_dup(layouts: Sequence[Layout], first: int = 1) -> bytes:
    """Write the file that a dealing machine takes for these boards, numbered from `first` on.

    Raise ValueError when a number would have more than three digits.
    """
    last = first + len(layouts) - 1
    if first < 1 or last > MAX_BOARD_NUMBER:
        raise ValueError(f"The boards of a DUP file have numbers from 1 to {MAX_BOARD_NUMBER}.")
    settings = f"YN{first:<3}0 {last:<3}".encode()
    return b"".join(write_cards(layout) + write_diagram(layout) + settings for layout in layouts)
