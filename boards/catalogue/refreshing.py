"""Writing what readers get of boards. Whoever changes a board calls `refresh` in the same transaction."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from boards.catalogue.facets import facets_of
from boards.catalogue.marks import add_marks
from boards.catalogue.texts import TEXT_FORMAT, make_text, read_updated_at
from boards.models import Board, PublishedBoard


def refresh(board_ids: Collection[UUID]) -> int:
    """Make the stored rows of these boards equal to the boards as they are now. Return how many are published.

    Call it inside the transaction, after the change. It locks the boards before it reads anything, so that the last of
    several transactions which change a board, its themes or its deal writes what all of them have stored.

    A published board whose row changes has changed for its readers. So its `updated_at` moves, if whoever changed the
    themes or the deal has not moved it: `updatedSince` finds every change.
    """
    transaction.on_commit(add_marks, robust=True)
    list(Board.objects.filter(pk__in=board_ids).order_by("pk").select_for_update().values_list("pk"))
    published = Board.objects.published().filter(pk__in=board_ids).with_details()
    rows = [make_row(board) for board in published]
    if unmoved := find_unmoved(rows):
        Board.objects.filter(pk__in=unmoved).update(updated_at=timezone.now())
        rows = [make_row(board) for board in published.all()]
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


def find_unmoved(rows: Collection[PublishedBoard]) -> list[UUID]:
    """Return the ids of the boards whose row is another than the stored one, but has the same updatedAt.

    A new text format changes no board: it is another way to write the same.
    """
    stored = PublishedBoard.objects.filter(text_format=TEXT_FORMAT).in_bulk([row.board_id for row in rows])
    return [
        row.board_id
        for row in rows
        if (before := stored.get(row.board_id))
        and (before.facets, before.text) != (row.facets, row.text)
        and read_updated_at(before.text) == read_updated_at(row.text)
    ]
