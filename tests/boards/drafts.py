"""Drafts of members, and what staff answer for those that wait."""

from typing import Any

from django.utils import timezone

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.services import reviews
from tests import factories


def draft_of(owner: Account, **values: Any) -> Board:
    return factories.board(owner=owner, published=False, **values)


def states() -> dict[Any, str]:
    """Return the states of the reviews by board."""
    return dict(PublicationReview.objects.values_list("pk", "state"))


def decline(*boards: Board, sentence: str = "Whose deal is this?") -> list[Board]:
    return reviews.decline([board.pk for board in boards], by="support", sentence=sentence, looked_at=timezone.now())
