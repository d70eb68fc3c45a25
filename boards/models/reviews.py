"""What a member asks of staff: to publish a draft of theirs, or to change a published board (decision 0048)."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from config.values.identifiers import MAX_ACCOUNT_ID_LENGTH

MAX_SENTENCE_LENGTH = 1000


class PublicationReviewQuerySet(models.QuerySet["PublicationReview"]):
    def waiting(self) -> "PublicationReviewQuerySet":
        return self.filter(state=PublicationReview.State.WAITING)


class PublicationReview(models.Model):
    """A draft, or a change of a published board, that waits for staff or that they have declined.

    A draft has a row without `changes`, a published board one with them: boards.catalogue.refreshing deletes the row
    when the board is published or becomes a draft, whoever does it.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DECLINED = "declined"

    board = models.OneToOneField(
        "boards.Board",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="review",
        help_text="The draft that its owner wants to be published, or the board that they want to change.",
    )
    state = models.CharField(
        max_length=8, choices=State, default=State.WAITING, help_text="Whether staff have answered."
    )
    asked_at = models.DateTimeField(
        default=timezone.now,
        help_text="When the owner asked, or changed what waits. Staff who looked before look again.",
    )
    changes = models.JSONField(
        null=True,
        blank=True,
        help_text="What the owner of a published board wants it to have instead, named as the API names it.",
    )
    sentence = models.TextField(
        max_length=MAX_SENTENCE_LENGTH, blank=True, help_text="Why staff did not publish or change the board."
    )
    answered_at = models.DateTimeField(null=True, blank=True, help_text="When staff answered.")
    answered_by_id = models.CharField(
        max_length=MAX_ACCOUNT_ID_LENGTH,
        blank=True,
        help_text="Id of the account that answered. It stays when that person is erased.",
    )

    objects = PublicationReviewQuerySet.as_manager()

    class Meta:
        indexes = (models.Index(name="review_waiting", fields=("state", "asked_at")),)
        constraints = (
            models.CheckConstraint(
                name="review_answered_with_sentence",
                condition=Q(state="waiting", sentence="", answered_at=None, answered_by_id="")
                | Q(state="declined", answered_at__isnull=False) & ~Q(sentence="") & ~Q(answered_by_id=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.board_id}: {self.state}"

    @property
    def is_change(self) -> bool:
        """Tell whether this is about a change, and not about publishing a draft."""
        return self.changes is not None

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING
