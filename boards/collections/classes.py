"""Classes: opening, closing and finding one, counting what its pupils answer, and reading the counts."""

import re
from datetime import datetime, timedelta
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import Account
from accounts.services import lock_alone
from boards.collections.services import delete_classes, lock_own
from boards.models import Board, ClassAnswer, Collection, LessonClass
from config.api.errors import InvalidToken, LimitReached, PermissionRefused
from config.database.retention import Retention
from config.database.transactions import retried_transaction, retry_conflicts

LETTERS = "BCDFGHJKMNPQRSTVWXZ"
"""The letters of codes: none looks like another one or a digit, and without vowels they spell nothing. 17 thousand
million codes: whoever tries 300 a minute, as many as one client may, meets one of a hundred classes once in a year."""

CODE_LENGTH = LessonClass._meta.get_field("code").max_length or 0

KEPT_DAYS = 30
"""The days after which a class is gone, with what it answered."""

MAX_CLASSES = 20
"""The classes that an account may have."""

MAX_ANSWERS = 20_000
"""The different answers that a class may have; those that it has are counted on. 300 boards with six questions and ten
answers each have fewer."""

Answers = dict[tuple[UUID, str], dict[str, int]]
"""How often each answer was given, by board and question."""

RETENTION = Retention(
    "classes",
    "",
    lambda before: LessonClass.objects.filter(created_at__lt=before),
    lambda keys, before: delete_classes(LessonClass.objects.filter(pk__in=keys)),
    days=KEPT_DAYS,
)


def oldest_kept() -> datetime:
    return timezone.now() - timedelta(days=KEPT_DAYS)


def kept_classes() -> QuerySet[LessonClass]:
    """Return the classes that are not to be deleted, whenever `prune` was run last."""
    return LessonClass.objects.filter(created_at__gt=oldest_kept()).select_related("collection")


def classes_of(owner: Account) -> QuerySet[LessonClass]:
    return kept_classes().filter(collection__owner=owner)


@retried_transaction
def open_class(*, owner: Account, collection_id: UUID) -> LessonClass:
    """Open a class of an own collection. Raise PermissionRefused for a private one, and LimitReached."""
    if not lock_alone(owner.pk):  # its classes are counted
        raise InvalidToken("This account is not active.")
    collection = lock_own(account=owner, collection_id=collection_id)
    if collection.visibility == Collection.Visibility.PRIVATE:
        raise PermissionRefused("Your pupils cannot read this collection. Let others read it by its link first.")
    if classes_of(owner).count() >= MAX_CLASSES:
        raise LimitReached(
            f"You have {MAX_CLASSES} classes, the limit of an account. Delete one first.",
            meta={"limit": MAX_CLASSES},
        )
    return LessonClass.objects.create(collection=collection, code=new_code())


def new_code() -> str:
    code = get_random_string(CODE_LENGTH, LETTERS)
    return new_code() if LessonClass.objects.filter(code=code).exists() else code


def read_code(text: str) -> str:
    """Return a code as it is stored, from what somebody typed: "kmpr tvwx"."""
    return re.sub(r"[^A-Z]", "", text.upper())


def find_class(text: str) -> LessonClass | None:
    """Return the open class with this code. Ask the primary: a replica may not know one that was opened just now."""
    shared = kept_classes().using(DEFAULT_DB_ALIAS).exclude(collection__visibility=Collection.Visibility.PRIVATE)
    return shared.filter(code=read_code(text)).first()


COUNT_ANSWER = """
INSERT INTO boards_classanswer (lesson_class_id, board_id, question, answer, count)
SELECT class.id, board.id, %s, %s, 1
FROM boards_lessonclass class
JOIN boards_collection lesson ON lesson.id = class.collection_id AND lesson.visibility <> 'private'
JOIN boards_collectionboard entry ON entry.collection_id = lesson.id
JOIN boards_board board ON board.id = entry.board_id AND board.published_at IS NOT NULL
WHERE class.code = %s AND class.created_at > %s AND board.id = %s
  AND (
    EXISTS (
      SELECT 1 FROM boards_classanswer stored
      WHERE stored.lesson_class_id = class.id AND stored.board_id = board.id
        AND stored.question = %s AND stored.answer = %s
    )
    OR (SELECT count(*) FROM boards_classanswer stored WHERE stored.lesson_class_id = class.id) < %s
  )
{lock}
ON CONFLICT (lesson_class_id, board_id, question, answer) DO UPDATE SET count = boards_classanswer.count + 1
"""
"""One statement, so that answers at once are counted exactly. PostgreSQL locks the keys of class and board: who
deletes one of them has locked it before, and an answer that had to wait for that is not counted."""


@retry_conflicts
def count_answer_of_class(code: str, board: Board, question: str, answer: str) -> None:
    """Count a valid answer for the class with this code. Count nothing where none is open that has the board."""
    created_at = LessonClass._meta.get_field("created_at").get_db_prep_value(oldest_kept(), connection)
    board_id = Board._meta.pk.get_db_prep_value(board.pk, connection)
    sql = COUNT_ANSWER.format(lock="FOR KEY SHARE OF class, board" if connection.vendor == "postgresql" else "")
    with connection.cursor() as cursor:
        given = [question, answer]
        cursor.execute(sql, [*given, read_code(code), created_at, board_id, *given, MAX_ANSWERS])


def read_answers(lesson_class: LessonClass) -> Answers:
    """Return what a class answered, the most frequent answer to a question first."""
    found: Answers = {}
    rows = ClassAnswer.objects.filter(lesson_class=lesson_class).order_by("-count", "pk")
    for board_id, question, answer, count in rows.values_list("board_id", "question", "answer", "count"):
        found.setdefault((board_id, question), {})[answer] = count
    return found


def close_class(lesson_class: LessonClass) -> None:
    """Count no more answers of a class. What it answered stays."""
    LessonClass.objects.filter(pk=lesson_class.pk).update(code=None)


@retried_transaction
def delete_class(lesson_class: LessonClass) -> None:
    delete_classes(LessonClass.objects.filter(pk=lesson_class.pk))
