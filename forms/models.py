import uuid

from django.conf import settings
from django.db import models
from django.utils.formats import localize

from config.values.languages import MAX_TAG_LENGTH
from config.values.request_id import MAX_REQUEST_ID_LENGTH
from forms.querysets import IS_WAITING, SubmissionQuerySet


class Submission(models.Model):
    """What a visitor sent with one of the public forms."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    form = models.SlugField(
        max_length=32, db_index=True, editable=False, help_text="Name of the form, as in its address"
    )
    data = models.JSONField(editable=False, help_text="The form's fields as the visitor filled them in")
    language = models.CharField(
        max_length=MAX_TAG_LENGTH,
        editable=False,
        help_text="Language to answer in (BCP 47): the first that the visitor's browser accepts",
    )
    client = models.CharField(
        max_length=64,
        editable=False,
        help_text="Keyed hash of the visitor's network: equal for equal networks, and not reversible",
    )
    is_suspected = models.BooleanField(default=False, editable=False, help_text="Whether a robot seems to have sent it")
    request_id = models.CharField(
        max_length=MAX_REQUEST_ID_LENGTH, editable=False, help_text="X-Request-Id of the request, as in the logs"
    )
    fresh_key = models.CharField(  # noqa: DJ001  (NULLs may repeat in a unique column, "" may not)
        max_length=64,
        unique=True,
        null=True,
        editable=False,
        help_text="Hash of client and content, as long as a repeat counts as the same submission",
    )
    created_at = models.DateTimeField(
        auto_now_add=True, db_index=True, help_text="When the service stored the submission"
    )
    handled_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When somebody marked it as handled"
    )
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text="Member of staff who marked it as handled",
    )

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        verbose_name = "message"
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(
                name="submission_waiting",
                fields=("is_suspected", "-created_at", "id"),
                condition=models.Q(handled_at__isnull=True),
            ),
            # The order of the list in the admin: what waits, then what was handled, the newest first.
            models.Index(
                IS_WAITING.desc(),
                models.F("created_at").desc(),
                "id",
                name="submission_inbox",
                condition=models.Q(is_suspected=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.form} of {localize(self.created_at)}"
