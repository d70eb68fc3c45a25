"""Changing thousands of boards: a function for each change of a chunk, and `run`, which goes through all of them.

A chunk is one transaction, so that nobody waits long for its locks, and what is done stays done when the rest is broken
off. All of it is safe to repeat.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Q, Sum
from django.utils import timezone

from boards.catalogue.refreshing import refresh
from boards.models import PUBLICATION, Board, take_numbers
from boards.querysets import BoardQuerySet
from boards.services.boards import renew_fingerprints
from boards.services.stories import join_stories
from config.database.inserting import insert_rows
from config.database.transactions import retried_transaction
from deals.services import prefer_published
from search.models import leave_numbers
from themes.models import Theme

CHUNK = 200
"""The boards of one transaction. On SQLite, which has one writer at a time, the others wait for it."""

MAX_KEYS = 20_000
"""The boards that are looked up at once."""

Change = Callable[[Sequence[UUID]], list[Board]]
"""Changes the boards with these ids in one transaction. Returns those that it changed."""


class Numbers(NamedTuple):
    """How many boards there are, how many of them are published, and how many votes they have."""

    boards: int
    published: int
    votes: int

    @property
    def drafts(self) -> int:
        return self.boards - self.published


class SortKey(NamedTuple):
    """What sorts a board in a run: the oldest first. Of a file the last is the oldest."""

    created_at: datetime
    board_id: UUID


class Progress(NamedTuple):
    """What a run has done. `last` sorts the last board when there are more, and None at the end."""

    changed: int
    seen: int
    last: SortKey | None


def count_boards(boards: BoardQuerySet) -> Numbers:
    published, votes = Count("pk", filter=Q(published_at__isnull=False)), Sum(F("up_votes") + F("down_votes"))
    found = boards.order_by().aggregate(boards=Count("pk"), published=published, votes=votes)
    return Numbers(found["boards"], found["published"], found["votes"] or 0)


def run(boards: BoardQuerySet, change: Change, *, after: SortKey | None = None, seconds: float) -> Progress:
    """Change these boards chunk by chunk, those after a sort key, until all are done or the time is up."""
    end = time.monotonic() + seconds
    if after:
        later = Q(created_at__gt=after.created_at) | Q(created_at=after.created_at, pk__gt=after.board_id)
        boards = boards.filter(later)
    rows = boards.order_by("created_at", "pk").values_list("created_at", "pk")
    keys = [SortKey(*row) for row in rows[:MAX_KEYS]]
    changed = seen = 0
    while chunk := keys[seen : seen + CHUNK]:
        changed += len(change([key.board_id for key in chunk]))
        seen += len(chunk)
        if time.monotonic() >= end:
            break
    is_done = seen == len(keys) < MAX_KEYS
    return Progress(changed, seen, None if is_done else keys[seen - 1])


@retried_transaction
def publish_drafts(board_ids: Sequence[UUID]) -> list[Board]:
    """Publish those that are drafts. Of two the later in this order is listed first.

    The deal of a draft that is published alone is solved before those of files.
    """
    locked = {draft.pk: draft for draft in lock(board_ids, published_at__isnull=True)}
    drafts = [locked[pk] for pk in board_ids if pk in locked]
    leave_numbers([draft.number for draft in drafts])
    for draft, number in zip(drafts, take_numbers(len(drafts)), strict=True):
        draft.set_published(timezone.now(), number)
    store(drafts, PUBLICATION)
    if len(board_ids) == 1:
        for draft in drafts:
            prefer_published(deal_id=draft.deal_id)
    return drafts


@retried_transaction
def unpublish_boards(board_ids: Sequence[UUID]) -> list[Board]:
    """Make drafts of those that are published. Their votes stay, and they keep their dates for the next time."""
    boards = lock(board_ids, published_at__isnull=False)
    for board in boards:
        board.set_draft()
    store(boards, PUBLICATION)
    return boards


@retried_transaction
def delete_boards(board_ids: Sequence[UUID]) -> list[Board]:
    boards = lock(board_ids)
    Board.objects.filter(pk__in=[board.pk for board in boards]).delete()
    return boards


@retried_transaction
def add_theme(board_ids: Sequence[UUID], theme: Theme) -> list[Board]:
    """Put those under the theme that are not there yet."""
    boards = lock(board_ids)
    links = Board.themes.through
    stored = set(links.objects.filter(board__in=boards, theme=theme).values_list("board_id", flat=True))
    changed = [board for board in boards if board.pk not in stored]
    insert_rows([links(board_id=board.pk, theme_id=theme.pk) for board in changed], ignore_conflicts=True)
    store(changed, ())
    return changed


@retried_transaction
def set_texts(
    board_ids: Sequence[UUID], texts: Mapping[str, str], *, among: BoardQuerySet | None = None
) -> list[Board]:
    """Store these texts, such as {"event": "Friday pairs"}, in the boards that have others.

    Leave those that are not `among` these any more when they are locked. Two boards that become equal stay two. The
    deals of boards that come to another event have one story there.
    """
    boards = Board.objects.all() if among is None else among
    locked = boards.filter(pk__in=board_ids).order_by("pk").select_for_update(of=("self",))
    changed = [
        board
        for board in locked.select_related("deal", "auction_system")
        if any(getattr(board, name) != text for name, text in texts.items())
    ]
    for board in changed:
        for name, text in texts.items():
            setattr(board, name, text)
    renew_fingerprints(changed)
    store(changed, [*texts, "fingerprint"])
    refresh(join_stories([board for board in changed if board.event_slug]))
    return changed


def lock(board_ids: Sequence[UUID], **conditions: Any) -> list[Board]:
    """Lock the boards of which this is true, in the order in which everybody locks boards."""
    boards = Board.objects.filter(pk__in=board_ids, **conditions).order_by("pk").select_for_update()
    return list(boards.defer("auction", "play", "commentary", "deal_commentary"))


def store(boards: Sequence[Board], columns: Collection[str]) -> None:
    """Store these columns of the boards, when that was, and what readers get of them."""
    for board in boards:
        board.updated_at = timezone.now()
    Board.objects.bulk_update(boards, sorted({*columns, "updated_at"}))
    refresh([board.pk for board in boards])
