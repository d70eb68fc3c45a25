"""Importing bridge files of thousands of boards, with a fixed number of database queries for each batch."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import BinaryIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.records import check_storable, columns_of, fingerprint_of
from config.api.errors import Conflict, ValidationFailed
from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.files import FileFormat, read_boards
from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from themes.models import Theme

BATCH_SIZE = 500


@dataclass
class ImportReport:
    """What an import did. `created` and `existing` count deals, `boards` counts the new boards.

    `deal_ids` and `board_ids` hold all of the file's deals and boards, new or not, as ordered sets.
    """

    created: int = 0
    boards: int = 0
    failed: list[RecordError] = field(default_factory=list)
    deal_ids: dict[UUID, None] = field(default_factory=dict)
    board_ids: dict[UUID, None] = field(default_factory=dict)

    @property
    def existing(self) -> int:
        return len(self.deal_ids) - self.created


def import_boards(
    *,
    file: BinaryIO,
    owner_id: str = SYSTEM,
    themes: Collection[Theme] = (),
    file_format: FileFormat | None = None,
    publish: bool = False,
    atomic: bool = False,
    on_progress: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Store the valid records of a bridge file. Call `on_progress` with the growing report after each batch.

    Importing the same file again creates nothing new. With `publish` the boards are published, those that exist as
    drafts too. Without `file_format` the beginning of the file decides. With `atomic` an invalid record raises
    ValidationFailed with meta.failed, and nothing is stored.
    """
    transaction_of_all: AbstractContextManager[object] = transaction.atomic() if atomic else nullcontext()
    with transaction_of_all:
        importer = _Importer(owner_id, themes, publish)
        report = importer.report
        for records in iterate_batches(read_boards(file, check_storable, file_format), report.failed):
            importer.store(records)
            if on_progress:
                on_progress(report)
        if atomic and report.failed:
            raise ValidationFailed(
                "Nothing was imported, because some records are not valid. Correct or remove them.",
                meta={"failed": [asdict(error) for error in report.failed]},
            )
    return report


def iterate_batches(
    outcomes: Iterable[BoardRecord | RecordError], failed: list[RecordError]
) -> Iterator[list[BoardRecord]]:
    """Yield the valid records in lists of BATCH_SIZE. Append the errors of the others to `failed`."""

    def valid_records() -> Iterator[BoardRecord]:
        for outcome in outcomes:
            if isinstance(outcome, BoardRecord):
                yield outcome
            else:
                failed.append(outcome)

    records = valid_records()
    while batch := list(islice(records, BATCH_SIZE)):
        yield batch


class _Importer:
    """The state of one import: its options, its report so far and what all batches need."""

    def __init__(self, owner_id: str, themes: Collection[Theme], publish: bool) -> None:
        self.owner_id = owner_id
        self.themes = themes
        self.publish = publish
        self.report = ImportReport()
        self.last_published_at = timezone.now()
        self.systems = {
            name: system
            for system in AuctionSystem.objects.all()
            for name in (system.identifier.lower(), *map(str.lower, system.labels.values()))
        }

    @transaction.atomic
    def store(self, records: Sequence[BoardRecord]) -> None:
        deals = self.store_deals(records)
        boards = self.store_boards(records, deals)
        links = Board.themes.through
        links.objects.bulk_create(
            [links(board_id=board, theme_id=theme.pk) for board in sorted(boards) for theme in self.themes],
            ignore_conflicts=True,
        )
        refresh(boards)

    def store_deals(self, records: Sequence[BoardRecord]) -> dict[str, UUID]:
        """Store the records' deals. Return their ids by cards.

        Rows are inserted in sorted order, so that two imports of the same deals wait for each other instead of
        deadlocking.
        """
        new = {cards: Deal(cards=cards) for cards in sorted({record.layout.cards for record in records})}
        existing = set(Deal.objects.filter(cards__in=new).values_list("cards", flat=True))
        missing = [deal for cards, deal in new.items() if cards not in existing]
        Deal.objects.bulk_create(missing, ignore_conflicts=True)
        stored = dict(
            Deal.objects.select_for_update().filter(cards__in=new).order_by("pk").values_list("cards", "pk")
        )
        if len(stored) < len(new):
            raise Conflict("A deal of this file was deleted during the import. Import the file again.")
        created = {deal.pk for deal in missing} & set(stored.values())
        record_deals(FeedEvent.Type.DEAL_IMPORTED, [deal.pk for deal in missing if deal.pk in created])
        self.report.created += len(created)
        self.report.deal_ids |= dict.fromkeys(stored[record.layout.cards] for record in records)
        return stored

    def store_boards(self, records: Sequence[BoardRecord], deals: dict[str, UUID]) -> list[UUID]:
        """Store the records' boards. Return their ids in the file's order."""
        new: dict[str, Board] = {}
        for record in records:
            board = self.build_board(record, deals[record.layout.cards])
            new.setdefault(board.fingerprint, board)
        existing = set(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", flat=True))
        missing = [new[fingerprint] for fingerprint in sorted(new.keys() - existing)]
        Board.objects.bulk_create(missing, ignore_conflicts=True)
        if self.publish:
            self.publish_drafts(new)
        stored = dict(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", "pk"))
        self.report.boards += len({board.pk for board in missing} & set(stored.values()))
        ids = [stored[fingerprint] for fingerprint in new]
        self.report.board_ids |= dict.fromkeys(ids)
        return ids

    def publish_drafts(self, new: dict[str, Board]) -> None:
        """Publish those boards of the file that are stored as drafts, in the file's order.

        They include drafts that another import stored a moment ago.
        """
        queryset = Board.objects.filter(fingerprint__in=new, published_at__isnull=True).order_by("pk")
        drafts = list(queryset.select_for_update().only("pk", "fingerprint"))
        for draft in drafts:
            draft.published_at = new[draft.fingerprint].published_at
            draft.updated_at = timezone.now()
        Board.objects.bulk_update(drafts, ["published_at", "updated_at"])

    def build_board(self, record: BoardRecord, deal_id: UUID) -> Board:
        return Board(
            **columns_of(record),
            deal_id=deal_id,
            owner_id=self.owner_id,
            auction_system=self.systems.get(record.auction_system.lower()),
            fingerprint=fingerprint_of(record, self.owner_id),
            published_at=self.next_published_at() if self.publish else None,
        )

    def next_published_at(self) -> datetime:
        """Return a microsecond less than for the record before, so that a file's first board is listed first."""
        self.last_published_at -= timedelta(microseconds=1)
        return self.last_published_at
