"""Reading RBN: each record is turned into PBN and read as such."""

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.formats.outcomes import Outcome
from bridge.formats.pbn.reader import read_pbn
from bridge.formats.raw_records import MAX_RECORD_SIZE, RawRecord, decode_text, read_lines
from bridge.formats.rbn.records import Translator

RBN = re.compile(rb"\s*%\s*RBN\b|(?:.{0,4000}[\r\n])?H [NESW][:;]", re.DOTALL)
"""What such a file begins with, or has in its first lines."""

_NOT_READABLE = b"x" * (MAX_RECORD_SIZE + 1)


def read_rbn(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield what comes of the file's records. Parameters, memory and rules are those of `read_pbn`."""
    return read_pbn(_PbnStream(stream), check, strict=strict)  # type: ignore[arg-type]  # read(size) is enough


class _PbnStream:
    """Gives the PBN that the RBN of a stream becomes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._games = filter(None, _games(stream))
        self._game = BytesIO()

    def read(self, size: int) -> bytes:
        block = self._game.read(size)
        if not block:
            self._game = BytesIO(next(self._games, b""))
            block = self._game.read(size)
        return block


def _games(stream: BinaryIO) -> Iterator[bytes]:
    """Yield a game for each record, and an empty line for each line between two records."""
    translator = Translator()
    number = 1
    for lines in _records(stream):
        yield b"\n" * (lines[0].line - number)
        yield _game(lines, translator)
        number = lines[-1].line + 1


def _records(stream: BinaryIO) -> Iterator[list[RawRecord]]:
    """Yield the lines of each record. Of one that is too long there are its first line and its last, without bytes."""
    record: list[RawRecord] = []
    last, size, too_long = 0, 0, False
    for line in read_lines(stream):
        if record and line.line > last + 1:
            yield _limited(record, last, too_long=too_long)
            record, size, too_long = [], 0, False
        last = line.line
        size += len(line.data) + 1
        too_long |= line.too_long or size > MAX_RECORD_SIZE
        if not record or not too_long:
            record.append(line)
    if record:
        yield _limited(record, last, too_long=too_long)


def _limited(record: list[RawRecord], last: int, *, too_long: bool) -> list[RawRecord]:
    if not too_long:
        return record
    return [RawRecord(number, b"", too_long=True) for number in (record[0].line, last)]


def _game(lines: list[RawRecord], translator: Translator) -> bytes:
    """Return as many lines as the record has. What is not readable stays so, for PBN's reader to report."""
    data = b"\n".join(line.data for line in lines)
    rest = b"\n" * (lines[-1].line - lines[0].line + 1)
    if lines[0].too_long:
        return _NOT_READABLE + rest
    if b"\0" in data:
        return b"\0" + rest
    return "".join(f"{line}\n" for line in translator.game(decode_text(data).split("\n"))).encode()
