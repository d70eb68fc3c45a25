"""Bringing in boards by the thousand: a few statements a batch, however many records it has."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import BinaryIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import AuctionSystem
from boards.models import Board
from boards.records import check_storable, columns_of, fingerprint_of
from boards.services import Placement
from config.api.errors import Conflict, ValidationFailed
from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.files import FileFormat, read_boards
from deals.models import Deal

BATCH = 500


@dataclass
class ImportReport:
    """What an import did. `created` and `existing` count deals, `boards` the new boards; the ids are of all."""

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
    placement: Placement,
    file_format: FileFormat | None = None,
    publish: bool = False,
    atomic: bool = False,
) -> Iterator[ImportReport]:
    """Store the good records of a bridge file; yields the growing report after each batch, and once at the end.

    Importing the same file again makes nothing new. A board that exists as a draft is published when `publish` is
    set. `file_format` None: the file's own beginning tells. `atomic`: all or nothing, ValidationFailed with
    meta.failed when a record is bad.
    """
    whole: AbstractContextManager[object] = transaction.atomic() if atomic else nullcontext()
    with whole:
        run = _Run(placement, publish)
        for records in batches(read_boards(file, check_storable, file_format), run.report.failed):
            run.store(records)
            yield run.report
        if atomic and run.report.failed:
            failed = [asdict(error) for error in run.report.failed]
            raise ValidationFailed(
                "Nothing was imported: some records are not valid.", meta={"failed": failed}
            )
        yield run.report


def batches(
    read: Iterable[BoardRecord | RecordError], failed: list[RecordError]
) -> Iterator[list[BoardRecord]]:
    """Good records, BATCH at a time; bad ones are added to `failed`."""

    def good() -> Iterator[BoardRecord]:
        for item in read:
            if isinstance(item, BoardRecord):
                yield item
            else:
                failed.append(item)

    records = good()
    while batch := list(islice(records, BATCH)):
        yield batch


class _Run:
    """One import under way."""

    def __init__(self, placement: Placement, publish: bool) -> None:
        self.placement = placement
        self.publish = publish
        self.report = ImportReport()
        self.latest = timezone.now()
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
            [
                links(board_id=board, theme_id=theme.pk)
                for board in sorted(boards)
                for theme in self.placement.themes
            ],
            ignore_conflicts=True,
        )

    def store_deals(self, records: Sequence[BoardRecord]) -> dict[str, UUID]:
        """cards → id. Rows go in sorted, so that two imports of the same deals wait instead of deadlocking."""
        new = {cards: Deal(cards=cards) for cards in sorted({record.deal.cards for record in records})}
        known = set(Deal.objects.filter(cards__in=new).values_list("cards", flat=True))
        missing = [deal for cards, deal in new.items() if cards not in known]
        Deal.objects.bulk_create(missing, ignore_conflicts=True)
        stored = dict(Deal.objects.select_for_update().filter(cards__in=new).values_list("cards", "pk"))
        if len(stored) < len(new):
            raise Conflict("A deal of this file was deleted while it was imported: import it again.")
        self.report.created += len({deal.pk for deal in missing} & set(stored.values()))
        self.report.deal_ids |= dict.fromkeys(stored[record.deal.cards] for record in records)
        return stored

    def store_boards(self, records: Sequence[BoardRecord], deals: dict[str, UUID]) -> list[UUID]:
        """Ids of the records' boards, in the file's order."""
        new: dict[str, Board] = {}
        for record in records:
            board = self.board(record, deals[record.deal.cards])
            new.setdefault(board.fingerprint, board)
        known = set(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", flat=True))
        missing = [new[fingerprint] for fingerprint in sorted(new.keys() - known)]
        Board.objects.bulk_create(missing, ignore_conflicts=True)
        if self.publish:
            self.publish_drafts(new)
        stored = dict(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", "pk"))
        self.report.boards += len({board.pk for board in missing} & set(stored.values()))
        ids = [stored[fingerprint] for fingerprint in new]
        self.report.board_ids |= dict.fromkeys(ids)
        return ids

    def publish_drafts(self, new: dict[str, Board]) -> None:
        """Also those that another import stored a moment ago; each at its own place in the file's order."""
        drafts = Board.objects.filter(fingerprint__in=new, published_at__isnull=True).order_by("pk")
        found = list(drafts.select_for_update().only("pk", "fingerprint"))
        for draft in found:
            draft.published_at, draft.updated_at = new[draft.fingerprint].published_at, self.latest
        Board.objects.bulk_update(found, ["published_at", "updated_at"])

    def board(self, record: BoardRecord, deal_id: UUID) -> Board:
        system = self.systems.get(record.auction_system.lower()) or self.placement.auction_system
        return Board(
            **columns_of(record),
            deal_id=deal_id,
            owner_id=self.placement.owner_id,
            auction_system=system,
            fingerprint=fingerprint_of(record, self.placement.owner_id),
            published_at=self.next_moment() if self.publish else None,
        )

    def next_moment(self) -> datetime:
        """Each record a microsecond older than the one before, so that a file's first board is listed first."""
        self.latest -= timedelta(microseconds=1)
        return self.latest
