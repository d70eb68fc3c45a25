"""Changes of deals and themes that change what readers get of boards. BoardsConfig connects the receivers."""

from collections.abc import Collection, Iterable
from uuid import UUID

from boards.catalogue.facets import facet
from boards.catalogue.refreshing import refresh
from boards.models import Board, PublishedBoard
from themes.models import Theme

CHUNK = 500


def refresh_boards_of_deals(sender: object, deal_ids: Collection[UUID], **kwargs: object) -> None:
    """Store the new double dummy in their JSON, in the transaction that stores it."""
    refresh_in_chunks(Board.objects.filter(deal__in=deal_ids).values_list("pk", flat=True))


def refresh_boards_of_theme(sender: type[Theme], instance: Theme, created: bool, **kwargs: object) -> None:
    """Move the boards to the lists of the theme's new type. All else about a theme is read with the boards.

    All boards of the theme are in the lists of one type, so the first one tells whether the type has changed.
    """
    of_theme = PublishedBoard.objects.filter(board__themes=instance)
    first = None if created else of_theme.first()
    if first and facet("themeType", instance.type) not in first.facets:
        refresh_in_chunks(of_theme.values_list("pk", flat=True))


def remember_boards_of_theme(sender: type[Theme], instance: Theme, **kwargs: object) -> None:
    """Store which boards lose the theme that is going to be deleted."""
    instance.boards_before_deletion = list(instance.boards.values_list("pk", flat=True))  # type: ignore[attr-defined]


def refresh_boards_without_theme(sender: type[Theme], instance: Theme, **kwargs: object) -> None:
    refresh_in_chunks(instance.boards_before_deletion)  # type: ignore[attr-defined]


def refresh_in_chunks(board_ids: Iterable[UUID]) -> None:
    ids = list(board_ids)
    for start in range(0, len(ids), CHUNK):
        refresh(ids[start : start + CHUNK])
