import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from impersonation.querysets import ImpersonationQuerySet


class Impersonation(models.Model):
    """One member of staff looking through one account's eyes, for a while, for a reason."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="impersonations"
    )
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="impersonated"
    )
    reason = models.CharField(max_length=500)
    ticket = models.CharField(max_length=100, blank=True)
    started_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Never extended")
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Stopped, or found expired")

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

    def is_live(self, now: datetime) -> bool:
        """Whether its row, its actor and its subject still allow it; needs actor and subject."""
        in_time = self.ended_at is None and now < self.expires_at
        allowed = self.actor.is_staff and self.actor.is_active
        return in_time and allowed and self.subject.is_active and not self.subject.is_staff


class EventPruning(models.Model):
    """A pruning under way: triggers let only events from before `until` be deleted, while there is such a row.

    It never outlives the transaction that deletes (impersonation.retention), so nobody else's sees it.
    """

    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"events until {self.until}"


class ImpersonationEvent(models.Model):
    """What happened under an impersonation. Never changed, and deleted by `prune` alone: triggers refuse all else.

    Plain ids, no foreign keys: the record outlives the accounts it names.
    """

    class Kind(models.TextChoices):
        STARTED = "started"
        STOPPED = "stopped"
        REQUEST = "request"

    impersonation_id = models.UUIDField(db_index=True)
    kind = models.CharField(max_length=8, choices=Kind)
    actor_id = models.CharField(max_length=255)
    subject_id = models.CharField(max_length=255)
    method = models.CharField(max_length=16)
    route = models.CharField(max_length=200)
    status = models.PositiveSmallIntegerField()
    request_id = models.CharField(max_length=128)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ("-created_at", "-id")

    def __str__(self) -> str:
        return f"{self.actor_id} as {self.subject_id}: {self.method} {self.route} {self.status}"
