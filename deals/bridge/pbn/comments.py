"""Commentary in braces: PBN 2.1 §3.8, which has no way to write "}".

We write what the format cannot hold as a character reference: "}" as "&#125;"; "%" and "[" at the
beginning of a line, where other readers would see an escape line or a tag, as "&#37;" and "&#91;"; and "&"
before such a reference as "&#38;". Reading undoes it.

A line too long for PBN (§2.3) is broken after a space beyond column 200, and reading joins lines that end
so; where no space stands there, a line break is left behind.
"""

import re
from collections.abc import Iterator, Sequence

from deals.bridge.texts import plain_lines

_LONGEST = 240
_SOFT_FROM = 200
_REFERENCE = re.compile(r"&#(37|38|91|125);")
_RESERVED = re.compile(r"\}|&(?=#(?:37|38|91|125);)")
_SOFT_BREAK = re.compile(rf"^([^\n]{{{_SOFT_FROM},}} )\n", re.MULTILINE)


def read_comments(comments: Sequence[str]) -> str:
    """A game's comments, each on lines of its own."""
    return "\n".join(filter(None, map(_read, comments)))


def _read(comment: str) -> str:
    text = plain_lines(_SOFT_BREAK.sub(r"\1", comment))
    text = _REFERENCE.sub(lambda reference: chr(int(reference[1])), text)
    return text if "\n" in text else text.strip(" ")


def write_comment(text: str) -> list[str]:
    """The lines of one comment, none when there is nothing to say. A lone line loses its indentation."""
    text = plain_lines(text)
    if not text:
        return []
    escaped = _RESERVED.sub(_reference, text)
    lines = [_guard(line) for long in escaped.split("\n") for line in _broken(long)]
    lines[0] = "{" + lines[0]
    lines[-1] += "}"
    return lines


def _reference(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def _guard(line: str) -> str:
    """No line begins like an escape line or a tag."""
    first = line.lstrip(" ")[:1]
    if line.startswith("%") or first == "[":
        return line.replace(first, f"&#{ord(first)};", 1)
    return line


def _broken(line: str) -> Iterator[str]:
    while len(line) > _LONGEST:
        space = line.rfind(" ", 0, _LONGEST)
        cut = space + 1 or _LONGEST
        yield line[:cut]
        line = line[cut:]
    yield line
