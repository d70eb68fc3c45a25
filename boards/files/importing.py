"""Importing bridge files of thousands of boards, with a fixed number of database queries for each batch."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import lru_cache
from itertools import count
from typing import BinaryIO, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.models import AuctionSystem
from accounts.services import lock_alone
from accounts.system_names import SystemNames
from boards.catalogue.refreshing import list_new, refresh
from boards.files import reports
from boards.files.corrections import FILLED, Corrections, correct, fill_texts, says_less
from boards.files.options import DEFAULT, ImportOptions
from boards.files.reports import (
    CorrectedRecord,
    ImportReport,
    MergedRecord,
    TableNumbers,
    expect_boards,
    iterate_batches,
)
from boards.models import PUBLICATION, Board, take_numbers
from boards.records import columns_of
from boards.services.boards import require_active_owner
from boards.services.reviews import renew
from boards.services.stories import take_stories
from bridge.formats.outcomes import ReadBoard
from config.api.errors import ValidationFailed
from config.database.advisory_locks import lock_until_commit
from config.database.inserting import insert_rows
from config.database.transactions import retried_transaction
from config.values.words import format_count
from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from deals.services import keep_deals
from search.models import leave_numbers
from themes.models import Theme

Row = TypeVar("Row", bound=Model)

IMPORTS = 5_203
"""The advisory lock of imports of a whole file that have met in a deadlock. Run again at once, they would only meet in
the next one."""


def too_many_boards(max_owned: int, stored: int = 0) -> ValidationFailed:
    """Return the error of a file with more new boards than its owner may have. So many of them are stored already."""
    sentences = [
        f"You may have {format_count(max_owned, 'board')}, and this file would exceed that.",
        f"Imported before it stopped: {format_count(stored, 'new board')}." * bool(stored),
        "Delete drafts that you do not need, or split the file.",
    ]
    return ValidationFailed(" ".join(filter(None, sentences)))


def import_boards(
    file: BinaryIO,
    options: ImportOptions = DEFAULT,
    *,
    atomic: bool = False,
    dry_run: bool = False,
    on_progress: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Store the boards of a bridge file. Call `on_progress` with the growing report after each batch.

    Importing the same file again creates nothing new. With `atomic` a refused record raises ValidationFailed with
    meta.failed, and nothing is stored. A batch after which the owner has too many boards is not stored, and raises
    ValidationFailed. With `dry_run` all is taken back at the end, so that the report says what an import would do.
    A transaction that lost to another one, such as an import of the same boards in another order, is run again: that
    of a batch, or with `atomic` or `dry_run` that of the whole file, which must be seekable.
    """
    if not (atomic or dry_run):
        return _Importer(options).store_all(file, on_progress)
    attempts = count(1)

    @retried_transaction
    def import_at_once() -> ImportReport:
        if next(attempts) > 1:
            file.seek(0)
            lock_until_commit(IMPORTS)
        report = _Importer(options).store_all(file, on_progress)
        if atomic and report.failed:
            raise ValidationFailed(
                "Nothing was imported, because some records are not valid. Correct or remove them.",
                meta={"failed": [asdict(error) for error in report.failed]},
            )
        if dry_run:
            transaction.set_rollback(True)
            report.forget_new()
        return report

    return import_at_once()


ReadRow = tuple[ReadBoard, Board]
"""A record of the file and its board, which gets its deal when that is stored."""


class _Importer:
    """The state of one import: its options, its report so far and what all batches need."""

    def __init__(self, options: ImportOptions) -> None:
        self.options = options
        self.known = Board.objects.drafts() if options.keep_published else Board.objects.all()
        self.is_members = options.max_owned is not None
        self.report = ImportReport()
        self.numbers = TableNumbers(options.owner_id)
        self.corrections = Corrections(options.owner_id)
        self.last_moment = timezone.now()
        self.block = range(0)
        self.recognise = lru_cache(maxsize=1024)(SystemNames(AuctionSystem.objects.all()).recognise)

    def store_all(self, file: BinaryIO, on_progress: Callable[[ImportReport], None] | None) -> ImportReport:
        for batch in iterate_batches(self.options.read(file), self.report):
            numbers = self.next_numbers(batch, file)
            rows = [(read, self.build_board(read, number)) for read, number in zip(batch, numbers, strict=True)]
            self.report.add(self.store(rows))
            if on_progress:
                on_progress(self.report)
        self.store_rankings()
        return self.report

    @retried_transaction
    def store_rankings(self) -> None:
        """Store the file's rankings, which readers see at once: none of a member whose boards are reviewed."""
        if self.report.rankings.by_event and not self.options.keep_published:
            self.lock_owner()
            self.report.rankings.store(self.options.owner_id)

    def next_numbers(self, batch: Sequence[ReadBoard], file: BinaryIO) -> Iterator[int]:
        """Return numbers for a batch, each less than the one before, so that a file's first board is listed first.

        A file of one batch takes just as many. Where others may follow, it takes as many as the file probably needs.
        """
        records = len(batch)
        if len(self.block) < records:
            is_last = records < reports.BATCH_SIZE
            self.block = take_numbers(records if is_last else expect_boards(file, self.report.kept_count, batch[-1]))
        taken, self.block = self.block[-records:], self.block[:-records]
        return reversed(taken)

    @retried_transaction
    def store(self, read: Sequence[ReadRow]) -> ImportReport:
        """Store some records in one transaction. Return what was done, since one that is broken off is run again."""
        report = ImportReport()
        self.lock_owner()
        self.store_deals(read, report)
        take_stories([board for _, board in read])
        left = self.correct(read, report)
        read = [(record, board) for record, board in read if board.fingerprint not in left]
        created, stored = self.store_boards([board for _, board in read], report)
        self.check_room(created)
        report.doubtful_ids |= {stored[board.fingerprint] for record, board in read if record.is_doubtful}
        known = [(record, board) for record, board in read if board.pk not in created]
        existing = stored.values() - created.keys()
        themes = Theme.objects.filter(pk__in=[theme.pk for theme in self.options.themes]).ordered_by_type()
        changed = {
            *(each.board_id for each in report.corrected),
            *self.merge(known, stored, report),
            *self.publish_drafts(known),
            *self.add_themes(themes, created, existing),
        }
        list_new([board for pk, board in created.items() if pk not in changed])
        if changed:
            refresh(changed)
            renew(changed)
        return report

    def lock_owner(self) -> None:
        """Keep the owner active until the commit. A member's boards are counted, so nothing else adds any meanwhile."""
        if self.is_members:
            lock_alone(self.options.owner_id)
        require_active_owner(self.options.owner_id)

    def check_room(self, created: Collection[UUID]) -> None:
        """Raise ValidationFailed when the new boards are more than the owner may have.

        The boards of the batches before stay.
        """
        max_owned = self.options.max_owned
        if max_owned is None or not created:
            return
        owned = Board.objects.filter(owner=self.options.owner_id).order_by()[: max_owned + 1].count()
        if owned > max_owned:
            raise too_many_boards(max_owned, self.report.boards)

    def store_deals(self, read: Sequence[ReadRow], report: ImportReport) -> None:
        """Store the records' deals for their boards. Those of a program or of staff stay without a board."""
        cards_of_boards = [record.content.layout.cards for record, _ in read]
        new = {cards: Deal(cards=cards, brought_by_member=self.is_members) for cards in cards_of_boards}
        stored = insert_missing(Deal.objects.all(), "cards", new, lock=True)
        created = {deal.pk: deal for cards, deal in new.items() if stored[cards] == deal.pk}
        known = created | Deal.objects.in_bulk(stored.values() - created.keys())
        brought = [deal.pk for deal in known.values() if deal.brought_by_member]
        if brought and not self.is_members:
            keep_deals(brought)
        record_deals(FeedEvent.Type.DEAL_IMPORTED, created)
        report.created += len(created)
        report.new_ids |= created.keys()
        for (_, board), cards in zip(read, cards_of_boards, strict=True):
            board.deal = known[stored[cards]]
            report.deal_ids[board.deal_id] = None

    def correct(self, read: Sequence[ReadRow], report: ImportReport) -> set[str]:
        """Make stored tables what the file says of them now. From then on they are known by their new fingerprints.

        Return the fingerprints of records that leave a stored table as it is: they say less of it, or only staff may
        change it. A doubtful record corrects nothing, and none of those that this file has imported before.
        """
        sound = {board.fingerprint: (record, board) for record, board in read if not record.is_doubtful}
        boards = [board for _, board in sound.values()]
        found = self.corrections.find(boards, lambda table: table.pk in self.report.board_ids)
        rows = Board.objects.select_related("deal", "auction_system").order_by("pk").select_for_update(of=("self",))
        wanted = [old.pk for old in found.values()]
        locked = {(row.pk, row.fingerprint): row for row in rows.filter(pk__in=wanted)}
        open_ids = {*self.known.filter(pk__in=wanted).values_list("pk", flat=True)}
        left: set[str] = set()
        for new, old in found.items():
            (record, board), stored = sound[new], locked.get((old.pk, old.fingerprint))
            if stored is None:  # Somebody has changed or deleted it since.
                continue
            if old.pk not in open_ids or says_less(record, old):
                left.add(new)
                continue
            before, after = correct(stored, board)
            if before == after:
                Board.objects.filter(pk=old.pk).update(fingerprint=new)
                continue
            stored.save()
            report.corrected.append(CorrectedRecord(record.record, record.board, old.pk, before, after))
        report.left_alone += len(left)
        return left

    def store_boards(self, boards: Sequence[Board], report: ImportReport) -> tuple[dict[UUID, Board], dict[str, UUID]]:
        """Store those that are new. Return them by id, and the ids of all stored ones by fingerprint."""
        new: dict[str, Board] = {}
        for board in boards:
            new.setdefault(board.fingerprint, board)
        stored = insert_missing(Board.objects.all(), "fingerprint", new)
        created = {board.pk: board for each, board in new.items() if stored[each] == board.pk}
        report.boards += len(created)
        report.new_ids |= created.keys()
        report.board_ids |= dict.fromkeys(stored[fingerprint] for fingerprint in new)
        return created, stored

    def merge(self, read: Sequence[ReadRow], stored: Mapping[str, UUID], report: ImportReport) -> list[UUID]:
        """Fill the empty texts of boards that are stored already from what further records say of them.

        Return the ids of these boards.
        """
        further: dict[UUID, list[ReadRow]] = defaultdict(list)
        for record, board in read:
            further[stored[board.fingerprint]].append((record, board))
        boards = self.known.filter(pk__in=further).only("auction", *FILLED)
        wanting = [board.pk for board in boards if any(fill_texts(board, other) for _, other in further[board.pk])]
        locked = list(boards.filter(pk__in=wanting).order_by("pk").select_for_update())
        changed = {"updated_at"}
        for board in locked:
            board.updated_at = timezone.now()
            for record, other in further[board.pk]:
                if names := fill_texts(board, other):
                    changed.update(names)
                    report.merged.append(MergedRecord(record.record, record.board, board.pk))
        Board.objects.bulk_update(locked, sorted(changed))
        return wanting

    def publish_drafts(self, known: Sequence[ReadRow]) -> list[UUID]:
        """Publish those of the file's boards that are stored as drafts and are to be public. Return their ids.

        They are published in the file's order, also drafts that another import stored a moment ago.
        """
        read = {board.fingerprint: board for _, board in reversed(known) if board.published_at}  # of equals the first
        queryset = Board.objects.drafts().filter(fingerprint__in=read).order_by("pk")
        drafts = list(queryset.select_for_update().only("pk", "fingerprint", "number", "first_published_at"))
        leave_numbers([draft.number for draft in drafts])
        for draft in drafts:
            draft.set_published(read[draft.fingerprint].created_at, read[draft.fingerprint].number)
        Board.objects.bulk_update(drafts, PUBLICATION)
        return [draft.pk for draft in drafts]

    def add_themes(
        self, themes: Collection[Theme], created: Mapping[UUID, Board], existing: Collection[UUID]
    ) -> set[UUID]:
        """Put all boards under the themes. Return the ids of existing boards that had not had all of them."""
        for board in created.values():
            # As prefetch_related would find them.
            board._prefetched_objects_cache = {"themes": themes}  # type: ignore[attr-defined]  # no stub has it
        links = Board.themes.through
        if themes:
            known = self.known.filter(pk__in=existing).order_by("pk").select_for_update()
            existing = list(known.values_list("pk", flat=True))
        stored = set(links.objects.filter(board__in=existing, theme__in=themes).values_list("board_id", "theme_id"))
        new = {(pk, theme.pk) for pk in (*created, *existing) for theme in themes} - stored
        insert_rows([links(board_id=pk, theme_id=theme_id) for pk, theme_id in sorted(new)], ignore_conflicts=True)
        return {pk for pk, _ in new if pk not in created}

    def build_board(self, read: ReadBoard, number: int) -> Board:
        """Return the board of a record without its deal.

        It is a microsecond older than that of the record before, so that a file's first draft is published last.
        """
        self.last_moment -= timedelta(microseconds=1)
        system = self.recognise(read.content.auction_system)
        is_published = self.options.publish and not read.is_doubtful
        return Board(
            **columns_of(read.content),
            owner_id=self.options.owner_id,
            auction_system=system,
            system_text="" if system else read.content.auction_system,
            fingerprint=self.numbers.fingerprint(read.content),
            number=number,
            created_at=self.last_moment,
            published_at=self.last_moment if is_published else None,
        )


def insert_missing(rows: QuerySet[Row], name: str, new: Mapping[str, Row], *, lock: bool = False) -> dict[str, UUID]:
    """Insert the new rows whose value of this column no stored one has. Return the ids of all by their values.

    Rows are inserted in sorted order, so that two imports of the same rows wait for each other instead of deadlocking.
    Look again where somebody has deleted one since. With `lock` nobody deletes them any more.
    """
    equal = rows.filter(**{f"{name}__in": sorted(new)})
    stored: dict[str, UUID] = {}
    while len(stored) < len(new):
        existing = set(equal.values_list(name, flat=True))
        insert_rows([new[value] for value in sorted(new) if value not in existing], ignore_conflicts=True)
        found = equal.select_for_update().order_by("pk") if lock else equal
        stored = dict(found.values_list(name, "pk"))
    return stored
