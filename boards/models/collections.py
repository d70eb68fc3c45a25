"""Collections: boards that a member puts in an order, with a title and a note on each."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from boards.models.board import ADDED, SEAT_CHOICES, Board
from boards.querysets import CollectionQuerySet
from bridge.auction import MAX_CALLS
from config.values.languages import MAX_TAG_LENGTH

MAX_COLLECTIONS = 200
"""The collections that an account may have."""

MAX_BOARDS = 300
"""The boards that a collection may have."""


class Collection(models.Model):
    """A member's ordered list of boards. boards.collections.services writes it.

    `published_at` stays when a public collection is taken back, and is its date again when it is made public again.
    """

    class Visibility(models.TextChoices):
        PRIVATE = "private"
        LINK = "link", "By link"
        PUBLIC = "public"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,  # the index collection_of_owner begins with it
        related_name="collections",
        help_text="The account that may change the collection.",
    )
    title = models.CharField(max_length=200, help_text="What the collection is called, on one line.")
    description = models.TextField(
        max_length=4000, blank=True, help_text="Plain text. A blank line begins a new paragraph."
    )
    language = models.CharField(
        max_length=MAX_TAG_LENGTH,
        blank=True,
        help_text="The language of title, description and notes (BCP 47), such as en or pt-BR.",
    )
    visibility = models.CharField(
        max_length=8,
        choices=Visibility,
        default=Visibility.PRIVATE,
        help_text="Who may read it: private, its owner alone; link, whoever has its address; public, everybody,"
        " and it is listed.",
    )
    published_at = models.DateTimeField(
        null=True, editable=False, help_text="When the collection was first made public."
    )
    withheld_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When staff took the collection back. Until they lift that it stays private.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When the collection was made.")
    updated_at = models.DateTimeField(
        auto_now=True, help_text="When its texts, its visibility, its boards or their notes last changed."
    )

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(name="collection_newest", fields=("published_at", "id"), condition=Q(visibility="public")),
            models.Index(name="collection_of_owner", fields=("owner", "created_at", "id")),
        )
        constraints = (
            models.CheckConstraint(
                name="collection_visibility_known", condition=Q(visibility__in=("private", "link", "public"))
            ),
            models.CheckConstraint(
                name="collection_public_has_date", condition=~Q(visibility="public") | Q(published_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def is_public(self) -> bool:
        return self.visibility == self.Visibility.PUBLIC


class CollectionBoard(models.Model):
    """A board in a collection. It goes with its board, and with its collection."""

    collection = models.ForeignKey(
        Collection,
        on_delete=models.CASCADE,
        db_index=False,  # the constraint's index begins with it
        related_name="entries",
        help_text="The collection.",
    )
    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, related_name="collection_entries", help_text="The board."
    )
    position = models.PositiveSmallIntegerField(help_text="Sorts the boards of a collection, the smallest first.")
    note = models.TextField(max_length=1000, blank=True, help_text="What the collection says of the board. Plain text.")

    seat = models.CharField(
        max_length=1,
        blank=True,
        choices=SEAT_CHOICES,
        help_text="The seat that practice asks. Blank for the one that has a decision.",
        **ADDED,
    )
    step = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(MAX_CALLS)],
        help_text="How many calls are made before the first question of practice. Blank for those before a decision.",
    )

    class Meta:
        ordering = ("position", "id")
        constraints = (models.UniqueConstraint(name="collection_board_once", fields=("collection", "board")),)

    def __str__(self) -> str:
        return f"{self.collection_id}: {self.board_id}"
