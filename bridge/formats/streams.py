"""A stream whose beginning can be looked at before it is read.

It gives UTF-8 for a file in UTF-16, and a file that a mail program has quoted without its marks.
"""

import codecs
import re
from typing import BinaryIO

from bridge.formats.raw_records import BLOCK_SIZE, UTF_8_MARK

_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32_LE_MARK = codecs.BOM_UTF32_LE
_ZEROS = {
    "utf-16-le": re.compile(rb"(?:[\t\n\r -~]\0){4}"),
    "utf-16-be": re.compile(rb"(?:\0[\t\n\r -~]){4}"),
}
"""How text without a byte order mark begins: every other byte of its first letters is zero."""

_NOT_QUOTED = re.compile(rb"[\r\n](?!>)[ \t]*+\S")
_QUOTES = re.compile(rb"(?<=[\r\n])(?:\xef\xbb\xbf)?+(?:>[ \t]?+)++")


def encoding_of(head: bytes) -> str:
    """Return the encoding of a file in UTF-16 by its first bytes, "" for any other file."""
    if head.startswith(_UTF_16_MARKS) and not head.startswith(_UTF_32_LE_MARK):
        return "utf-16"
    return next((name for name, zeros in _ZEROS.items() if zeros.match(head)), "")


class SourceStream:
    """Reads the stream of a bridge file. `head` is its first block, without a byte order mark."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._buffer = b""
        self._fill()
        if encoding := encoding_of(self._buffer):
            self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
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


def is_quoted(head: bytes) -> bool:
    """Tell whether a mail program has put ">" before every line that is not blank."""
    return head.lstrip().startswith(b">") and not _NOT_QUOTED.search(b"\n" + head)


class UnquotedStream:
    """Reads a stream without the ">" before its lines, however many there are. The line ends stay."""

    def __init__(self, stream: SourceStream) -> None:
        self._stream = stream
        self._before = b"\n"
        """What stands before the next block as far as it matters: a line end, one with a mark, or something else."""

    def read(self, size: int) -> bytes:
        """Return about `size` bytes, none only at the end."""
        while block := self._stream.read(size):
            text = self._before + block
            line = text[max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 :]
            self._before = b"x" if line.strip(b"> \t") else b"\n>" if line.endswith(b">") else b"\n"
            if unquoted := _QUOTES.sub(b"", text)[1:]:
                return unquoted
        return b""
