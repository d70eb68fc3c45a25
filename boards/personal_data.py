"""Boards as personal data: exported with their owner's account. On erasure those that are published pass to an account
without a name, and drafts are deleted.

What the owner has asked of staff goes then, with their answer. Who answered stays a plain id, as in other records.
Rankings of events, files that were uploaded and not yet imported, and collections with their notes and classes are
deleted: what waits or was seen by the owner alone is published by nobody else.
"""

from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Account
from accounts.personal_data import PersonalData, register
from accounts.personal_data.successors import Successor
from boards.catalogue.refreshing import refresh
from boards.collections import classes
from boards.collections.services import delete_classes, delete_collections
from boards.files.uploading import RETENTION
from boards.models import (
    Board,
    ClassAnswer,
    Collection,
    CollectionBoard,
    EventRanking,
    LessonClass,
    PublicationReview,
    Upload,
)
from boards.services.boards import renew_fingerprints
from deals.services import delete_unused_deals

CHUNK = 500


def answers_of(account: Account) -> QuerySet[PublicationReview]:
    """Return what the account answered as one of the staff, without what the owners of the boards had written."""
    answered = PublicationReview.objects.filter(answered_by_id=account.pk)
    return answered.exclude(board__owner=account).defer("changes")


def erase_boards(account: Account, successor: Successor) -> int:
    """Delete the account's drafts, and hand over its published boards. Return how many. Call inside a transaction.

    Boards are locked in the order of their ids, as everybody locks them. Deals that only members' files have brought
    go with their last board, once this is committed.
    """
    boards = Board.objects.filter(owner=account).select_related("deal", "auction_system").order_by("pk")
    erased, deals = 0, set[UUID]()
    while chunk := list(boards.select_for_update(of=("self",))[:CHUNK]):
        drafts = [board for board in chunk if board.published_at is None]
        deals |= {board.deal_id for board in drafts}
        Board.objects.filter(pk__in=[board.pk for board in drafts]).delete()
        hand_over([board for board in chunk if board.published_at], successor)
        erased += len(chunk)
    # An error leaves deals behind, which nobody is shown: the erasure is done.
    transaction.on_commit(partial(delete_unused_deals, deals), robust=True)
    return erased


def hand_over(boards: list[Board], successor: Successor) -> None:
    """Give published boards to the successor, without what was to be changed of them. Lock them before."""
    for board in boards:
        board.owner_id, board.updated_at = successor.id, timezone.now()
    renew_fingerprints(boards)
    Board.objects.bulk_update(boards, ["fingerprint", "owner", "updated_at"])
    PublicationReview.objects.filter(board__in=boards).delete()
    refresh([board.pk for board in boards])


def uploads_concerning(account: Account) -> QuerySet[Upload]:
    """Return the account's uploads, and those of others whose boards it would own."""
    return Upload.objects.filter(Q(uploader=account) | Q(owner=account)).defer("content")


register(
    PersonalData(
        "boards",
        lambda account: Board.objects.filter(owner=account),
        "boards deleted or, if published, kept without a name",
        hand_over=erase_boards,
    ),
    PersonalData(
        "eventRankings", lambda account: EventRanking.objects.filter(owner=account), "rankings of events deleted"
    ),
    PersonalData("publicationReviews", lambda account: PublicationReview.objects.filter(board__owner=account)),
    PersonalData("answeredReviews", answers_of),
    PersonalData("uploads", uploads_concerning, "uploaded files deleted", retention=RETENTION),
    PersonalData("classAnswers", lambda account: ClassAnswer.objects.filter(lesson_class__collection__owner=account)),
    PersonalData(
        "classes",
        lambda account: LessonClass.objects.filter(collection__owner=account),
        "classes deleted",
        lambda account: delete_classes(LessonClass.objects.filter(collection__owner=account)),
        classes.RETENTION,
    ),
    # After the boards: who deletes a board locks it before its rows in collections, too.
    PersonalData(
        "collectionBoards",
        lambda account: CollectionBoard.objects.filter(collection__owner=account),
        "boards taken out of collections",
    ),
    PersonalData(
        "collections",
        lambda account: Collection.objects.filter(owner=account),
        "collections deleted",
        delete_collections,
    ),
)
