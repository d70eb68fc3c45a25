"""Classes that work through a collection: how often which answer was given, and nothing of who gave it."""

import uuid

from django.db import models
from django.utils import timezone

from boards.models.collections import Collection


class LessonClass(models.Model):
    """A class that answers the questions of a collection. boards.collections.classes opens it and counts.

    A closed one has no code any more, so that no answer finds it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    collection = models.ForeignKey(
        Collection, on_delete=models.CASCADE, related_name="classes", help_text="What the class works through."
    )
    code = models.CharField(  # noqa: DJ001  (unique, and many are closed)
        max_length=8, null=True, unique=True, help_text="What its pupils type. null once it is closed."
    )
    created_at = models.DateTimeField(default=timezone.now, db_index=True, help_text="When it was opened.")

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return f"Class of {self.created_at:%Y-%m-%d %H:%M}"


class ClassAnswer(models.Model):
    """How often a class gave an answer to a question, which PracticeAnswer describes."""

    lesson_class = models.ForeignKey(
        LessonClass,
        on_delete=models.CASCADE,
        db_index=False,  # the constraint's index begins with it
        related_name="answers",
        help_text="The class.",
    )
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+", help_text="The board.")
    question = models.CharField(max_length=32, help_text="As in PracticeAnswer.")
    answer = models.CharField(max_length=4, help_text="A call such as 1NT or Pass, or an opening lead such as HK.")
    count = models.PositiveIntegerField(default=1, help_text="How often it was given.")

    class Meta:
        constraints = (
            models.UniqueConstraint(name="class_answer_once", fields=("lesson_class", "board", "question", "answer")),
        )

    def __str__(self) -> str:
        return f"{self.answer}: {self.count}"
