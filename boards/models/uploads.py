import uuid
from io import BytesIO

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.identifiers import SYSTEM

MAX_NAME_LENGTH = 100


class Upload(models.Model):
    """A file between its preview and its import. It is deleted by the import, or when it is a day old."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    uploader = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="uploads",
        help_text="The only account that may look at the file and import it.",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        default=SYSTEM,
        related_name="+",
        help_text="The account that owns the boards, and may see those that are drafts.",
    )
    name = models.CharField(max_length=MAX_NAME_LENGTH, help_text="The name that the file has at its uploader's.")
    content = models.BinaryField(help_text="The file.")
    renumbered = models.BooleanField(
        default=False, help_text="Dealer and vulnerability are not held against the board numbers."
    )
    preview = models.JSONField(
        null=True,
        help_text="What the worker says of a large file: how many records it has read, then what an import would do.",
    )
    created_at = models.DateTimeField(default=timezone.now, db_index=True, help_text="When it was uploaded.")

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return self.name

    def open(self) -> BytesIO:
        return BytesIO(self.content)
