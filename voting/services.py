from collections.abc import Collection
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.http import Http404

from accounts.models import Account
from boards.models import Board
from voting.models import Vote

Choice = Literal["up", "down", "none"]


@transaction.atomic
def cast_vote(*, account: Account, board_id: UUID, choice: Choice) -> None:
    """Set, change or delete a vote. A repeated vote changes nothing. Raise Http404 for a board that is not published.

    The board's row is locked first, so that votes on one board wait for each other and its counters are always their
    exact sum.
    """
    board = Board.objects.published().select_for_update().filter(pk=board_id).only("pk").first()
    if board is None:
        raise Http404
    votes = Vote.objects.filter(account=account, board=board)
    before = votes.values_list("value", flat=True).first() or "none"
    if choice == before:
        return
    if choice == "none":
        votes.delete()
    else:
        Vote.objects.update_or_create(account=account, board=board, defaults={"value": choice})
    moved = {value: (choice == value) - (before == value) for value in ("up", "down")}
    Board.objects.filter(pk=board.pk).update(
        up_votes=F("up_votes") + moved["up"], down_votes=F("down_votes") + moved["down"]
    )


def votes_of(*, account: Account, board_ids: Collection[UUID]) -> dict[str, str]:
    """Return {board id: "up" | "down"} for those of the boards on which the account has voted."""
    votes = Vote.objects.filter(account=account, board_id__in=board_ids).order_by("board_id")
    return {str(board_id): value for board_id, value in votes.values_list("board_id", "value")}
