import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from config.values.identifiers import MAX_ACCOUNT_ID_LENGTH
from config.values.request_id import MAX_REQUEST_ID_LENGTH
from impersonation.querysets import ImpersonationQuerySet


class Impersonation(models.Model):
    """One member of staff (the actor) impersonates one account (the subject), for a limited time and a reason."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="impersonations",
        help_text="Member of staff who impersonates",
    )
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="impersonated",
        help_text="Account that is impersonated",
    )
    reason = models.CharField(max_length=500, help_text="Why the actor needs it, in the actor's words")
    ticket = models.CharField(max_length=100, blank=True, help_text="Support ticket, if there is one")
    actor_rights_version = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="The actor's rights_version when it started"
    )
    subject_rights_version = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="The subject's rights_version when it started"
    )
    started_at = models.DateTimeField(help_text="When the impersonation started")
    expires_at = models.DateTimeField(help_text="When it ends at the latest. It is never extended")
    ended_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was stopped, or expired. Empty while it runs"
    )

    objects = ImpersonationQuerySet.as_manager()

    class Meta:
        ordering = ("-started_at", "id")
        constraints = (
            models.UniqueConstraint(
                name="impersonation_one_live_per_actor", fields=("actor",), condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(name="impersonation_of_somebody_else", condition=~Q(actor=F("subject"))),
        )

    def __str__(self) -> str:
        return f"{self.actor_id} as {self.subject_id}"

    def is_valid_at(self, now: datetime) -> bool:
        """Tell whether it is running and both accounts have allowed it ever since. Fetch it `with_people()`.

        An account that was suspended for a moment, before the impersonation was stored even, has another version.
        """
        is_running = self.ended_at is None and now < self.expires_at
        actor_may = self.actor.is_staff and self.actor.is_active
        subject_may = self.subject.is_active and not self.subject.is_staff
        versions = self.actor.rights_version, self.subject.rights_version
        are_unchanged = versions == (self.actor_rights_version, self.subject_rights_version)
        return is_running and actor_may and subject_may and are_unchanged

    def end(self, now: datetime) -> None:
        """End it for good, unless it has ended: then its time of ending stays."""
        unended = Impersonation.objects.filter(pk=self.pk, ended_at__isnull=True)
        unended.update(ended_at=min(now, self.expires_at))


class EventPruning(models.Model):
    """The permission to delete events: while there is such a row, triggers allow deleting events from before `until`.

    The row never outlives the transaction that deletes (impersonation.personal_data), so no other transaction sees it.
    """

    until = models.DateTimeField(help_text="Only events from before this time may be deleted")

    def __str__(self) -> str:
        return f"events until {self.until}"


class ImpersonationEvent(models.Model):
    """One entry of the audit log. Triggers refuse every change, and every deletion except that by `prune`.

    It has plain ids and no foreign keys, since the log outlives the accounts that it names.
    """

    class Kind(models.TextChoices):
        STARTED = "started"
        STOPPED = "stopped"
        REQUEST = "request"

    impersonation_id = models.UUIDField(db_index=True, help_text="Id of the impersonation")
    kind = models.CharField(max_length=8, choices=Kind, help_text="What happened")
    actor_id = models.CharField(max_length=MAX_ACCOUNT_ID_LENGTH, help_text="Id of the account that impersonates")
    subject_id = models.CharField(max_length=MAX_ACCOUNT_ID_LENGTH, help_text="Id of the account that is impersonated")
    method = models.CharField(max_length=16, help_text="HTTP method. Empty for a command")
    route = models.CharField(max_length=200, help_text="URL pattern of the request, or the command")
    status = models.PositiveSmallIntegerField(help_text="HTTP status of the answer. 0 for a command")
    request_id = models.CharField(
        max_length=MAX_REQUEST_ID_LENGTH, help_text="X-Request-Id of the request, as in the logs"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True, help_text="When it happened")

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.actor_id} as {self.subject_id}: {self.method} {self.route} {self.status}"
