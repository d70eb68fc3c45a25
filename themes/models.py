import uuid
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.dispatch import Signal

from accounts.identifiers import SYSTEM
from config.values.descriptions import validate_description
from config.values.labels import english_label, validate_labels
from themes.querysets import ThemeQuerySet

type_changed = Signal()
"""For the apps above: a `theme` has another type than `before`. Sent in the transaction of the change."""


class Theme(models.Model):
    """What a board is about: a convention, a play technique, a topic of a bidding system."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    type = models.SlugField(
        max_length=64, help_text="Such as convention, declarer_play or system_bidding. New types are allowed"
    )
    identifier = models.SlugField(max_length=64, help_text="A short name for programs, unique within the type")
    labels = models.JSONField(
        default=dict, validators=[validate_labels], help_text='The name in each language: {"en": "Stayman"}'
    )
    description = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        validators=[validate_description],
        help_text='What the theme is about, as plain text in each language: {"en": "…"}. A blank line begins a new'
        " paragraph",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        default=SYSTEM,
        related_name="themes",
        help_text="Account that may change the theme. The service's own themes belong to system",
    )
    created_at = models.DateTimeField(auto_now_add=True, help_text="When the theme was created")
    updated_at = models.DateTimeField(auto_now=True, help_text="When the theme last changed")

    objects = ThemeQuerySet.as_manager()

    class Meta:
        ordering = ("type", "identifier", "id")
        constraints = (
            models.UniqueConstraint(
                name="theme_identifier_unique",
                fields=("type", "identifier"),
                violation_error_code="identifier_taken",
                violation_error_message="Another theme of this type has this identifier. Choose another.",
            ),
            models.CheckConstraint(name="theme_type_not_blank", condition=~models.Q(type="")),
            models.CheckConstraint(name="theme_identifier_not_blank", condition=~models.Q(identifier="")),
        )

    def __str__(self) -> str:
        return english_label(self.labels, self.identifier)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the theme and what is stored of its boards, all or nothing."""
        with transaction.atomic():
            stored = Theme.objects.filter(pk=self.pk).values_list("type", flat=True)
            before = None if self._state.adding else stored.first()
            super().save(*args, **kwargs)
            if before and before != self.type:
                type_changed.send(sender=Theme, theme=self, before=before)


class LabelRevision(models.Model):
    """One row that changes with every change of a theme or an auction system. Triggers of the database write it.

    A process that keeps labels in memory compares the token (themes.labels). It is random, so that a transaction which
    is rolled back never leaves a number behind that another change could get again.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    token = models.CharField(
        max_length=36, help_text="Another random text after each change of the themes or the auction systems."
    )

    def __str__(self) -> str:
        return self.token
