"""The free texts of a board: cleaned so that every format can hold them, and limited to what PBN can write."""

import re

from deals.bridge.errors import BridgeError

MAX_LINE_LENGTH = 230
"""The limit is in characters as PBN writes them, so that the line of a tag stays within 255 (PBN 2.1 §2.3)."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_LINE_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def to_one_line(text: str) -> str:
    """Replace each run of control characters and line breaks by a space; strip blanks at both ends."""
    return _CONTROLS.sub(" ", text).strip()


def clean_lines(text: str) -> str:
    """Separate lines by LF, replace control characters and tabs by spaces, strip the ends of lines and text."""
    text = _LINE_CONTROLS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(line.rstrip(" ") for line in text.split("\n")).strip("\n")


def check_line(name: str, text: str, part: str = "") -> None:
    """Raise `text_too_long` for a text that PBN cannot write in one tag. `part` is that of the error."""
    if len(text) + text.count('"') + text.count("\\") > MAX_LINE_LENGTH:
        message = (
            f"{name} is longer than the {MAX_LINE_LENGTH} characters that a PBN file can hold. "
            "Quotes and backslashes count twice."
        )
        raise BridgeError("text_too_long", message, part)
