from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.http import Http404

from accounts.models import Account
from boards.models import Board
from voting.models import Vote

COUNTERS = {Vote.Value.UP: "up_votes", Vote.Value.DOWN: "down_votes"}
"""The column of a board that counts its votes of each value."""

CHUNK = 500
"""How many boards `delete_votes` locks at a time."""


@transaction.atomic
def cast_vote(*, account: Account, board_id: UUID, value: Vote.Value | None) -> None:
    """Set or change a vote, or delete it for None. A repeated vote changes nothing.

    Raise Http404 for a board that is not published. The board's row is locked first, so that votes on one board wait
    for each other and its counters are always their exact sum.
    """
    board = Board.objects.published().select_for_update().filter(pk=board_id).only("pk").first()
    if board is None:
        raise Http404
    votes = Vote.objects.filter(account=account, board=board)
    before = votes.values_list("value", flat=True).first()
    if value == before:
        return
    if value is None:
        votes.delete()
    else:
        Vote.objects.update_or_create(account=account, board=board, defaults={"value": value})
    changes = {
        column: F(column) + ((value == counted) - (before == counted)) for counted, column in COUNTERS.items()
    }
    Board.objects.filter(pk=board.pk).update(**changes)


@transaction.atomic
def delete_votes(account: Account) -> int:
    """Delete all votes of the account, and return how many.

    Lock the boards in the order of their ids, and each before its vote, as `cast_vote` does: so nothing deadlocks.
    """
    own = Vote.objects.filter(account=account)
    deleted = 0
    while ids := list(own.order_by("board_id").values_list("board_id", flat=True)[:CHUNK]):
        locked = Board.objects.filter(pk__in=ids).order_by("pk").select_for_update()
        boards = list(locked.values_list("pk", flat=True))
        votes = list(own.filter(board_id__in=boards))
        for value, column in COUNTERS.items():
            voted = [vote.board_id for vote in votes if vote.value == value]
            Board.objects.filter(pk__in=voted).update(**{column: F(column) - 1})
        deleted += Vote.objects.filter(pk__in=[vote.pk for vote in votes]).delete()[0]
    return deleted


def get_votes_by_board(*, account: Account, board_ids: Collection[UUID]) -> dict[str, str]:
    """Return {board id: "up" | "down"} for those of the boards on which the account has voted."""
    votes = Vote.objects.filter(account=account, board_id__in=board_ids).order_by("board_id")
    return {str(board_id): value for board_id, value in votes.values_list("board_id", "value")}
