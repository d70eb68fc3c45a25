"""The bits of a slice in Python: a text of "0" and "1", or the positions of the ones where they are few."""

import re
from collections.abc import Mapping, Sequence

from boards.models.index import SEGMENT_BITS

Bits = str | Sequence[int]

FEW = 200
"""Up to so many ones are handled as positions. Most words and events have fewer."""

NONZERO = re.compile(rb"[^\x00]", re.DOTALL)
ONES = tuple(tuple(bit for bit in range(8) if byte & 0x80 >> bit) for byte in range(256))
"""The positions of the ones of each byte, the highest bit first."""


def unpack(packed: bytes) -> Bits:
    """Return bits that stand eight in a byte."""
    number = int.from_bytes(packed)
    if number.bit_count() > FEW:
        return f"{number:0{8 * len(packed)}b}"
    return [match.start() * 8 + bit for match in NONZERO.finditer(packed) for bit in ONES[match[0][0]]]


def pack(bits: Bits) -> bytes:
    """Return the bits eight in a byte, with those of a whole segment."""
    if isinstance(bits, str):
        return int(bits.ljust(SEGMENT_BITS, "0"), 2).to_bytes(SEGMENT_BITS // 8)
    packed = bytearray(SEGMENT_BITS // 8)
    for position in bits:
        packed[position >> 3] |= 0x80 >> (position & 7)
    return bytes(packed)


def write(bits: Bits, length: int) -> str:
    """Return the bits as a text of this length."""
    if isinstance(bits, str):
        return bits
    digits = bytearray(b"0" * length)
    for position in bits:
        digits[position] = ord("1")
    return digits.decode()


def cut(bits: Bits, start: int, stop: int) -> Bits:
    """Return the bits from one position to before another."""
    if isinstance(bits, str):
        return bits[start:stop]
    return [position - start for position in bits if start <= position < stop]


def count(bits: Bits) -> int:
    return bits.count("1") if isinstance(bits, str) else len(bits)


def move(parts: Mapping[int, Sequence[int]], places: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the positions of the ones after they have moved. `places` has where each goes, -1 for nowhere."""
    return sorted(
        place
        for source, positions in parts.items()
        for position in positions
        if (place := places[source][position]) >= 0
    )
