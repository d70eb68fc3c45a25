"""What staff and the import do with drafts that wait for staff (decision 0048).

What members do is in boards.services.ownership. Lock the boards before their reviews, as everybody does.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from boards.models import Board, PublicationReview
from boards.services import bulk
from config.database.transactions import retry_conflicts

State = PublicationReview.State


class Publishing(StrEnum):
    """How members publish: not at all, after a review by staff, or at once."""

    OFF = "off"
    REVIEW = "review"
    OPEN = "open"


def publishing() -> Publishing:
    return Publishing(settings.MEMBER_PUBLISHING)


def let_wait(board_ids: Collection[UUID]) -> set[UUID]:
    """Let these drafts wait for staff, a declined one again. Return those that did not wait. Lock them before."""
    rows = PublicationReview.objects.filter(pk__in=board_ids)
    waiting = set(rows.waiting().values_list("pk", flat=True))
    rows.exclude(pk__in=waiting).delete()
    asking = set(board_ids) - waiting
    PublicationReview.objects.bulk_create([PublicationReview(board_id=pk) for pk in sorted(asking)])
    return asking


def renew(board_ids: Collection[UUID]) -> None:
    """Note that boards which wait have changed. Staff who looked before do not publish them (`publish_seen`)."""
    PublicationReview.objects.waiting().filter(pk__in=board_ids).update(asked_at=timezone.now())


def take_back(board_ids: Collection[UUID]) -> set[UUID]:
    """Let these boards wait no longer. Return those that did. Lock them before."""
    rows = PublicationReview.objects.waiting().filter(pk__in=board_ids)
    waiting = set(rows.values_list("pk", flat=True))
    rows.delete()
    return waiting


@retry_conflicts
@transaction.atomic
def publish_seen(board_ids: Sequence[UUID], *, looked_at: datetime, asked_only: bool = False) -> list[Board]:
    """Publish drafts for staff who looked at them at this moment. With `asked_only` leave those that do not wait.

    Leave those whose owner has asked or changed them since: nobody has seen what they say now.
    """
    drafts = {board.pk: board.updated_at for board in bulk.lock(board_ids, published_at__isnull=True)}
    asked = dict(PublicationReview.objects.waiting().filter(pk__in=drafts).values_list("pk", "asked_at"))
    changed = asked if asked_only else drafts | asked
    seen = {pk for pk, moment in changed.items() if moment <= looked_at}
    return bulk.publish_drafts([pk for pk in board_ids if pk in seen])


@retry_conflicts
@transaction.atomic
def decline(board_ids: Sequence[UUID], *, by: str, sentence: str, looked_at: datetime) -> list[Board]:
    """Answer those that wait with a sentence, and leave them drafts. Return them.

    Leave those that were asked for or changed after staff looked.
    """
    boards = bulk.lock(board_ids, published_at__isnull=True)
    waiting = PublicationReview.objects.waiting().filter(board__in=boards, asked_at__lte=looked_at)
    answered = set(waiting.values_list("pk", flat=True))
    waiting.update(state=State.DECLINED, sentence=sentence, answered_at=timezone.now(), answered_by_id=by)
    return [board for board in boards if board.pk in answered]
