"""The texts of a board: how files write each, cleaned so that every format holds them, no longer than PBN allows.

Texts are stored and given back as they were written, with the suit signs, HTML tags and entities that programs write.
Pages and plain text show what `for_people` makes of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from bridge.errors import BridgeError
from bridge.names import SUIT_SYMBOLS

MAX_LINE_LENGTH = 230
"""The limit is in characters as PBN writes them, so that the line of a tag stays within 255 (PBN 2.1 §2.3)."""

MAX_EXPLANATION_LENGTH = 2000
"""The limit of what is said of a call, in characters. A PBN file has the beginning of one that is not a line of PBN."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_LINE_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class FileText:
    """How files write a text of a board. `tag` is its PBN tag, `choices` are its values where any other is refused.

    `words` are other words for the choices, in small letters. A text with a `form` matches it; `example` shows it.

    A `shared` text is the same for all tables of a board. An `identifying` one tells apart two evenings, or two tables
    at which the same happened: boards that differ in it are different boards. One `of_table` says
    at which table the board was played, and who sat there. People search for no words in a `notation` or a text with a
    `form`.
    """

    tag: str
    choices: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    shared: bool = False
    identifying: bool = False
    of_table: bool = False
    notation: bool = False
    form: re.Pattern[str] | None = None
    example: str = ""

    def read(self, value: str) -> str:
        """Return the choice that a file means, whatever its case, else the value as it is."""
        if not self.choices:
            return value
        word = value.lower()
        return next((choice for choice in self.choices if choice.lower() == word), self.words.get(word, value))

    def check(self, name: str, value: str) -> None:
        """Raise `text_too_long`, or `unknown_value` for a text that is not a choice or has another form.

        A wrong pair number may be a player's name, so it is not repeated.
        """
        label = name.replace("_", " ").capitalize()
        check_line(label, value, name)
        if self.choices and value not in self.choices:
            message = f"{label} is {value[:20]!r}, which is none of {', '.join(self.choices)}."
            raise BridgeError("unknown_value", message, name)
        if self.form and not self.form.fullmatch(value):
            message = f"{label} is not written as in {self.example!r}."
            raise BridgeError("unknown_value", message, name)


def text(tag: str, **options: Any) -> Any:
    """Return a field of BoardRecord that is a text on one line, "" when it is not known. `options` are FileText's."""
    return field(default="", metadata={FileText: FileText(tag, **options)})


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


_MARKED = re.compile(r"[\\!{<&]")
_SIGN = re.compile(
    r"(?<![A-Za-z:\\])\\([SHDC])(?![a-wyz])|!([SHDCshdc])(?=[AKQJTx]{0,13}(?![^\W\d_]))|\{([SHDCshdc])\}"
)
"""`1\\S` as BridgeComposer writes it but not `C:\\Deals`, `1!s` as Bridge Base does but not "No!Hearts", and `1{s}`."""

_LINE_BREAK = re.compile(r"</?(?:br|p)(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|big|blockquote|center|code|div|em|font|h[1-6]|hr|i|img|li|ol|pre|s|small|span|strong|sub|sup"
    r"|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_TOO_LONG_REFERENCE = re.compile(r"&#[0-9]{20,};?")
"""No character has such a number, and Python refuses to read one of thousands of digits."""


def for_people(text: str) -> str:
    """Return a text with suit symbols for suit signs, without HTML tags, and with entities resolved."""
    return resolve_html(text, _SIGN) if _MARKED.search(text) else text


def line_for_people(text: str) -> str:
    """Return a text on one line, such as a title or an explanation, as people read it."""
    return to_one_line(for_people(text))


def resolve_html(text: str, sign: re.Pattern[str]) -> str:
    """Drop the tags, put a suit symbol for each sign, whose group is the suit's letter, and resolve the entities."""
    text = _TAG.sub("", _LINE_BREAK.sub("\n", text))
    text = sign.sub(lambda match: SUIT_SYMBOLS[match[match.lastindex or 1].upper()], text)
    return unescape(_TOO_LONG_REFERENCE.sub("\ufffd", text))
