"""Cutting a stream of bytes into LIN tables, with memory for one table only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge.formats.foreign_files import split_statistics
from bridge.formats.raw_records import MAX_RECORD_SIZE, Blocks, RawRecord, count_lines, mend_line_ends

_OPENING = re.compile(rb"\|\s*+(q[\r\n]*+x|m[\r\n]*+d)\s*+(?=\|)", re.IGNORECASE)
"""The names of the tags also where a mail program has broken the line within them."""

_COMMENT = re.compile(rb"%(?<=[\r\n]%)[^\r\n]*+")
_NOTHING = b"| \t\r\n"


def read_tables(blocks: Blocks) -> Iterator[RawRecord]:
    """Yield the tables of a file in order: each begins at `qx`, or at a further `md` where files leave `qx` out.

    What stands before the first is a record too, such as the header of a vugraph file. Every record begins with
    the bar before its first tag.
    """
    splitter = _Splitter()
    rest = b"|"
    for block in _without_comments(mend_line_ends(blocks)):
        text = rest + block
        end = text.rfind(b"|")
        yield from splitter.feed(text, end)
        rest = text[end:]
        if len(rest) > MAX_RECORD_SIZE:
            splitter.add(rest)
            rest = b"|"
    splitter.add(rest)
    yield from splitter.flush(is_last=True)


def _without_comments(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the blocks without the lines that begin with "%". Their line ends stay."""
    before = b"\n"
    for block in blocks:
        text = before + block
        line = text[max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 :]
        before = b"\n" + line[:1] if line[:1] in b"%" else b"x"
        yield _COMMENT.sub(b"", text)[1:] if b"%" in text else block


@dataclass(slots=True)
class _Splitter:
    """Collects the bytes of one table at a time. `number` is that of the current line, `start` of the table's first."""

    number: int = 1
    start: int = 1
    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    has_deal: bool = False

    def feed(self, text: bytes, end: int) -> Iterator[RawRecord]:
        """Add text, yield the tables that end in it. `text[end]` is the last bar: a tag may still begin behind it."""
        begin = 0
        for opening in _OPENING.finditer(text, 0, end + 1):
            is_deal = opening[1][:1] in b"mM"
            if self.has_deal or not is_deal:
                self.add(text[begin : opening.start()])
                yield from self.flush()
                begin = opening.start()
            self.has_deal |= is_deal
        self.add(text[begin:end])

    def add(self, data: bytes) -> None:
        if not self.parts and not self.size:
            blanks = len(data) - len(data.lstrip(_NOTHING))
            self.start = self.number + count_lines(data[:blanks])
        self.number += count_lines(data)
        self.size += len(data)
        if self.size > MAX_RECORD_SIZE:
            self.parts.clear()
        elif data:
            self.parts.append(data)

    def flush(self, *, is_last: bool = False) -> Iterator[RawRecord]:
        """Yield the current table, if there is one, and begin the next."""
        data = b"".join(self.parts)
        if self.size > MAX_RECORD_SIZE or data.strip(_NOTHING):
            data, text = split_statistics(data, b"|") if is_last else (data, b"")
            yield RawRecord(self.start, data, self.size > MAX_RECORD_SIZE, is_last)
            if text:
                yield RawRecord(self.start + count_lines(data.lstrip(_NOTHING)), text)
        self.parts, self.size, self.has_deal = [], 0, False
