"""Joining the lines of a LIN table that a mail program has broken."""

import re
from itertools import pairwise

_NAME = re.compile(r"(?<=\|)\s*+([A-Za-z])\s++([A-Za-z0-9])\s*+(?=\|)")


def join_lines(text: str) -> str:
    """Return a table as it was before its lines were broken at a column, or at the last blank before it.

    A line end stays where the next word would have had room: it is the file's own. Where the record begins in its
    first line is not known, nor so how long that is.
    """
    lines = text.split("\n")
    width = max(map(len, lines[1:]))
    pairs = [(lines[0].rjust(width)[-width:], lines[1]), *pairwise(lines[1:])]
    at_column = all(
        len(line) == width or line.endswith("|") or _has_room(line, further, width) for line, further in pairs
    )
    joints = [_joint(line, further, width, at_column) for line, further in pairs]
    return _NAME.sub(r"\1\2", "".join(map("".join, zip(lines, [*joints, ""], strict=True))))


def _has_room(line: str, further: str, width: int) -> bool:
    """Tell whether the line could have had the first word of the further one too."""
    return len(line) + 1 + len(further.partition(" ")[0]) <= width


def _joint(line: str, further: str, width: int, at_column: bool) -> str:
    """Return what stood between two lines: nothing, the blank at which they were broken, or a line end."""
    is_full = len(line) == width
    if at_column:
        return "" if is_full else "\n"
    word, next_word = line.rpartition(" ")[2], further.partition(" ")[0]
    if not word or (is_full and len(word) + len(next_word) > width):
        return ""
    return "\n" if _has_room(line, further, width) else " "
