"""Erasing a person in tests, and what must hold of votes afterwards."""

from django.db.models import Count, Q

from accounts.models import Account
from accounts.personal_data.erasure import erase as erase_person
from boards.models import Board


def erase(account_id: str = "zia", by: Account | None = None) -> dict[str, int]:
    return erase_person(account_id=account_id, by=by)


def counters_are_exact() -> bool:
    up, down = Count("votes", Q(votes__value="up")), Count("votes", Q(votes__value="down"))
    rows = Board.objects.annotate(up=up, down=down).values_list("up", "up_votes", "down", "down_votes")
    return all(up == up_votes and down == down_votes for up, up_votes, down, down_votes in rows)
