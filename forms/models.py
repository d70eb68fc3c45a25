import uuid

from django.conf import settings
from django.db import models


class Submission(models.Model):
    """What a visitor sent with one of the public forms."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    form = models.SlugField(max_length=32, db_index=True, editable=False)
    data = models.JSONField(editable=False)
    language = models.CharField(
        max_length=35, editable=False, help_text="To answer in (BCP 47): the first the browser asked for"
    )
    client = models.CharField(
        max_length=64, editable=False, help_text="Keyed hash of the address: the same for the same"
    )
    is_suspected = models.BooleanField(
        default=False, editable=False, help_text="A robot's, by the look of it"
    )
    request_id = models.CharField(max_length=128, editable=False)
    fresh_key = models.CharField(  # noqa: DJ001  (NULLs may repeat in a unique column, "" may not)
        max_length=64,
        unique=True,
        null=True,
        editable=False,
        help_text="Of client and content, while a repeat counts as this one",
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    handled_at = models.DateTimeField(null=True, blank=True, editable=False)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return f"{self.form} of {self.created_at:%Y-%m-%d %H:%M}"
