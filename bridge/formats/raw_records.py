"""From a file's bytes to the raw records that the readers cut it into, and from a record's bytes to text.

Readers take a file as blocks of bytes, of any size. `open_file` gives them: in UTF-8 for a file in UTF-16, and without
the marks of a mail program that has quoted the file.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from bridge.errors import NotationError

MAX_RECORD_SIZE = 256 * 1024
"""The limit is in bytes. A longer record is reported and skipped."""

BLOCK_SIZE = 64 * 1024
"""The number of bytes that are read at a time."""

Blocks = Iterable[bytes]

_UTF_8_MARK = b"\xef\xbb\xbf"

_HOLES = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
_WINDOWS_1252 = {code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in _HOLES}
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # A CR at the end may be half of a CRLF.


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record, not yet read, from its `line` on. One that is `too_long` has no bytes; a file ends in the last."""

    line: int
    data: bytes
    too_long: bool = False
    is_last: bool = False

    def text(self) -> str:
        """Decode with LF line ends as `decode_text` does; or raise NotationError: `record_too_long` or `not_text`."""
        if self.too_long:
            message = f"The record is longer than {MAX_RECORD_SIZE // 1024} KiB."
            raise NotationError("record_too_long", message, self.line)
        if b"\0" in self.data:
            message = "The record is not text: it contains NUL characters."
            raise NotationError("not_text", message, self.line)
        return decode_text(self.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


def decode_text(data: bytes) -> str:
    """Decode UTF-8, else Windows-1252, whose five holes are read as Latin-1."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1").translate(_WINDOWS_1252)


def count_lines(data: bytes) -> int:
    """Count the line ends: LF, CRLF or CR."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def mend_line_ends(blocks: Blocks) -> Iterator[bytes]:
    """Yield the blocks of a text.

    CR CR LF is read as CRLF: a program that writes CRLF to a file which Windows opened as text produces it. As two line
    ends it would put a blank line after each line, which ends a PBN game.
    """
    held = b""
    for each in blocks:
        block = held + each
        held = b"\r\r" if block.endswith(b"\r\r") else b"\r" * block.endswith(b"\r")
        yield block.removesuffix(held).replace(b"\r\r\n", b"\r\n")
    yield held


def read_lines(blocks: Blocks) -> Iterator[RawRecord]:
    """Yield the lines that are not blank, with memory for one line and one block."""
    number, rest, too_long = 1, b"", False
    for block in mend_line_ends(blocks):
        *lines, end = _LINE_END.split(block)
        if lines:
            lines[0], rest = rest + lines[0], b""
        for line in lines:
            if too_long or line.strip():
                yield line_record(number, line, too_long)
            number, too_long = number + 1, False
        rest += end
        if len(rest) > MAX_RECORD_SIZE:
            rest, too_long = rest[-1:], True
    if too_long or rest.strip():
        yield line_record(number, rest.removesuffix(b"\r"), too_long)


def line_record(number: int, line: bytes, too_long: bool) -> RawRecord:
    """Return a line as a record. One that is too long has no text."""
    return RawRecord(number, b"" if too_long else line, too_long)


def read_chunks(blocks: Blocks, size: int) -> Iterator[bytes]:
    """Yield the file in chunks of exactly `size` bytes; the last one may be shorter."""
    rest = b""
    for block in blocks:
        rest += block
        end = len(rest) - len(rest) % size
        for start in range(0, end, size):
            yield rest[start : start + size]
        rest = rest[end:]
    if rest:
        yield rest


_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32_LE_MARK = codecs.BOM_UTF32_LE
_ZEROS = {"utf-16-le": re.compile(rb"(?:[\t\n\r -~]\0){4}"), "utf-16-be": re.compile(rb"(?:\0[\t\n\r -~]){4}")}
"""How text without a byte order mark begins: every other byte of its first letters is zero."""

_NOT_QUOTED = re.compile(rb"[\r\n](?!>)[ \t]*+\S")
_QUOTES = re.compile(rb"(?<=[\r\n])(?:\xef\xbb\xbf)?+(?:>[ \t]?+)++")


def open_file(blocks: Blocks) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes of a file and its blocks, both as UTF-8 without a byte order mark."""
    head, blocks = _look_ahead(iter(blocks))
    if encoding := encoding_of(head):
        head, blocks = _look_ahead(text.encode() for text in codecs.iterdecode(blocks, encoding, errors="replace"))
    if is_quoted(head):
        head, blocks = _look_ahead(_without_quotes(blocks))
    return head, blocks


def _look_ahead(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first block, of BLOCK_SIZE bytes or more, and all blocks, without a byte order mark."""
    head = b""
    for block in blocks:
        head += block
        if len(head) >= BLOCK_SIZE:
            break
    head = head.removeprefix(_UTF_8_MARK)
    return head, chain((head,), blocks)


def encoding_of(head: bytes) -> str:
    """Return the encoding of a file in UTF-16 by its first bytes, "" for any other file."""
    if head.startswith(_UTF_16_MARKS) and not head.startswith(_UTF_32_LE_MARK):
        return "utf-16"
    return next((name for name, zeros in _ZEROS.items() if zeros.match(head)), "")


def is_quoted(head: bytes) -> bool:
    """Tell whether a mail program has put ">" before every line that is not blank."""
    return head.lstrip().startswith(b">") and not _NOT_QUOTED.search(b"\n" + head)


def _without_quotes(blocks: Blocks) -> Iterator[bytes]:
    """Yield the blocks without the ">" before their lines, however many there are. The line ends stay."""
    before = b"\n"  # What comes before the next block: a line end, one with a mark, or something else.
    for block in blocks:
        text = before + block
        line = text[max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 :]
        before = b"x" if line.strip(b"> \t") else b"\n>" if line.endswith(b">") else b"\n"
        yield _QUOTES.sub(b"", text)[1:]
