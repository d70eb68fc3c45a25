"""One record of a bridge file as bytes: what the readers cut files into, and how bytes become text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from deals.bridge.errors import NotationError

MAX_RECORD = 256 * 1024
"""Bytes. A longer record is reported and skipped."""

BLOCK = 64 * 1024
"""Bytes read at a time."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class RawRecord:
    """`line` is where it begins, from 1. `too_long` records come without bytes."""

    line: int
    data: bytes
    too_long: bool = False

    def text(self) -> str:
        """With LF line ends; UTF-8, else Latin-1. NotationError: `record_too_long` or `not_text`."""
        if self.too_long:
            message = f"The record is longer than {MAX_RECORD // 1024} KiB."
            raise NotationError("record_too_long", message, self.line)
        if b"\0" in self.data:
            message = "This is not text: it contains NUL characters."
            raise NotationError("not_text", message, self.line)
        data = self.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode("latin-1")


def line_ends(data: bytes) -> int:
    """LF, CRLF or CR."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def read_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """BLOCK bytes or fewer at a time, without a byte order mark at the beginning."""
    first = True
    while block := stream.read(BLOCK):
        yield block.removeprefix(_BOM) if first else block
        first = False
