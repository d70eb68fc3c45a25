"""Storing events. Call these inside the transaction of the change, after the change, while its rows are locked."""

from collections.abc import Collection, Iterable
from typing import NamedTuple
from uuid import UUID

from config.database.inserting import insert_rows
from deals.models import FeedEvent

Type = FeedEvent.Type


class BoardVotes(NamedTuple):
    """The votes of a board as they are now."""

    board_id: UUID
    deal_id: UUID
    up_votes: int
    down_votes: int


def record_deals(event_type: FeedEvent.Type, deal_ids: Iterable[UUID]) -> None:
    insert_rows([FeedEvent(type=event_type, deal_id=deal_id) for deal_id in deal_ids])


def record_boards(event_type: FeedEvent.Type, boards: Collection[tuple[UUID, UUID]]) -> None:
    """Store an event for each board, given as its id and its deal's. A board that is unpublished tells of no votes."""
    if event_type == Type.BOARD_UNPUBLISHED:
        FeedEvent.objects.filter(votes_of__in=[board_id for board_id, _ in boards]).delete()
    insert_rows([FeedEvent(type=event_type, board_id=board_id, deal_id=deal_id) for board_id, deal_id in boards])


def record_collection(event_type: FeedEvent.Type, collection_id: UUID) -> None:
    insert_rows([FeedEvent(type=event_type, collection_id=collection_id)])


def record_votes(boards: Iterable[BoardVotes]) -> None:
    """Store that votes of these boards have changed. Give the boards in the order of their ids, so nothing deadlocks.

    A board has one such event. It loses its position, so that it comes again after all that was read before.
    voting.services does the same in SQL for a single vote.
    """
    FeedEvent.objects.bulk_create(
        [FeedEvent(type=Type.BOARD_VOTES_CHANGED, votes_of=board.board_id, **board._asdict()) for board in boards],
        update_conflicts=True,
        unique_fields=["votes_of"],
        update_fields=["up_votes", "down_votes", "created_at", "position"],
    )
