"""What no reader accepts: files that are not bridge files, with what to send instead, and statistics of dealing
programs. Such statistics follow the boards: "Generated 1000 hands", and tables of numbers.
"""

import re
from dataclasses import dataclass

from bridge.formats.outcomes import SkippedRecord
from bridge.formats.raw_records import decode_text

NOT_A_BRIDGE_FILE = "not_a_bridge_file"

_SEND = "Send a PBN or LIN file, or one of a dealing machine."
_SEND_SOURCE = "Send the PBN or LIN file that it was made from."
_SEND_EXPORT = "Export the boards as PBN from the program that made it, and send that file."

_MAGIC = (
    (rb"%PDF-", "a PDF document", _SEND_SOURCE),
    (rb".{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1|avi[fs])", "a picture", _SEND_SOURCE),
    (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|BM.{4}\0{4}|II\*\0|MM\0\*", "a picture", _SEND_SOURCE),
    (rb"\0\x01\0\0Standard (?:Jet|ACE) DB", "an Access database, such as Bridgemate's BWS", _SEND_EXPORT),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word file", _SEND_EXPORT),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet", "a spreadsheet", _SEND_EXPORT),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis", "an OpenDocument text", _SEND_SOURCE),
    (rb"PK\x03\x04(?=.*\[Content_Types\]\.xml)(?=.*xl/)", "an Excel spreadsheet", _SEND_EXPORT),
    (rb"PK\x03\x04(?=.*\[Content_Types\]\.xml)(?=.*word/)", "a Word document", _SEND_SOURCE),
    (rb"PK\x03\x04.{26}\[Content_Types\]\.xml", "an Office document", _SEND_EXPORT),
    (rb"\{\\rtf", "a document in RTF", _SEND_SOURCE),
    (rb"SQLite format 3\0", "an SQLite database", _SEND_EXPORT),
    (rb"\x1f\x8b|Rar!|7z\xbc\xaf|BZh[1-9]|\xfd7zXZ", "a packed file", "Unpack it, or pack the files as ZIP."),
)
_KINDS = tuple((re.compile(pattern, re.DOTALL), name, advice) for pattern, name, advice in _MAGIC)

_WEB_PAGE = re.compile(
    rb".{0,2000}?<html\b|\s*<(?:!doctype\s+html|a|body|div|head|iframe|meta|p|pre|script|style|table|title)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKUP = re.compile(rb"\s*<(?!https?:)[?!A-Za-z]", re.IGNORECASE)
_JSON = re.compile(rb"\s*+[\[{]\s*+[\[{]?+\s*+\"[^\"]*+\"\s*+[:,]")
_DEAL_TAG = re.compile(rb"[\r\n>][ \t]*+\[\s*+Deal\s*+\"")


def is_foreign(head: bytes) -> bool:
    """Tell whether the first bytes are those of another kind of file. Markup around PBN is not."""
    return _kind(head) is not None or (_MARKUP.match(head) is not None and not _DEAL_TAG.search(head))


def refuse(head: bytes) -> str:
    """Say what another kind of file is, and what to send, as in "This is a picture. …"; "" for one that may be read."""
    kind = _kind(head)
    return f"This is {kind[0]}. {kind[1]}" if kind else ""


def describe(head: bytes, recognised: str) -> str:
    """Say what a file without records looks like, and what to send. `recognised` is its format's name, or ""."""
    name, advice = _kind(head) or _text_kind(head, recognised)
    return f"The file is {name}. {advice}"


def _kind(head: bytes) -> tuple[str, str] | None:
    return next(((name, advice) for pattern, name, advice in _KINDS if pattern.match(head)), None)


def _text_kind(head: bytes, recognised: str) -> tuple[str, str]:
    if not head.strip():
        return "empty", _SEND
    if _WEB_PAGE.match(head):
        return "a web page", "Send the PBN or LIN file that the page offers, not the page."
    if recognised:
        return f"{recognised} with a header, but no board", "Send a file with boards."
    if _MARKUP.match(head):
        return "XML", _SEND_EXPORT
    if _JSON.match(head):
        return "JSON", _SEND_EXPORT
    if b"\0" in head:
        return "of an unknown kind", _SEND
    if _is_table(decode_text(head)):
        return "a table (CSV)", _SEND_EXPORT
    return "text without a board", _SEND


def _is_table(text: str) -> bool:
    """Tell whether the first lines have the same number of cells, and several."""
    lines = [line for line in text.splitlines()[:6] if line.strip()]
    if len(lines) > 5:
        lines.pop()  # It may be cut off.
    return len(lines) > 1 and any(
        lines[0].count(separator) and len({line.count(separator) for line in lines}) == 1 for separator in ",;\t"
    )


_LINE = re.compile(
    rb"""(?:\A|(?<=[\r\n]))[ \t]*+
    (?:(?:Generated|Produced)[ \t]++[0-9]++[ \t]++hands | Initial[ ]random[ ]seed | Time[ ]needed | Frequency)\b""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class Statistics:
    """What a file has of them so far. They are said once, and all further text without a board belongs to them."""

    is_found: bool = False

    def skip(self, record: int, line: int) -> list[SkippedRecord]:
        """Return what is said of them: nothing the second time."""
        message = "The text after the boards looks like the statistics of a dealing program. It was left out."
        said = [] if self.is_found else [SkippedRecord(record, "", line, "text_after_boards", message)]
        self.is_found = True
        return said

    def include(self, text: bytes) -> bool:
        """Tell whether a text without a board, which has boards before it, belongs to them."""
        return self.is_found or _LINE.search(text) is not None


def split_statistics(data: bytes, *ends: bytes) -> tuple[bytes, bytes]:
    """Split a file's last record before them. They begin after all of `ends`, the signs with which boards end."""
    end = max(map(data.rfind, ends))
    line = _LINE.search(data, end + 1) if end >= 0 else None
    return (data[: line.start()], data[line.start() :]) if line else (data, b"")
