"""Writing what readers get of boards. Whoever changes a board calls `refresh` in the same transaction.

`manage.py refresh_boards` compares what is stored with the boards, and mends it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from boards.analysis import ask_new, keep_questions
from boards.catalogue.stored_json import JSON_FORMAT, make_stored_json, read_updated_at
from boards.events.naming import spell_events, store_events
from boards.models import Board, EventDeal, EventRanking, PublicationReview, PublishedBoard, leave_events
from boards.querysets import BoardQuerySet
from boards.searching.subjects import index_boards
from config.database.inserting import insert_rows
from deals.events.recording import record_boards
from deals.models import FeedEvent


def refresh(board_ids: Collection[UUID]) -> int:
    """Make the stored rows of these boards equal to the boards as they are now. Return how many are published.

    Call it inside the transaction, after the change. It locks the boards before it reads anything, so that the last of
    several transactions which change a board, its themes or its deal writes what all of them have stored. It also
    stores the events of the feed, from the difference between the old rows and the new ones. A board that is published
    waits for nobody any more, and what was to be changed of one that becomes a draft goes. So does the ranking of an
    event which an account's last board leaves.

    A published board whose row changes has changed for its readers. So its `updated_at` moves, if whoever changed the
    themes or the deal has not moved it: `updatedSince` finds every change.
    """
    list(Board.objects.filter(pk__in=board_ids).order_by("pk").select_for_update().values_list("pk"))
    before = stored_rows(board_ids)
    boards = Board.objects.filter(pk__in=board_ids).with_details()
    keep_questions(list(boards))
    rows = [make_row(board) for board in boards if board.published_at]
    unmoved = [row.pk for row in rows if row.pk in before and changed_unmoved(before[row.pk], row)]
    if unmoved:
        Board.objects.filter(pk__in=unmoved).update(updated_at=timezone.now())
        boards = boards.all()
        rows = [make_row(board) for board in boards if board.published_at]
    index_boards(boards)
    PublishedBoard.objects.filter(pk__in={*board_ids} - {row.board_id for row in rows}).delete()
    store_events(rows)
    PublishedBoard.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["board"], update_fields=["json", "json_format", "event_deal"]
    )
    spell_events(rows)
    after = {row.pk: row.event_slug for row in rows}
    left: dict[str, set[str]] = defaultdict(set)
    for pk, row in before.items():
        if row.event_slug and after.get(pk) != row.event_slug:
            left[row.event_slug].add(after.get(pk, ""))
    leave_events(left, {old: new for old, (new, *others) in left.items() if new and not others})
    end_reviews(before.keys(), {row.board_id for row in rows})
    record_events(before, rows)
    return len(rows)


def end_reviews(before: Collection[UUID], after: Collection[UUID]) -> None:
    """Delete what was asked of staff about boards that are published now, or that are so no longer."""
    if published := {*after} - {*before}:
        PublicationReview.objects.filter(pk__in=published).delete()
    if hidden := {*before} - {*after}:
        PublicationReview.objects.filter(pk__in=hidden, changes__isnull=False).delete()


def changed_unmoved(old: PublishedBoard, new: PublishedBoard) -> bool:
    """Tell whether a board's row has changed, and nobody has moved the board's `updated_at`."""
    return has_changed(old, new) and read_updated_at(old.json) == read_updated_at(new.json)


def list_new(boards: Sequence[Board]) -> None:
    """Write what readers get of boards that this transaction has stored, like `refresh`, but far faster.

    Nothing is read again: the boards have all that `with_details` selects. Their deals are locked.
    """
    ask_new(boards)
    index_boards(boards)
    published = [board for board in boards if board.published_at]
    rows = [make_row(board) for board in published]
    store_events(rows)
    insert_rows(rows)
    spell_events(rows)
    record_events({}, rows)


def stored_rows(board_ids: Collection[UUID]) -> dict[UUID, PublishedBoard]:
    """Return by board what readers get so far."""
    rows = PublishedBoard.objects.filter(pk__in=board_ids).select_related("board", "event_deal")
    return {row.pk: row for row in rows.only("json", "json_format", "event_deal__event", "board__deal_id")}


def record_events(before: Mapping[UUID, PublishedBoard], rows: Collection[PublishedBoard]) -> None:
    """Store an event of the feed for each board that readers get from now on, get otherwise, or get no longer."""
    after = {row.pk: row for row in rows}
    changed = [row for pk, row in after.items() if pk in before and has_changed(before[pk], row)]
    events = {
        FeedEvent.Type.BOARD_PUBLISHED: [row for pk, row in after.items() if pk not in before],
        FeedEvent.Type.BOARD_CHANGED: changed,
        FeedEvent.Type.BOARD_UNPUBLISHED: [row for pk, row in before.items() if pk not in after],
    }
    for event_type, boards in events.items():
        if boards:
            record_boards(event_type, [(row.pk, row.board.deal_id) for row in boards])


def has_changed(old: PublishedBoard, new: PublishedBoard) -> bool:
    """Tell whether a board is another one for its readers.

    A new format changes no board: it is another way to write the same. Rows of two formats are compared by their
    updatedAt.
    """
    if old.json_format == new.json_format:
        return old.json != new.json
    return read_updated_at(old.json) != read_updated_at(new.json)


def make_row(board: Board) -> PublishedBoard:
    """Return the row of a published board of `with_details()`. Neither the row nor its deal is stored."""
    return PublishedBoard(
        board=board, json=make_stored_json(board), json_format=JSON_FORMAT, event_deal=EventDeal.of(board)
    )


CHUNK = 50
"""The boards that one transaction locks. A vote on one of them waits until all are done, about 0.1 s."""


def boards_to_check() -> BoardQuerySet:
    """Return all boards that readers get or should get."""
    return Board.objects.filter(Q(published_at__isnull=False) | Q(published__isnull=False))


def boards_without_json() -> BoardQuerySet:
    """Return the published boards without JSON of this program's format, and the drafts that have one.

    Processes of an earlier version leave both behind when they run on after `migrate`.
    """
    has_json = Q(published__json_format=JSON_FORMAT)
    return Board.objects.filter(
        (Q(published_at__isnull=False) & ~has_json) | Q(published_at__isnull=True, published__isnull=False)
    )


def iterate_ids(boards: BoardQuerySet) -> Iterator[list[UUID]]:
    """Yield the boards' ids in lists of CHUNK."""
    last_id = UUID(int=0)
    while ids := list(boards.filter(pk__gt=last_id).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        yield ids
        last_id = ids[-1]


def check_rows(board_ids: Collection[UUID], *, mend: bool) -> int:
    """Compare these boards' stored rows with new ones. Return how many differ, or differed when they are mended.

    What seems to differ is compared again under the boards' locks, since a board may change between two queries.
    """
    if not (suspects := find_wrong_rows(board_ids)):
        return 0
    with transaction.atomic():
        list(Board.objects.filter(pk__in=suspects).order_by("pk").select_for_update().values_list("pk"))
        wrong = find_wrong_rows(suspects)
        if mend and wrong:
            refresh(wrong)
    return len(wrong)


@transaction.atomic
def check_rankings(*, mend: bool) -> int:
    """Delete the rankings whose accounts have no published board of the event, if told to mend. Return their number.

    Processes of the version before leave some behind when they run on after `migrate`. While boards are as that version
    stored them, theirs cannot be told from others, and nothing is done.
    """
    slugs = list(EventRanking.objects.without_boards().values_list("event", flat=True))
    if boards_without_json().exists():
        return 0
    if mend:
        leave_events(slugs)
    return len(slugs)


def find_wrong_rows(board_ids: Collection[UUID]) -> set[UUID]:
    """Return the ids of the boards whose stored row is missing, differs from a new one, or should not be there."""
    stored = {
        row.pk: content(row) for row in PublishedBoard.objects.filter(pk__in=board_ids).select_related("event_deal")
    }
    published = Board.objects.published().filter(pk__in=board_ids).with_details()
    fresh = {board.pk: content(make_row(board)) for board in published}
    return (stored.keys() - fresh.keys()) | {pk for pk in fresh if stored.get(pk) != fresh[pk]}


def content(row: PublishedBoard) -> tuple[Any, ...]:
    return row.json, row.json_format, row.event_deal.key if row.event_deal else None
