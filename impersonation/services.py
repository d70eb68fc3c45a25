from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account
from config.api.errors import AlreadyImpersonating, PermissionRefused
from config.database.transactions import retried_transaction
from impersonation.audit import AuditContext, record
from impersonation.models import Impersonation, ImpersonationEvent
from impersonation.querysets import ImpersonationQuerySet


@retried_transaction
def start(
    *, actor: Account, subject: Account, reason: str, ticket: str = "", ttl: timedelta, context: AuditContext
) -> Impersonation:
    """Start an impersonation and record it.

    Raise PermissionRefused for a subject that nobody may impersonate, and AlreadyImpersonating when the actor has an
    impersonation that is still valid.
    """
    if subject.pk in (actor.pk, SYSTEM) or subject.is_staff or not subject.is_active:
        raise PermissionRefused("You can impersonate only active members, not yourself or other staff.")
    now = timezone.now()
    end_invalid(Impersonation.objects.filter(actor=actor), now)
    try:
        with transaction.atomic():
            impersonation = Impersonation.objects.create(
                actor=actor,
                subject=subject,
                actor_rights_version=actor.rights_version,
                subject_rights_version=subject.rights_version,
                reason=reason,
                ticket=ticket,
                started_at=now,
                expires_at=now + ttl,
            )
    except IntegrityError as error:
        raise AlreadyImpersonating from error
    record(ImpersonationEvent.Kind.STARTED, impersonation, context)
    return impersonation


def end_invalid(impersonations: ImpersonationQuerySet, now: datetime) -> None:
    """End those that are no longer valid, for good: they do not revive when their accounts allow it again."""
    for impersonation in impersonations.with_people().filter(ended_at__isnull=True):
        if not impersonation.is_valid_at(now):
            impersonation.end(now)


@retried_transaction
def stop(*, actor: Account, impersonation_id: UUID, context: AuditContext) -> Impersonation:
    """End an impersonation and record each stop, also when it has ended already. Raise Http404 for another actor's."""
    own = Impersonation.objects.select_for_update().filter(actor=actor)
    impersonation: Impersonation = get_object_or_404(own, pk=impersonation_id)
    impersonation.end(timezone.now())
    record(ImpersonationEvent.Kind.STOPPED, impersonation, context)
    return impersonation


@retried_transaction
def end(impersonations: ImpersonationQuerySet, *, context: AuditContext) -> int:
    """End all that have not ended, by any actor, and record each. Return how many were ended."""
    unended = list(impersonations.filter(ended_at__isnull=True).order_by("pk").select_for_update())
    now = timezone.now()
    for impersonation in unended:
        impersonation.ended_at = min(now, impersonation.expires_at)
        record(ImpersonationEvent.Kind.STOPPED, impersonation, context)
    Impersonation.objects.bulk_update(unended, ["ended_at"], batch_size=500)
    return len(unended)


def get_current(*, actor_id: str) -> Impersonation:
    """Return the actor's valid impersonation. Raise Http404 when there is none. End one that is no longer valid."""
    now = timezone.now()
    running: Impersonation = get_object_or_404(Impersonation.objects.running(now).with_people(), actor_id=actor_id)
    if not running.is_valid_at(now):
        running.end(now)
        raise Http404
    return running
