"""The raw records that the readers cut a file into, as bytes, and how bytes become text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from bridge.errors import NotationError

MAX_RECORD_SIZE = 256 * 1024
"""The limit is in bytes. A longer record is reported and skipped."""

BLOCK_SIZE = 64 * 1024
"""The number of bytes that are read at a time."""

UTF_8_MARK = b"\xef\xbb\xbf"

_HOLES = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
_WINDOWS_1252 = {code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in _HOLES}
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # A CR at the end may be half of a CRLF.


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record, not yet read. `line` is where it begins, from 1. A record that is `too_long` has no bytes.

    `is_last` when the file ends in it.
    """

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


def read_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the stream in blocks of about BLOCK_SIZE bytes, without a byte order mark at its beginning.

    Programs that write CRLF to a file which Windows opened as text write CR CR LF. It is given as CRLF: read as two
    line ends, each of its lines would have a blank line behind it, which ends a PBN game.
    """
    block = stream.read(BLOCK_SIZE).removeprefix(UTF_8_MARK)
    held = b""
    while block:
        block = held + block
        held = b"\r\r" if block.endswith(b"\r\r") else b"\r" * block.endswith(b"\r")
        if whole := block.removesuffix(held).replace(b"\r\r\n", b"\r\n"):
            yield whole
        block = stream.read(BLOCK_SIZE)
    if held:
        yield held


def read_lines(stream: BinaryIO) -> Iterator[RawRecord]:
    """Yield the lines that are not blank, with memory for one line and one block."""
    number, rest, too_long = 1, b"", False
    for block in read_blocks(stream):
        *lines, end = _LINE_END.split(block)
        if lines:
            lines[0], rest = rest + lines[0], b""
        for line in lines:
            if too_long or line.strip():
                yield _raw_line(number, line, too_long)
            number, too_long = number + 1, False
        rest += end
        if len(rest) > MAX_RECORD_SIZE:
            rest, too_long = rest[-1:], True
    if too_long or rest.strip():
        yield _raw_line(number, rest.removesuffix(b"\r"), too_long)


def _raw_line(number: int, line: bytes, too_long: bool) -> RawRecord:
    """Return a line as a record. Of one that is too long only its end is left, which is dropped."""
    return RawRecord(number, b"" if too_long else line, too_long)


def read_chunks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the stream in chunks of exactly `size` bytes; the last one may be shorter."""
    rest = b""
    while block := stream.read(BLOCK_SIZE):
        rest += block
        end = len(rest) - len(rest) % size
        for start in range(0, end, size):
            yield rest[start : start + size]
        rest = rest[end:]
    if rest:
        yield rest
