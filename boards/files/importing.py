"""Importing bridge files of thousands of boards, with a fixed number of database queries for each batch."""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import lru_cache
from io import SEEK_END
from itertools import count
from types import MappingProxyType
from typing import BinaryIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import AuctionSystem
from accounts.services import lock_alone
from accounts.system_names import SystemNames
from boards.catalogue.refreshing import list_new, refresh
from boards.files import reports
from boards.files.corrections import Corrections, correct, read_stored, says_less
from boards.files.joining import join_stored
from boards.files.merging import FILLED, fill_texts
from boards.files.reports import CorrectedRecord, ImportReport, MergedRecord, TableNumbers, iterate_batches
from boards.models import PUBLICATION, Board, leave_numbers, take_numbers
from boards.records import check_storable, columns_of
from boards.reviews import renew
from boards.services import require_active_owner
from bridge.formats.files import FileFormat, read_boards
from bridge.formats.outcomes import Outcome, ReadBoard
from config.api.errors import ValidationFailed
from config.database.advisory_locks import lock_until_commit
from config.database.inserting import insert_rows
from config.database.transactions import retry_conflicts
from config.values.words import format_count
from deals.events.recording import record_deals
from deals.models import Deal, FeedEvent
from deals.services import keep_deals
from themes.models import Theme

MIN_LENGTH = 100
"""The bytes of a short record. Of a file whose records are shorter on average, the last boards are listed first."""

MIN_NUMBERS = 1_000
NO_TEXTS: Mapping[str, str] = MappingProxyType({})
IMPORTS = 5_203
"""The advisory lock of imports of a whole file that have met in a deadlock. Run again at once, they would only meet in
the next one."""


def too_many_boards(max_owned: int, stored: int = 0) -> ValidationFailed:
    """Return the error of a file with more new boards than its owner may have. So many of them are stored already."""
    sentences = [
        f"You may have {format_count(max_owned, 'board')}, and this file has more than are left.",
        f"Of this file, {format_count(stored, 'new board')} came in before the import stopped." * bool(stored),
        "Delete drafts that you do not need, or split the file.",
    ]
    return ValidationFailed(" ".join(filter(None, sentences)))


def import_boards(
    *,
    file: BinaryIO,
    owner_id: str = SYSTEM,
    themes: Collection[Theme] = (),
    file_format: FileFormat | None = None,
    publish: bool = False,
    atomic: bool = False,
    strict: bool = False,
    renumbered: bool = False,
    texts: Mapping[str, str] = NO_TEXTS,
    keep_published: bool = False,
    max_owned: int | None = None,
    on_progress: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Store the boards of a bridge file. Call `on_progress` with the growing report after each batch.

    Importing the same file again creates nothing new. With `publish` the boards are published, those that exist as
    drafts too; a doubtful one stays a draft. Without `file_format` the beginning of the file decides. When `strict` a
    record is refused that else had been repaired or shortened. Unless `renumbered`, dealer and vulnerability are held
    against the board number. `texts`, such as {"event": "Friday pairs"}, stand where the file has none. With `atomic` a
    refused record raises ValidationFailed with meta.failed, and nothing is stored.
    With `keep_published` boards that are published stay as they are. A batch after which the owner has more boards than
    `max_owned`, which members' own files have, is not stored, and raises ValidationFailed.
    A transaction that lost to another one, such as an import of the same boards in another order, is run again: that
    of a batch, or with `atomic` that of the whole file, which must be seekable.
    """
    attempts = count(1)

    def import_file() -> ImportReport:
        if next(attempts) > 1:
            file.seek(0)
            lock_until_commit(IMPORTS)
        outcomes = read_boards(file, check_storable, file_format, strict=strict, renumbered=renumbered)
        importer = _Importer(owner_id, themes, publish, keep_published, max_owned, numbers_for(file))
        report = importer.store_all(add_texts(join_stored(outcomes, owner_id, texts), texts), on_progress)
        if atomic and report.failed:
            raise ValidationFailed(
                "Nothing was imported, because some records are not valid. Correct or remove them.",
                meta={"failed": [asdict(error) for error in report.failed]},
            )
        return report

    return retry_conflicts(transaction.atomic(import_file))() if atomic else import_file()


def numbers_for(file: BinaryIO) -> int:
    """Return as many numbers as the file can have boards, by its length."""
    if not file.seekable():
        return MIN_NUMBERS
    position = file.tell()
    length = file.seek(0, SEEK_END) - position
    file.seek(position)
    return max(MIN_NUMBERS, length // MIN_LENGTH)


def add_texts(outcomes: Iterable[Outcome], texts: Mapping[str, str]) -> Iterator[Outcome]:
    """Yield the outcomes with these texts where a record has none."""
    for outcome in outcomes:
        if isinstance(outcome, ReadBoard) and texts:
            missing = {name: text for name, text in texts.items() if not getattr(outcome.content, name)}
            yield replace(outcome, content=replace(outcome.content, **missing))  # type: ignore[arg-type]  # texts
        else:
            yield outcome


class _Importer:
    """The state of one import: its options, its report so far and what all batches need."""

    def __init__(
        self,
        owner_id: str,
        themes: Collection[Theme],
        publish: bool,
        keep_published: bool,
        max_owned: int | None,
        numbers: int,
    ) -> None:
        self.owner_id = owner_id
        self.themes = themes
        self.publish = publish
        self.known = Board.objects.drafts() if keep_published else Board.objects.all()
        self.max_owned = max_owned
        self.is_members = max_owned is not None
        self.report = ImportReport()
        self.corrections = Corrections()
        self.last_moment = timezone.now()
        self.most_numbers = numbers
        self.numbers = range(0)
        self.recognise = lru_cache(maxsize=1024)(SystemNames(AuctionSystem.objects.all()).recognise)

    def store_all(
        self, outcomes: Iterable[Outcome], on_progress: Callable[[ImportReport], None] | None
    ) -> ImportReport:
        report, numbers = self.report, TableNumbers(self.owner_id)
        for records in iterate_batches(outcomes, report):
            self.store([(record, numbers.fingerprint(record.content)) for record in records])
            if on_progress:
                on_progress(report)
        return report

    @retry_conflicts
    def store(self, records: Sequence[tuple[ReadBoard, str]]) -> None:
        """Store records with their fingerprints in one transaction.

        Report it only then, since one that is broken off is run again.
        """
        total, last_moment = self.report, self.last_moment
        self.report = ImportReport()
        if len(self.numbers) < len(records):
            self.numbers = take_numbers(len(records) if len(records) < reports.BATCH_SIZE else self.most_numbers)
        try:
            self.store_at_once(records, total.boards, total.board_ids)
            total.add(self.report)
            self.numbers = self.numbers[: -len(records)]
        except BaseException:
            self.last_moment = last_moment
            raise
        finally:
            self.report = total

    @transaction.atomic
    def store_at_once(
        self, records: Sequence[tuple[ReadBoard, str]], stored_before: int, imported: Container[UUID]
    ) -> None:
        if self.max_owned is not None:
            lock_alone(self.owner_id)
        require_active_owner(self.owner_id)
        deals = self.store_deals([record for record, _ in records])
        read = [
            (record, self.build_board(record, fingerprint, deals[record.content.layout.cards], number))
            for (record, fingerprint), number in zip(records, reversed(self.numbers), strict=False)
        ]
        corrected, left = self.correct(read, imported)
        read = [(record, board) for record, board in read if board.fingerprint not in left]
        created, stored = self.store_boards([board for _, board in read])
        self.check_room(created, stored_before)
        self.report.doubtful_ids |= {stored[board.fingerprint] for record, board in read if record.is_doubtful}
        known = [(record, board) for record, board in read if board.pk not in created]
        existing = stored.values() - created.keys()
        themes = Theme.objects.filter(pk__in=[theme.pk for theme in self.themes]).ordered_by_type()
        changed = {
            *corrected,
            *self.merge(known, stored),
            *self.publish_drafts([board for _, board in known if board.published_at]),
            *self.add_themes(themes, created, existing),
        }
        for board in created.values():
            # As prefetch_related would find them.
            board._prefetched_objects_cache = {"themes": themes}  # type: ignore[attr-defined]  # no stub has it
        list_new([board for pk, board in created.items() if pk not in changed])
        if changed:
            refresh(changed)
            renew(changed)

    def check_room(self, created: Collection[UUID], stored_before: int) -> None:
        """Raise ValidationFailed when the new boards are more than the owner may have.

        The boards of the batches before stay.
        """
        if self.max_owned is None or not created:
            return
        owned = Board.objects.filter(owner=self.owner_id).order_by()[: self.max_owned + 1].count()
        if owned > self.max_owned:
            raise too_many_boards(self.max_owned, stored_before)

    def store_deals(self, records: Sequence[ReadBoard]) -> dict[str, Deal]:
        """Store the records' deals. Return them by cards. Those of a program or of staff stay without a board.

        Rows are inserted in sorted order, so that two imports of the same deals wait for each other instead of
        deadlocking.
        """
        new = {
            cards: Deal(cards=cards, brought_by_member=self.is_members)
            for cards in sorted({record.content.layout.cards for record in records})
        }
        stored: dict[str, UUID] = {}
        while len(stored) < len(new):  # again where somebody has deleted a deal meanwhile
            existing = set(Deal.objects.filter(cards__in=new).values_list("cards", flat=True))
            insert_rows([new[cards] for cards in new if cards not in existing], ignore_conflicts=True)
            locked = Deal.objects.select_for_update().filter(cards__in=new).order_by("pk")
            stored = dict(locked.values_list("cards", "pk"))
        created = {deal.pk: deal for cards, deal in new.items() if stored[cards] == deal.pk}
        known = created | Deal.objects.in_bulk(stored.values() - created.keys())
        brought = [deal.pk for deal in known.values() if deal.brought_by_member]
        if brought and not self.is_members:
            keep_deals(brought)
        record_deals(FeedEvent.Type.DEAL_IMPORTED, created)
        self.report.created += len(created)
        self.report.deal_ids |= dict.fromkeys(stored[record.content.layout.cards] for record in records)
        return {cards: known[pk] for cards, pk in stored.items()}

    def correct(
        self, read: Sequence[tuple[ReadBoard, Board]], imported: Container[UUID]
    ) -> tuple[list[UUID], set[str]]:
        """Make stored tables what the file says of them now. From then on they are known by their new fingerprints.

        Return the ids of these boards, and the fingerprints of records that leave a stored table as it is: they say
        less of it, or only staff may change it. A doubtful record corrects nothing, and none of those that this file
        has `imported` before.
        """
        sound = {board.fingerprint: (record, board) for record, board in read if not record.is_doubtful}
        tables = read_stored(self.owner_id, [board for _, board in sound.values()])
        stored = {table: pk for table, pk in tables.items() if pk not in imported}
        found = self.corrections.find([board for _, board in sound.values()], stored)
        known = {*Board.objects.filter(fingerprint__in=found).values_list("fingerprint", flat=True)}
        found = {new: found[new] for new in sound if new in found and new not in known}
        locked = self.lock_as_they_were({stored[old]: old.fingerprint for old in found.values()})
        open_ids = {*self.known.filter(pk__in=locked).values_list("pk", flat=True)}
        done: list[UUID] = []
        left: set[str] = set()
        for new, old in found.items():
            record, board = sound[new]
            pk = stored[old]
            if pk in locked and (pk not in open_ids or says_less(record, old)):
                left.add(new)
            elif pk in locked and self.store_correction(record, locked[pk], board):
                done.append(pk)
        self.report.left_alone += len(left)
        return done, left

    def store_correction(self, record: ReadBoard, board: Board, new: Board) -> bool:
        """Correct a stored board. Return whether it says anything else now."""
        before, after = correct(board, new)
        if before == after:
            Board.objects.filter(pk=board.pk).update(fingerprint=new.fingerprint)
            return False
        board.save()
        self.report.corrected.append(CorrectedRecord(record.record, record.board, board.pk, before, after))
        return True

    def lock_as_they_were(self, fingerprints: Mapping[UUID, str]) -> dict[UUID, Board]:
        """Lock the boards with these ids that still have these fingerprints."""
        boards = Board.objects.filter(pk__in=fingerprints).order_by("pk").select_for_update(of=("self",))
        boards = boards.select_related("deal", "auction_system")
        return {board.pk: board for board in boards if board.fingerprint == fingerprints[board.pk]}

    def store_boards(self, boards: Sequence[Board]) -> tuple[dict[UUID, Board], dict[str, UUID]]:
        """Store those that are new. Return them by id, and the ids of all stored ones by fingerprint."""
        new: dict[str, Board] = {}
        for board in boards:
            new.setdefault(board.fingerprint, board)
        stored: dict[str, UUID] = {}
        while len(stored) < len(new):  # as with the deals
            existing = set(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", flat=True))
            insert_rows([new[each] for each in sorted(new.keys() - existing)], ignore_conflicts=True)
            stored = dict(Board.objects.filter(fingerprint__in=new).values_list("fingerprint", "pk"))
        created = {board.pk: board for each, board in new.items() if stored[each] == board.pk}
        self.report.boards += len(created)
        self.report.board_ids |= dict.fromkeys(stored[fingerprint] for fingerprint in new)
        return created, stored

    def merge(self, read: Sequence[tuple[ReadBoard, Board]], stored: Mapping[str, UUID]) -> list[UUID]:
        """Fill the empty texts of boards that are stored already from what further records say of them.

        Return the ids of these boards.
        """
        further: dict[UUID, list[tuple[ReadBoard, Board]]] = defaultdict(list)
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
                    self.report.merged.append(MergedRecord(record.record, record.board, board.pk))
        Board.objects.bulk_update(locked, sorted(changed))
        return wanting

    def publish_drafts(self, boards: Sequence[Board]) -> list[UUID]:
        """Publish those of the file's boards that are stored as drafts, in the file's order. Return their ids.

        They include drafts that another import stored a moment ago.
        """
        read: dict[str, Board] = {}
        for board in boards:
            read.setdefault(board.fingerprint, board)
        queryset = Board.objects.drafts().filter(fingerprint__in=read).order_by("pk")
        drafts = list(queryset.select_for_update().only("pk", "fingerprint", "number", "first_published_at"))
        leave_numbers([draft.number for draft in drafts])
        for draft in drafts:
            draft.set_published(read[draft.fingerprint].created_at, read[draft.fingerprint].number)
        Board.objects.bulk_update(drafts, PUBLICATION)
        return [draft.pk for draft in drafts]

    def add_themes(self, themes: Collection[Theme], created: Collection[UUID], existing: Collection[UUID]) -> set[UUID]:
        """Put all boards under the themes. Return the ids of existing boards that had not had all of them."""
        links = Board.themes.through
        if themes:
            known = self.known.filter(pk__in=existing).order_by("pk").select_for_update()
            existing = list(known.values_list("pk", flat=True))
        stored = set(links.objects.filter(board__in=existing, theme__in=themes).values_list("board_id", "theme_id"))
        new = {(pk, theme.pk) for pk in (*created, *existing) for theme in themes} - stored
        insert_rows([links(board_id=pk, theme_id=theme_id) for pk, theme_id in sorted(new)], ignore_conflicts=True)
        return {pk for pk, _ in new if pk not in created}

    def build_board(self, record: ReadBoard, fingerprint: str, deal: Deal, number: int) -> Board:
        content = record.content
        system = self.recognise(content.auction_system)
        moment = self.next_moment()
        return Board(
            **columns_of(content),
            deal=deal,
            owner_id=self.owner_id,
            auction_system=system,
            system_text="" if system else content.auction_system,
            fingerprint=fingerprint,
            number=number,
            created_at=moment,
            published_at=moment if self.publish and not record.is_doubtful else None,
        )

    def next_moment(self) -> datetime:
        """Return a microsecond less than for the record before, so that a file's first draft is published last."""
        self.last_moment -= timedelta(microseconds=1)
        return self.last_moment
