"""A person's votes. Erasing deletes them, and the boards' counters stay the exact sum of the votes that are left."""

from django.db.models import F, QuerySet

from accounts.models import Account
from accounts.personal_data.registry import Erasure, PersonalData, register
from boards.models import Board
from voting.models import Vote

CHUNK = 500


def votes_of(account: Account) -> QuerySet[Vote]:
    return Vote.objects.filter(account=account)


def delete_votes(account: Account) -> int:
    """Delete the account's votes inside a transaction, and return how many.

    Lock the boards in the order of their ids, and each before its vote, as voting does: so nothing deadlocks.
    """
    deleted = 0
    while ids := list(votes_of(account).order_by("board_id").values_list("board_id", flat=True)[:CHUNK]):
        locked = Board.objects.filter(pk__in=ids).order_by("pk").select_for_update()
        boards = list(locked.values_list("pk", flat=True))
        votes = list(votes_of(account).filter(board_id__in=boards))
        for value, column in (("up", "up_votes"), ("down", "down_votes")):
            voted = [vote.board_id for vote in votes if vote.value == value]
            Board.objects.filter(pk__in=voted).update(**{column: F(column) - 1})
        deleted += Vote.objects.filter(pk__in=[vote.pk for vote in votes]).delete()[0]
    return deleted


register(PersonalData("votes", rows=votes_of, erasure=Erasure("votes deleted", delete_votes)))
