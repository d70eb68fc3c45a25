"""What comes of each record of a file: a board with warnings, an error, or nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bridge.board import BoardRecord
from bridge.errors import BridgeError


@dataclass(frozen=True, slots=True)
class RecordRemark:
    """What a reader has to say of one record.

    `record` counts the file's records from 1, good and bad alike. `board` is the board's number as the file writes it,
    or "". `line`, from 1, is the offending tag's where that is known, else the one where the record begins.
    """

    record: int
    board: str
    line: int
    code: str
    message: str


class RecordWarning(RecordRemark):
    """What was repaired in a record, or left out of it. As an outcome it is about the file, from this record on."""


class RecordError(RecordRemark):
    """Why a record cannot be kept."""


class SkippedRecord(RecordRemark):
    """Why a record was passed over that was never meant to have a deal, such as a table's score in a report."""


class GivenPoints(NamedTuple):
    """The points that a file gives a table: matchpoints or IMPs. East-West's are None where it gives one side's."""

    is_matchpoints: bool
    north_south: float
    east_west: float | None


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A record that is kept. `record` and `board` are those of a RecordRemark, and `line` is where it begins.
    `points` are never stored.

    `is_doubtful` when its hands or its declarer are wrong and nothing tells which, so that a person has to look at it.
    """

    record: int
    board: str
    content: BoardRecord
    warnings: tuple[RecordWarning, ...] = ()
    is_doubtful: bool = False
    line: int = 1
    points: GivenPoints | None = None


@dataclass(frozen=True, slots=True)
class TableWithoutDeal(SkippedRecord):
    """A table of a numbered board whose hands are not in its file. `texts` are those of a BoardRecord.

    `read_with` makes of it, once, what it is with the deal of a board, or skips it for the reason why there is none.
    """

    number: int
    texts: Mapping[str, str]
    read_with: Callable[[BoardRecord | BridgeError], "Outcome"] = field(repr=False)


Outcome = ReadBoard | RecordError | SkippedRecord | RecordWarning
