"""Reading a bridge file of either format: its content tells which one it is."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from deals.bridge.board import BoardRecord
from deals.bridge.lin.reader import read_lin
from deals.bridge.outcomes import Outcome, RecordError
from deals.bridge.pbn.reader import read_pbn
from deals.bridge.raw_records import BLOCK_SIZE

_LIN = re.compile(rb"(?:\xef\xbb\xbf)?[\s|]*+[A-Za-z][A-Za-z0-9]\s*+\|")


class FileFormat(StrEnum):
    """The formats of bridge files. A value is the usual ending of a file's name."""

    PBN = "pbn"
    LIN = "lin"


MAX_REFUSED = 10_000
"""A file with so many bad records is no bridge file, and the rest of it is not read."""

_READERS = {FileFormat.PBN: read_pbn, FileFormat.LIN: read_lin}


def read_boards(
    stream: BinaryIO,
    check: Callable[[BoardRecord], None] = BoardRecord.check,
    file_format: FileFormat | None = None,
    *,
    strict: bool = False,
) -> Iterator[Outcome]:
    """Yield what comes of the records of a file in order; see `read_pbn` and `read_lin`.

    Without a `file_format` the file is LIN if it begins with a LIN tag, else PBN. After MAX_REFUSED bad records
    the last error is `too_many_refused`.
    """
    buffered = _BufferedStream(stream)
    refused = 0
    for outcome in _READERS[file_format or buffered.guess_format()](buffered, check, strict=strict):  # type: ignore[arg-type]
        yield outcome
        refused += isinstance(outcome, RecordError)
        if isinstance(outcome, RecordError) and refused >= MAX_REFUSED:
            message = f"{MAX_REFUSED} records are bad. The rest of the file was not read."
            yield RecordError(outcome.record + 1, "", outcome.line, "too_many_refused", message)
            return


@dataclass(slots=True)
class _BufferedStream:
    """A stream whose first block can be looked at before it is read."""

    stream: BinaryIO
    buffer: bytes = b""

    def guess_format(self) -> FileFormat:
        while len(self.buffer) < BLOCK_SIZE and (block := self.stream.read(BLOCK_SIZE)):
            self.buffer += block
        return FileFormat.LIN if _LIN.match(self.buffer) else FileFormat.PBN

    def read(self, size: int) -> bytes:
        block, self.buffer = self.buffer[:size], self.buffer[size:]
        return block or self.stream.read(size)
