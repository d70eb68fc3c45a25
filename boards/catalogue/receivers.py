"""Changes of deals and themes that change what readers get of boards. BoardsConfig connects the receivers."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.utils import timezone

from boards.catalogue.refreshing import refresh
from boards.models import Board
from themes.models import Theme

CHUNK = 500


def refresh_boards_of_deals(sender: object, deal_ids: Collection[UUID], **kwargs: object) -> None:
    """Store the new double dummy in their JSON, in the transaction that stores it."""
    refresh_in_chunks(Board.objects.filter(deal__in=deal_ids).values_list("pk", flat=True))


def refresh_boards_analysed(sender: object, board_ids: Collection[UUID], **kwargs: object) -> None:
    """Store the new analysis in their JSON, in the transaction that stores it."""
    refresh_in_chunks(board_ids)


def refresh_boards_of_theme(sender: type[Theme], theme: Theme, before: str, **kwargs: object) -> None:
    """Let readers who follow changes learn that the filter by type finds the boards under the theme's new one.

    All else about a theme is read with the boards, and is not a change of them.
    """
    ids = list(Board.objects.filter(themes=theme).values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        lock = Board.objects.filter(pk__in=chunk).order_by("pk").select_for_update()
        Board.objects.filter(pk__in=[board.pk for board in lock.only("pk")]).update(updated_at=timezone.now())
        refresh(chunk)


def take_off_deleted_theme(sender: type[Theme], instance: Theme, **kwargs: object) -> None:
    """Take a theme that is going to be deleted off its boards, for their readers too."""
    ids = list(instance.boards.values_list("pk", flat=True))
    instance.boards.clear()
    refresh_in_chunks(ids)


def refresh_in_chunks(board_ids: Iterable[UUID]) -> None:
    ids = list(board_ids)
    for start in range(0, len(ids), CHUNK):
        refresh(ids[start : start + CHUNK])
