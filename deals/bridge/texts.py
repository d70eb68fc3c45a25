"""Free texts of a board: what every format can say."""

import re

from deals.bridge.errors import BridgeError

LONGEST_LINE = 230
"""Characters of a one-line text as PBN writes it, so that its tag's line stays within 255 (PBN 2.1 §2.3)."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_LINE_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def one_line(text: str) -> str:
    """Runs of control characters and line breaks become a space; no blanks at the ends."""
    return _CONTROLS.sub(" ", text).strip()


def plain_lines(text: str) -> str:
    """LF between lines; control characters and tabs become spaces; no blanks at the ends of lines or text."""
    text = _LINE_CONTROLS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(line.rstrip(" ") for line in text.split("\n")).strip("\n")


def check_line(name: str, text: str) -> None:
    """`text_too_long` for a text that PBN cannot write in one tag."""
    if len(text) + text.count('"') + text.count("\\") > LONGEST_LINE:
        message = (
            f"{name} is longer than the {LONGEST_LINE} characters a PBN file can hold; quotes count twice."
        )
        raise BridgeError("text_too_long", message)
