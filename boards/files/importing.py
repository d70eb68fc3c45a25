"""Importing bridge files of thousands of boards, with a fixed number of database queries for each batch."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import count, islice
from typing import BinaryIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from accounts.system_names import SystemNames
from boards.catalogue.refreshing import refresh
from boards.files.merging import FILLED, fill_texts
from boards.models import Board
from boards.records import check_storable, columns_of, fingerprint_of
from boards.services import require_active_owner
from config.api.errors import Conflict, ValidationFailed
from config.database.transactions import retry_conflicts, take_turns
from deals.bridge.files import FileFormat, read_boards
from deals.bridge.outcomes import Outcome, ReadBoard, RecordError, RecordWarning, SkippedRecord
from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from themes.models import Theme

BATCH_SIZE = 500
IMPORTS = 5_203
"""The key by which imports of a whole file take turns, once they have met each other in a deadlock."""


@dataclass
class ReadingReport:
    """What the reader said of a file's records."""

    failed: list[RecordError] = field(default_factory=list)
    warnings: list[RecordWarning] = field(default_factory=list)
    skipped: list[SkippedRecord] = field(default_factory=list)


@dataclass(frozen=True)
class MergedRecord:
    """A record whose board is stored already, and has got texts from it."""

    record: int
    board: str
    board_id: UUID


@dataclass
class ImportReport(ReadingReport):
    """What an import did. `created` and `existing` count deals, `boards` counts the new boards.

    `deal_ids` and `board_ids` hold all of the file's deals and boards, new or not, as ordered sets.
    """

    created: int = 0
    boards: int = 0
    merged: list[MergedRecord] = field(default_factory=list)
    deal_ids: dict[UUID, None] = field(default_factory=dict)
    board_ids: dict[UUID, None] = field(default_factory=dict)

    @property
    def existing(self) -> int:
        return len(self.deal_ids) - self.created

    def add(self, batch: "ImportReport") -> None:
        """Add what was done with a batch, once it is stored."""
        self.created += batch.created
        self.boards += batch.boards
        self.merged += batch.merged
        self.deal_ids |= batch.deal_ids
        self.board_ids |= batch.board_ids


def import_boards(
    *,
    file: BinaryIO,
    owner_id: str = SYSTEM,
    themes: Collection[Theme] = (),
    file_format: FileFormat | None = None,
    publish: bool = False,
    atomic: bool = False,
    strict: bool = False,
    on_progress: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Store the boards of a bridge file. Call `on_progress` with the growing report after each batch.

    Importing the same file again creates nothing new. With `publish` the boards are published, those that exist as
    drafts too; a doubtful one stays a draft. Without `file_format` the beginning of the file decides. When `strict` a
    record is refused that else had been repaired or shortened. With `atomic` a refused record raises ValidationFailed
    with meta.failed, and nothing is stored. A transaction that lost to another one, such as an import of the same
    boards in another order, is run again: that of a batch, or with `atomic` that of the whole file, which must be
    seekable.
    """

    attempts = count(1)

    def import_file() -> ImportReport:
        if next(attempts) > 1:
            file.seek(0)
            take_turns(IMPORTS)
        importer = _Importer(owner_id, themes, publish)
        report = importer.report
        outcomes = read_boards(file, check_storable, file_format, strict=strict)
        for records in iterate_batches(outcomes, report):
            importer.store(records)
            if on_progress:
                on_progress(report)
        if atomic and report.failed:
            raise ValidationFailed(
                "Nothing was imported, because some records are not valid. Correct or remove them.",
                meta={"failed": [asdict(error) for error in report.failed]},
            )
        return report

    return retry_conflicts(transaction.atomic(import_file))() if atomic else import_file()


def iterate_batches(outcomes: Iterable[Outcome], report: ReadingReport) -> Iterator[list[ReadBoard]]:
    """Yield the records that are kept in lists of BATCH_SIZE. Add all that is said of records to a report."""

    def kept_records() -> Iterator[ReadBoard]:
        for outcome in outcomes:
            if isinstance(outcome, ReadBoard):
                report.warnings += outcome.warnings
                yield outcome
            elif isinstance(outcome, SkippedRecord):
                report.skipped.append(outcome)
            else:
                report.failed.append(outcome)

    records = kept_records()
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
        self.recognise = lru_cache(maxsize=1024)(SystemNames(AuctionSystem.objects.all()).recognise)

    @retry_conflicts
    def store(self, records: Sequence[ReadBoard]) -> None:
        """Store a batch in one transaction. Report it only then, since one that is broken off is run again."""
        total, last_published_at = self.report, self.last_published_at
        self.report = ImportReport()
        try:
            self.store_at_once(records)
            total.add(self.report)
        except BaseException:
            self.last_published_at = last_published_at
            raise
        finally:
            self.report = total

    @transaction.atomic
    def store_at_once(self, records: Sequence[ReadBoard]) -> None:
        require_active_owner(self.owner_id)
        deals = self.store_deals(records)
        boards = self.store_boards(records, deals)
        links = Board.themes.through
        links.objects.bulk_create(
            [links(board_id=board, theme_id=theme.pk) for board in sorted(boards) for theme in self.themes],
            ignore_conflicts=True,
        )
        refresh(boards)

    def store_deals(self, records: Sequence[ReadBoard]) -> dict[str, UUID]:
        """Store the records' deals. Return their ids by cards.

        Rows are inserted in sorted order, so that two imports of the same deals wait for each other instead of
        deadlocking.
        """
        new = {
            cards: Deal(cards=cards) for cards in sorted({record.content.layout.cards for record in records})
        }
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
        self.report.deal_ids |= dict.fromkeys(stored[record.content.layout.cards] for record in records)
        return stored

    def store_boards(self, records: Sequence[ReadBoard], deals: dict[str, UUID]) -> list[UUID]:
        """Store the records' boards. Return their ids in the file's order."""
        read = [(record, self.build_board(record, deals[record.content.layout.cards])) for record in records]
        new: dict[str, Board] = {}
        for _, board in read:
            new.setdefault(board.fingerprint, board)
        existing = set(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", flat=True))
        missing = [new[fingerprint] for fingerprint in sorted(new.keys() - existing)]
        Board.objects.bulk_create(missing, ignore_conflicts=True)
        if self.publish:
            self.publish_drafts({board.fingerprint: board for board in new.values() if board.published_at})
        stored = dict(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", "pk"))
        created = {board.pk for board in missing} & set(stored.values())
        self.report.boards += len(created)
        self.merge([(record, board) for record, board in read if board.pk not in created], stored)
        ids = [stored[fingerprint] for fingerprint in new]
        self.report.board_ids |= dict.fromkeys(ids)
        return ids

    def merge(self, read: Sequence[tuple[ReadBoard, Board]], stored: Mapping[str, UUID]) -> None:
        """Fill the empty texts of boards that are stored already from what further records say of them."""
        further: dict[UUID, list[tuple[ReadBoard, Board]]] = defaultdict(list)
        for record, board in read:
            further[stored[board.fingerprint]].append((record, board))
        boards = Board.objects.filter(pk__in=further).only("auction", *FILLED)
        wanting = [
            board.pk for board in boards if any(fill_texts(board, other) for _, other in further[board.pk])
        ]
        locked = list(boards.filter(pk__in=wanting).order_by("pk").select_for_update())
        changed = {"updated_at"}
        for board in locked:
            board.updated_at = timezone.now()
            for record, other in further[board.pk]:
                if names := fill_texts(board, other):
                    changed.update(names)
                    self.report.merged.append(MergedRecord(record.record, record.board, board.pk))
        Board.objects.bulk_update(locked, sorted(changed))

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

    def build_board(self, record: ReadBoard, deal_id: UUID) -> Board:
        content = record.content
        system = self.recognise(content.auction_system)
        published_at = self.next_published_at() if self.publish and not record.is_doubtful else None
        return Board(
            **columns_of(content),
            deal_id=deal_id,
            owner_id=self.owner_id,
            auction_system=system,
            system_text="" if system else content.auction_system,
            fingerprint=fingerprint_of(content, self.owner_id),
            published_at=published_at,
        )

    def next_published_at(self) -> datetime:
        """Return a microsecond less than for the record before, so that a file's first board is listed first."""
        self.last_published_at -= timedelta(microseconds=1)
        return self.last_published_at
