"""Boards as personal data: exported with their owner's account, and on erasure transferred to the account `system`.
So are the rankings of their events.

What the owner has asked of staff goes then, with their answer. Who answered stays a plain id, as in other records.
Files that were uploaded and not yet imported are deleted, and so are collections with their notes and classes.
"""

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account
from accounts.personal_data import PersonalData, register
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

CHUNK = 500


def answers_of(account: Account) -> QuerySet[PublicationReview]:
    """Return what the account answered as one of the staff, without what the owners of the boards had written."""
    answered = PublicationReview.objects.filter(answered_by_id=account.pk)
    return answered.exclude(board__owner=account).defer("changes")


def transfer_to_system(account: Account) -> int:
    """Move the account's boards to `system`. Return how many. Call inside a transaction.

    A board that `system` already owns in the same form stays, and the transferred one is kept beside it, with its
    address, texts, themes and votes.
    """
    boards = Board.objects.filter(owner=account).select_related("deal", "auction_system").order_by("pk")
    transferred = 0
    while chunk := list(boards.select_for_update(of=("self",))[:CHUNK]):
        for board in chunk:
            board.owner_id, board.updated_at = SYSTEM, timezone.now()
        renew_fingerprints(chunk)
        Board.objects.bulk_update(chunk, ["fingerprint", "owner", "updated_at"])
        PublicationReview.objects.filter(board__in=chunk).delete()
        refresh([board.pk for board in chunk])
        transferred += len(chunk)
    return transferred


def transfer_rankings(account: Account) -> int:
    """Move the rankings of the account's events to `system`, but for those of events that `system` has itself."""
    rankings = EventRanking.objects.filter(owner=account)
    rankings.filter(event__in=EventRanking.objects.filter(owner=SYSTEM).values("event")).delete()
    return rankings.update(owner=SYSTEM)


def uploads_concerning(account: Account) -> QuerySet[Upload]:
    """Return the account's uploads, and those of others whose boards it would own."""
    return Upload.objects.filter(Q(uploader=account) | Q(owner=account)).defer("content")


register(
    PersonalData(
        "boards", lambda account: Board.objects.filter(owner=account), "boards given to the service", transfer_to_system
    ),
    PersonalData(
        "eventRankings",
        lambda account: EventRanking.objects.filter(owner=account),
        "rankings given to the service",
        transfer_rankings,
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
