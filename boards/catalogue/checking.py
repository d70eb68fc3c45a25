"""Comparing what is stored for readers with the boards, and mending it. `manage.py refresh_boards` calls it."""

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from boards.catalogue.refreshing import make_row, refresh
from boards.catalogue.stored_json import JSON_FORMAT
from boards.models import Board, Event, PublishedBoard
from boards.querysets import BoardQuerySet

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


def find_wrong_rows(board_ids: Collection[UUID]) -> set[UUID]:
    """Return the ids of the boards whose stored row is missing, differs from a new one, or should not be there.

    A row whose event is not stored is wrong too.
    """
    rows = list(PublishedBoard.objects.filter(pk__in=board_ids))
    events = {"", *Event.objects.filter(pk__in={row.event_slug for row in rows}).values_list("pk", flat=True)}
    stored = {row.pk: content(row) for row in rows if row.event_slug in events}
    published = Board.objects.published().filter(pk__in=board_ids).with_details()
    fresh = {board.pk: content(make_row(board)) for board in published}
    unpublished = {row.pk for row in rows} - fresh.keys()
    return unpublished | {pk for pk in fresh if stored.get(pk) != fresh[pk]}


def content(row: PublishedBoard) -> tuple[Any, ...]:
    return row.json, row.json_format, row.event_slug, row.event_position
