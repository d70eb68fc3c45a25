"""The raw records that both readers cut a file into, as bytes, and how bytes become text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from deals.bridge.errors import NotationError

MAX_RECORD_SIZE = 256 * 1024
"""The limit is in bytes. A longer record is reported and skipped."""

BLOCK_SIZE = 64 * 1024
"""The number of bytes that are read at a time."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record, not yet read. `line` is where it begins, from 1. A record that is `too_long` has no bytes."""

    line: int
    data: bytes
    too_long: bool = False

    def text(self) -> str:
        """Decode UTF-8, else Latin-1, with LF line ends; or raise NotationError: `record_too_long` or `not_text`."""
        if self.too_long:
            message = f"The record is longer than {MAX_RECORD_SIZE // 1024} KiB."
            raise NotationError("record_too_long", message, self.line)
        if b"\0" in self.data:
            message = "The record is not text: it contains NUL characters."
            raise NotationError("not_text", message, self.line)
        data = self.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode("latin-1")


def count_lines(data: bytes) -> int:
    """Count the line ends: LF, CRLF or CR."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def read_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the stream in blocks of at most BLOCK_SIZE bytes, without a byte order mark at its beginning."""
    first = True
    while block := stream.read(BLOCK_SIZE):
        yield block.removeprefix(_BOM) if first else block
        first = False
