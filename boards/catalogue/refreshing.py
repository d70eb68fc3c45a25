"""Writing what readers get of boards. Whoever changes a board calls `refresh` in the same transaction."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction

from boards.catalogue.facets import facets_of
from boards.catalogue.marks import add_marks
from boards.catalogue.texts import TEXT_FORMAT, make_text
from boards.models import Board, PublishedBoard


def refresh(board_ids: Collection[UUID]) -> int:
    """Make the stored rows of these boards equal to the boards as they are now. Return how many are published.

    Call it inside the transaction, after the change. It locks the boards before it reads anything, so that the last of
    several transactions which change a board, its themes or its deal writes what all of them have stored.
    """
    transaction.on_commit(add_marks, robust=True)
    list(Board.objects.filter(pk__in=board_ids).order_by("pk").select_for_update().values_list("pk"))
    published = Board.objects.published().filter(pk__in=board_ids).with_details()
    rows = [make_row(board) for board in published]
    PublishedBoard.objects.filter(pk__in={*board_ids} - {row.board_id for row in rows}).delete()
    PublishedBoard.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["board"],
        update_fields=["published_at", "facets", "text", "text_format"],
    )
    return len(rows)


def make_row(board: Board) -> PublishedBoard:
    """Return the row of a published board of `with_details()`, not stored."""
    assert board.published_at
    return PublishedBoard(
        board=board,
        published_at=board.published_at,
        facets=facets_of(board),
        text=make_text(board),
        text_format=TEXT_FORMAT,
    )
