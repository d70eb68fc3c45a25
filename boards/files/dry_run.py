"""A dry run of an import: reports what would be new. Nothing is stored or locked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from boards.files.importing import iterate_batches
from boards.models import Board
from boards.records import check_storable, fingerprint_of
from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.files import read_boards
from deals.models import Deal


@dataclass
class DryRunReport:
    """The part of the file that was read so far.

    `deals` says of each distinct deal, by its cards, whether it would be new; `boards` of each board, by its
    fingerprint.
    """

    failed: list[RecordError] = field(default_factory=list)
    deals: dict[str, bool] = field(default_factory=dict)
    boards: dict[str, bool] = field(default_factory=dict)


def dry_run_import(*, file: BinaryIO, owner_id: str) -> Iterator[DryRunReport]:
    """Yield the growing report after each batch, and once more at the end."""
    report = DryRunReport()
    for records in iterate_batches(read_boards(file, check_storable), report.failed):
        _look_up(records, owner_id, report)
        yield report
    yield report


def _look_up(records: Sequence[BoardRecord], owner_id: str, report: DryRunReport) -> None:
    cards = {record.layout.cards for record in records} - report.deals.keys()
    stored = set(Deal.objects.filter(cards__in=cards).values_list("cards", flat=True))
    report.deals |= {deal: deal not in stored for deal in cards}
    fingerprints = {fingerprint_of(record, owner_id) for record in records} - report.boards.keys()
    stored = set(Board.objects.filter(fingerprint__in=fingerprints).values_list("fingerprint", flat=True))
    report.boards |= {fingerprint: fingerprint not in stored for fingerprint in fingerprints}
