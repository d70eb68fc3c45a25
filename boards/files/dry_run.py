"""Finding out what an import would create, while nothing is stored or locked."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from boards.files.corrections import describe_difference, find_corrections, read_stored
from boards.files.joining import join_stored
from boards.files.reports import CorrectedRecord, ReadingReport, TableNumbers, iterate_batches
from boards.models import Board
from boards.records import check_storable, columns_of, record_of
from deals.bridge.board import BoardRecord
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.outcomes import ReadBoard
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
    *,
    file: BinaryIO,
    owner_id: str,
    strict: bool = False,
    renumbered: bool = False,
    on_progress: Callable[[DryRunReport], None] | None = None,
) -> DryRunReport:
    """Look up what the file would create. Call `on_progress` with the growing report after each batch."""
    report, numbers = DryRunReport(), TableNumbers(owner_id)
    read = read_boards(file, check_storable, strict=strict, renumbered=renumbered)
    outcomes = join_stored(read, owner_id, {})
    for records in iterate_batches(outcomes, report):
        _look_up(records, owner_id, numbers, report)
        if on_progress:
            on_progress(report)
    return report


def _look_up(read: Sequence[ReadBoard], owner_id: str, numbers: TableNumbers, report: DryRunReport) -> None:
    records = [each.content for each in read]
    report.first += records[: MAX_FIRST - len(report.first)]
    for record in records:
        report.events[record.event, record.date, record.site] += 1
        report.skills[record.skill] += 1
    report.doubtful += sum(each.is_doubtful for each in read)
    new_cards = {record.layout.cards for record in records} - report.deals.keys()
    stored = set(Deal.objects.filter(cards__in=new_cards).values_list("cards", flat=True))
    report.deals |= {cards: cards not in stored for cards in new_cards}
    boards = [
        Board(**columns_of(record), fingerprint=numbers.fingerprint(record), deal=Deal(cards=record.layout.cards))
        for record in records
    ]
    corrected = _look_up_corrections(
        [pair for pair in zip(read, boards, strict=True) if not pair[0].is_doubtful], owner_id, report
    )
    fingerprints = {board.fingerprint for board in boards} - report.boards.keys()
    stored = set(Board.objects.filter(fingerprint__in=fingerprints).values_list("fingerprint", flat=True))
    report.boards |= {each: each not in stored and each not in corrected for each in fingerprints}


def _look_up_corrections(read: Sequence[tuple[ReadBoard, Board]], owner_id: str, report: DryRunReport) -> set[str]:
    """Report which stored tables would become others. Return the fingerprints of these records."""
    stored = read_stored(owner_id, [board for _, board in read])
    found = find_corrections([board for _, board in read], stored)
    boards = Board.objects.select_related("deal", "auction_system").in_bulk([stored[old] for old in found.values()])
    for each, board in read:
        old = found.get(board.fingerprint)
        if old and (table := boards.pop(stored[old], None)):
            before, after = describe_difference(record_of(table), each.content)
            report.corrected.append(CorrectedRecord(each.record, each.board, table.pk, before, after))
    return {*found}
