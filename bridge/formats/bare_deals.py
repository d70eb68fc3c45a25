"""Reading deals alone, one a line, as PBN writes the value of a Deal: `N:AK5.QJ2.T98.7643 … … …`."""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.errors import BridgeError
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError
from bridge.formats.raw_records import RawRecord, read_lines
from bridge.formats.statistics import Statistics
from bridge.layout import Layout
from bridge.seats import parse_seat
from bridge.vulnerability import Vulnerability

BARE_DEAL = re.compile(
    rb"\s*+[NESW]:(?:[0-9AKQJTSHDC.-]++[ \t]++){3}[0-9AKQJTSHDC.-]++\s*+(?:\Z|(?<=[\r\n]))", re.IGNORECASE
)
"""What such a file begins with."""

_DEAL = re.compile(rb"\s*+[NESW]:", re.IGNORECASE)


def read_bare_deals(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check, *, strict: bool = False
) -> Iterator[Outcome]:
    """Yield a board for each line that is not blank: the first hand's seat deals, and nobody is vulnerable.

    Parameters are those of `read_pbn`. One hand may be "-": it has the other cards.
    """
    statistics = Statistics()
    record = 0
    for line in read_lines(stream):
        outcomes: list[Outcome] = [_read_line(record + 1, line, check)]
        is_text = isinstance(outcomes[0], RecordError) and not _DEAL.match(line.data)
        if record and is_text and statistics.include(line.data):
            outcomes[:] = statistics.skip(record + 1, line.line)
        record += len(outcomes)
        yield from outcomes


def _read_line(record: int, line: RawRecord, check: Callable[[BoardRecord], None]) -> Outcome:
    try:
        text = line.text().strip()
        board = BoardRecord(Layout.parse_three(text), parse_seat(text[:1]), Vulnerability.NONE)
        check(board)
        return ReadBoard(record, "", board, line=line.line)
    except BridgeError as error:
        return RecordError(record, "", line.line, error.code, error.message)
