"""Finding out what an import would create, while nothing is stored or locked."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from boards.files.corrections import Corrections, correct, says_less
from boards.files.options import DEFAULT, ImportOptions
from boards.files.reports import CorrectedRecord, ReadingReport, TableNumbers, iterate_batches
from boards.models import Board
from boards.records import columns_of
from bridge.board import BoardRecord
from bridge.formats.outcomes import ReadBoard
from deals.models import Deal

MAX_FIRST = 3


@dataclass
class DryRunReport(ReadingReport):
    """What an import would create.

    `deals` maps the cards of each distinct deal to whether the deal would be new, and `boards` the fingerprint of each
    board to whether the board would be new. `first` are the first boards, and `events` counts the records of each
    event, date and site, and `skills` those of each skill. `corrected` are the stored boards that would become others,
    and `doubtful` counts the boards that stay drafts.
    """

    deals: dict[str, bool] = field(default_factory=dict)
    boards: dict[str, bool] = field(default_factory=dict)
    corrected: list[CorrectedRecord] = field(default_factory=list)
    first: list[BoardRecord] = field(default_factory=list)
    events: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    skills: Counter[str] = field(default_factory=Counter)
    doubtful: int = 0


def dry_run_import(
    file: BinaryIO, options: ImportOptions = DEFAULT, *, on_progress: Callable[[DryRunReport], None] | None = None
) -> DryRunReport:
    """Look up what the file would create. Call `on_progress` with the growing report after each batch."""
    lookup = _Lookup(options.owner_id)
    for records in iterate_batches(options.read(file), lookup.report):
        lookup.look_up(records)
        if on_progress:
            on_progress(lookup.report)
    return lookup.report


class _Lookup:
    """The state of one dry run."""

    def __init__(self, owner_id: str) -> None:
        self.report = DryRunReport()
        self.numbers = TableNumbers(owner_id)
        self.corrections = Corrections(owner_id)

    def look_up(self, read: Sequence[ReadBoard]) -> None:
        """Report what an import of these records would create."""
        report = self.report
        records = [each.content for each in read]
        report.first += records[: MAX_FIRST - len(report.first)]
        for record in records:
            report.events[record.event, record.date, record.site] += 1
            report.skills[record.skill] += 1
        report.doubtful += sum(each.is_doubtful for each in read)
        new_cards = {record.layout.cards for record in records} - report.deals.keys()
        stored = set(Deal.objects.filter(cards__in=new_cards).values_list("cards", flat=True))
        report.deals |= {cards: cards not in stored for cards in new_cards}
        boards = {self.numbers.fingerprint(each.content): each for each in read}
        known = set(Board.objects.filter(fingerprint__in=boards).values_list("fingerprint", flat=True))
        known |= self.find_corrected(boards)
        report.boards |= {each: each not in known for each in boards.keys() - report.boards.keys()}

    def find_corrected(self, boards: Mapping[str, ReadBoard]) -> set[str]:
        """Report which stored tables would become others. Return the fingerprints of records of stored tables."""
        sound = {each: build_board(read, each) for each, read in boards.items() if not read.is_doubtful}
        found = self.corrections.find(sound.values(), lambda table: table.fingerprint in self.report.boards)
        rows = Board.objects.select_related("deal", "auction_system").in_bulk([old.pk for old in found.values()])
        for fingerprint, old in found.items():
            read, row = boards[fingerprint], rows.get(old.pk)
            if row is None or says_less(read, old):
                continue
            before, after = correct(row, sound[fingerprint])
            if before != after:
                self.report.corrected.append(CorrectedRecord(read.record, read.board, row.pk, before, after))
        return {*found}


def build_board(read: ReadBoard, fingerprint: str) -> Board:
    """Return the board of a record, not stored, with its deal."""
    deal = Deal(cards=read.content.layout.cards)
    return Board(**columns_of(read.content), fingerprint=fingerprint, deal=deal)
