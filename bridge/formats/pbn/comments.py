"""Commentary in braces (PBN 2.1 §3.8, which has no way to write "}"), and remarks on calls and cards as its sentences.

We write what the format cannot hold as a character reference: "}" as "&#125;"; "%" and the "[" of a tag at the
beginning of a line, where other readers would see an escape line or a tag, as "&#37;" and "&#91;"; and "&" before such
a reference as "&#38;". Reading undoes it. Directives such as "[show NS]" stay, for teachers' programs. A line too long
for PBN (§2.3) is broken after a space beyond column 200, and reading joins lines that end so; without a space there, a
line break remains.

A note on a call is its explanation and stays with it. The rest, opinions and notes on cards, has no tag of its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bridge.texts import clean_lines

_MAX_LENGTH = 240
_SOFT_BREAK_FROM = 200
_REFERENCE = re.compile(r"&#(37|38|91|125);")
_RESERVED = re.compile(r"\}|&(?=#(?:37|38|91|125);)")
_TAG = re.compile(r' *+\[\s*+\w++\s*+"')
_SOFT_BREAK = re.compile(rf"^([^\n]{{{_SOFT_BREAK_FROM},}} )\n", re.MULTILINE)


def read_comments(comments: Sequence[str]) -> str:
    """Return a game's comments as one text, each on lines of its own."""
    return "\n".join(filter(None, map(_read_comment, comments)))


def _read_comment(comment: str) -> str:
    text = clean_lines(_SOFT_BREAK.sub(r"\1", comment))
    text = _REFERENCE.sub(lambda reference: chr(int(reference[1])), text)
    return text if "\n" in text else text.strip(" ")


def write_comment(text: str) -> list[str]:
    """Return the lines of one comment, none for an empty text. A lone line loses its indentation."""
    text = clean_lines(text)
    if not text:
        return []
    escaped = _RESERVED.sub(lambda reserved: f"&#{ord(reserved[0])};", text)
    lines = [_escape_start(part) for line in escaped.split("\n") for part in _break_line(line)]
    lines[0] = "{" + lines[0]
    lines[-1] += "}"
    return lines


def _escape_start(line: str) -> str:
    """Escape the first character of a line that begins like an escape line or a tag."""
    if line.startswith("%") or _TAG.match(line):
        first = line.lstrip(" ")[0]
        return line.replace(first, f"&#{ord(first)};", 1)
    return line


def _break_line(line: str) -> Iterator[str]:
    while len(line) > _MAX_LENGTH:
        space = line.rfind(" ", 0, _MAX_LENGTH)
        cut = space + 1 or _MAX_LENGTH
        yield line[:cut]
        line = line[cut:]
    yield line


_OPINIONS = ("good", "poor", "very good", "very poor", "speculative", "questionable")
_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
_GLYPHS = {
    1: [f"{opinion} {kind}" for kind in ("call", "card") for opinion in _OPINIONS],
    13: ["the call has been corrected", "the card has been corrected"],
    20: ["natural", "artificial", "penalty double", "relay", "cue bid", "competitive", "preemptive"],
}
_MEANINGS = {str(number): each for first, meanings in _GLYPHS.items() for number, each in enumerate(meanings, first)}
"""Numeric annotation glyphs (PBN 2.1 §3.7); others are kept by their number."""


@dataclass(slots=True)
class Remarks:
    """The remarks on the calls, or on the cards, of one section. Positions in it are counted from 0."""

    kind: str
    """Either "call" or "card"."""
    by_position: list[tuple[int, str]] = field(default_factory=list)

    def add(self, position: int, kind: str, text: str) -> None:
        """Add a note, the opinion of a suffix (§3.5, §3.6) or the meaning of a glyph (§3.7). $0 says nothing."""
        if kind == "suffix":
            text = f"{_OPINIONS[_SUFFIXES.index(text)]} {self.kind}"
        elif kind == "nag":
            text = _MEANINGS.get(text.lstrip("0"), f"${text}") if text.strip("0") else ""
        if text:
            self.by_position.append((position, text))

    def sentences(self, name_of: Callable[[int], str]) -> Iterator[str]:
        """Yield sentences such as "Trick 3, HK by East: very good card."

        `name_of` tells the name of a call or card by its position, "" for a card that was not played. A remark on
        several is yielded once, after all their names: each card of a play may name the same note of 100 KiB.
        """
        named: dict[str, dict[str, None]] = {}
        for position, remark in self.by_position:
            if name := name_of(position):
                named.setdefault(remark, {})[name] = None
        for remark, those in named.items():
            yield f"{'; '.join(those)}: {remark}{'' if remark[-1] in '.!?' else '.'}"
