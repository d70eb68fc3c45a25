"""A stream whose beginning can be looked at before it is read, and which gives UTF-8 for a file in UTF-16."""

import codecs
from typing import BinaryIO

from deals.bridge.formats.raw_records import BLOCK_SIZE, UTF_8_MARK

_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32_LE_MARK = codecs.BOM_UTF32_LE


class SourceStream:
    """Reads the stream of a bridge file. `head` is its first block, without a byte order mark."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._buffer = b""
        self._fill()
        if self._buffer.startswith(_UTF_16_MARKS) and not self._buffer.startswith(_UTF_32_LE_MARK):
            self._decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
            self._buffer = self._recode(self._buffer)
            self._fill()
        self.head = self._buffer.removeprefix(UTF_8_MARK)

    def read(self, size: int) -> bytes:
        """Return about `size` bytes, none only at the end."""
        block, self._buffer = self._buffer[:size], self._buffer[size:]
        return block or self._read(size)

    def _fill(self) -> None:
        while len(self._buffer) < BLOCK_SIZE and (block := self._read(BLOCK_SIZE)):
            self._buffer += block

    def _read(self, size: int) -> bytes:
        """Read on, until something is there to give: a byte alone may be half a character."""
        while block := self._stream.read(size):
            if recoded := self._recode(block):
                return recoded
        return self._recode(b"", is_last=True)

    def _recode(self, block: bytes, *, is_last: bool = False) -> bytes:
        if self._decoder is None:
            return block
        text = self._decoder.decode(block, is_last)
        if is_last:
            self._decoder.reset()
        return text.encode()
