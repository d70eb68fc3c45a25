"""How many boards a long file probably has, before it is read: so many numbers an import takes (decision 0051)."""

from typing import BinaryIO

from bridge.formats.archives import is_archive
from bridge.formats.outcomes import ReadBoard

MARGIN = 1.1
MIN_EXPECTED = 1_000
SHORT_LENGTH = 24
"""The bytes of a short deal in a ZIP file or in a file without lines."""

CHUNK = 1 << 20


def expect_boards(file: BinaryIO, read: int, last: ReadBoard) -> int:
    """Return how many boards a file probably has, somewhat more than the first ones tell.

    So many are read, up to the `last`: what follows has probably as many lines a board. An archive's lines tell
    nothing, nor do those of a file that has none. Of these the length does, which is rather too much.
    """
    if not file.seekable():
        return MIN_EXPECTED
    position = file.tell()
    file.seek(0)
    head = chunk = file.read(CHUNK)
    length = lines = 0
    while chunk:
        length += len(chunk)
        lines += max(chunk.count(b"\n"), chunk.count(b"\r"))
        chunk = file.read(CHUNK)
    file.seek(position)
    has_lines = last.line > 1 and not is_archive(head)
    expected = read * lines / last.line if has_lines else length / SHORT_LENGTH
    return max(MIN_EXPECTED, round(expected * MARGIN))
