"""What an import says of a file, the batches in which it reads one, and how many boards a file probably has.

So many numbers an import takes before it reads (decision 0051).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO
from uuid import UUID

from boards.events.file_rankings import FileRankings
from boards.files.points import PointsCheck
from boards.records import fingerprint_of
from bridge.board import BoardRecord
from bridge.formats.archives import is_archive
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, RecordWarning, SkippedRecord
from bridge.formats.rankings import GivenRanking

BATCH_SIZE = 500
MAX_SKIPPED = 1000
MAX_WARNINGS = 10_000
MAX_CHANGES = 10_000
"""How many of each a report lists: a file of a few bytes a record would be answered with ten times as much."""


@dataclass
class ReadingReport:
    """What the reader said of a file's records.

    `warnings` and `skipped` have the first MAX_WARNINGS and MAX_SKIPPED, and the counts count all. `kept_count` counts
    the records that became boards, and `mended_count` those of them with a warning. `points` and `rankings` are those
    of the file.
    """

    failed: list[RecordError] = field(default_factory=list)
    warnings: list[RecordWarning] = field(default_factory=list)
    warnings_count: int = 0
    skipped: list[SkippedRecord] = field(default_factory=list)
    skipped_count: int = 0
    kept_count: int = 0
    mended_count: int = 0
    points: PointsCheck = field(default_factory=PointsCheck)
    rankings: FileRankings = field(default_factory=FileRankings)

    def warn(self, warnings: Sequence[RecordWarning]) -> None:
        self.warnings_count += len(warnings)
        self.warnings += warnings[: MAX_WARNINGS - len(self.warnings)]


@dataclass(frozen=True)
class MergedRecord:
    """A record whose board is stored already, and has got texts from it."""

    record: int
    board: str
    board_id: UUID


@dataclass(frozen=True)
class CorrectedRecord(MergedRecord):
    """A record of a table that was stored with something else, and what that was and is, in words."""

    old: str
    new: str


@dataclass
class ImportReport(ReadingReport):
    """What an import did. `created` and `existing` count deals, `boards` counts the new boards.

    `merged` and `corrected` have the first MAX_CHANGES each, and the counts count all. `left_alone` counts the records
    that would correct a published board which only staff may change.

    `deal_ids` and `board_ids` hold all of the file's deals and boards, new or not, as ordered sets. `doubtful_ids` are
    the boards that somebody has to look at before they are published. `new_ids` are the deals and boards that were not
    stored before. After a `dry_run` they are not stored either.
    """

    dry_run: bool = False
    created: int = 0
    boards: int = 0
    merged: list[MergedRecord] = field(default_factory=list)
    merged_count: int = 0
    corrected: list[CorrectedRecord] = field(default_factory=list)
    corrected_count: int = 0
    left_alone: int = 0
    deal_ids: dict[UUID, None] = field(default_factory=dict)
    board_ids: dict[UUID, None] = field(default_factory=dict)
    doubtful_ids: set[UUID] = field(default_factory=set)
    new_ids: set[UUID] = field(default_factory=set)

    @property
    def existing(self) -> int:
        return len(self.deal_ids.keys() - self.new_ids)

    def forget_new(self) -> None:
        """Leave out the ids of deals and boards that were only stored for a dry run. The counts stay."""
        self.dry_run = True
        self.deal_ids = {pk: None for pk in self.deal_ids if pk not in self.new_ids}
        self.board_ids = {pk: None for pk in self.board_ids if pk not in self.new_ids}
        self.merged = [each for each in self.merged if each.board_id not in self.new_ids]

    def add(self, batch: "ImportReport") -> None:
        """Add what was done with a batch, once it is stored."""
        self.created += batch.created
        self.boards += batch.boards
        self.merged += batch.merged[: MAX_CHANGES - len(self.merged)]
        self.merged_count += len(batch.merged)
        self.corrected += batch.corrected[: MAX_CHANGES - len(self.corrected)]
        self.corrected_count += len(batch.corrected)
        self.left_alone += batch.left_alone
        self.deal_ids |= batch.deal_ids
        self.board_ids |= batch.board_ids
        self.doubtful_ids |= batch.doubtful_ids
        self.new_ids |= batch.new_ids


def iterate_batches(outcomes: Iterable[Outcome], report: ReadingReport) -> Iterator[list[ReadBoard]]:
    """Yield the records that are kept in lists of BATCH_SIZE. Add all that is said of records to a report."""

    def kept_records() -> Iterator[ReadBoard]:
        for outcome in outcomes:
            if isinstance(outcome, ReadBoard):
                report.kept_count += 1
                report.mended_count += bool(outcome.warnings)
                if outcome.points:
                    report.points.add(outcome)
                report.warn(outcome.warnings)
                yield outcome
            elif isinstance(outcome, GivenRanking):
                report.rankings.add(outcome)
            elif isinstance(outcome, RecordWarning):
                report.warn([outcome])
            elif isinstance(outcome, SkippedRecord):
                report.skipped_count += 1
                report.skipped += [outcome][: MAX_SKIPPED - len(report.skipped)]
            else:
                report.failed.append(outcome)

    records = kept_records()
    while batch := list(islice(records, BATCH_SIZE)):
        yield batch


class TableNumbers:
    """Counts the tables of a file that nothing tells apart, so that each of them becomes a board."""

    def __init__(self, owner_id: str) -> None:
        self.owner_id = owner_id
        self.seen: Counter[str] = Counter()

    def fingerprint(self, record: BoardRecord) -> str:
        """Return the fingerprint of the file's next record.

        A table of an event that has a contract or an adjusted score, and no pairs, is a table of its own, however many
        others of the file are equal to it. Some programs give all tables of an evening one number.
        """
        fingerprint = fingerprint_of(record, self.owner_id)
        is_named = record.pair_ns or record.pair_ew
        if not record.event or is_named or not (record.contract or record.adjustment):
            return fingerprint
        self.seen[fingerprint] += 1
        number = self.seen[fingerprint]
        return fingerprint_of(record, self.owner_id, number) if number > 1 else fingerprint


MARGIN = 1.1
MIN_EXPECTED = 1_000
SHORT_LENGTH = 24
"""The bytes of a short deal in a ZIP file or in a file without lines."""

CHUNK = 1 << 20


def expect_boards(file: BinaryIO, read: int, last: ReadBoard) -> int:
    """Return how many boards a file probably has, somewhat more than the first ones tell.

    So many are read, up to the `last`: what follows has probably as many lines a board. An archive's lines tell
    nothing, nor do those of a file that has none. Of these the length does, which is rather too much.
    """
    if not file.seekable():
        return MIN_EXPECTED
    position = file.tell()
    file.seek(0)
    head = chunk = file.read(CHUNK)
    length = lines = 0
    while chunk:
        length += len(chunk)
        lines += max(chunk.count(b"\n"), chunk.count(b"\r"))
        chunk = file.read(CHUNK)
    file.seek(position)
    has_lines = last.line > 1 and not is_archive(head)
    expected = read * lines / last.line if has_lines else length / SHORT_LENGTH
    return max(MIN_EXPECTED, round(expected * MARGIN))
