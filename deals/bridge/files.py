"""Bridge files of either format, told apart by what is in them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.lin.reader import read_lin
from deals.bridge.pbn.reader import read_pbn
from deals.bridge.raw_records import BLOCK

_LIN = re.compile(rb"(?:\xef\xbb\xbf)?[\s|]*+[A-Za-z][A-Za-z0-9]\s*+\|")


class FileFormat(StrEnum):
    """By the usual ending of a file's name."""

    PBN = "pbn"
    LIN = "lin"


MAX_REFUSED = 10_000
"""Bad records after which the rest of a file is not read: it is no bridge file."""

_READERS = {FileFormat.PBN: read_pbn, FileFormat.LIN: read_lin}


def read_boards(
    stream: BinaryIO,
    check: Callable[[BoardRecord], None] = BoardRecord.check,
    file_format: FileFormat | None = None,
) -> Iterator[BoardRecord | RecordError]:
    """The records of a file in order; see `read_pbn` and `read_lin`. None: LIN if it begins with a LIN tag.

    After MAX_REFUSED bad records the last one is `too_many_refused`.
    """
    beginning = _Beginning(stream)
    refused = 0
    for outcome in _READERS[file_format or beginning.guess()](beginning, check):  # type: ignore[arg-type]
        yield outcome
        refused += isinstance(outcome, RecordError)
        if isinstance(outcome, RecordError) and refused >= MAX_REFUSED:
            message = f"{MAX_REFUSED} records are bad: the rest of the file was not read."
            yield RecordError(outcome.record + 1, outcome.line, "too_many_refused", message)
            return


@dataclass(slots=True)
class _Beginning:
    """A stream whose first block has been looked at."""

    stream: BinaryIO
    seen: bytes = b""

    def guess(self) -> FileFormat:
        while len(self.seen) < BLOCK and (block := self.stream.read(BLOCK)):
            self.seen += block
        return FileFormat.LIN if _LIN.match(self.seen) else FileFormat.PBN

    def read(self, size: int) -> bytes:
        seen, self.seen = self.seen[:size], self.seen[size:]
        return seen or self.stream.read(size)
