from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account
from config.api.errors import AlreadyImpersonating, PermissionRefused
from config.edge.routes import route_of
from config.values.request_id import request_id
from impersonation.models import Impersonation, ImpersonationEvent
from impersonation.querysets import ImpersonationQuerySet


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an event comes from: a request, or an operator's command, which has no method and no answer."""

    route: str
    method: str = ""
    status: int = 0

    @classmethod
    def of(cls, request: HttpRequest, status: int) -> "Origin":
        return cls(route_of(request), (request.method or "")[:16], status)


@transaction.atomic
def start(
    *, request: HttpRequest, actor: Account, subject: Account, reason: str, ticket: str = "", ttl: timedelta
) -> Impersonation:
    """AlreadyImpersonating when the actor has a live one; PermissionRefused for who may not be impersonated."""
    if subject.pk in (actor.pk, SYSTEM) or subject.is_staff or not subject.is_active:
        raise PermissionRefused(
            "Only an active member's account can be looked through, never one's own or staff's."
        )
    now = timezone.now()
    close_dead(actor, now)
    try:
        with transaction.atomic():
            impersonation = Impersonation.objects.create(
                actor=actor,
                subject=subject,
                reason=reason,
                ticket=ticket,
                started_at=now,
                expires_at=now + ttl,
            )
    except IntegrityError as error:
        raise AlreadyImpersonating from error
    record(ImpersonationEvent.Kind.STARTED, impersonation, Origin.of(request, 201))
    return impersonation


def close_dead(actor: Account, now: datetime) -> None:
    """End what only looks live: expired, or without its ground since the subject was promoted or switched off."""
    for left in Impersonation.objects.with_people().filter(actor=actor, ended_at__isnull=True):
        if not left.is_live(now):
            Impersonation.objects.filter(pk=left.pk).update(ended_at=min(now, left.expires_at))


@transaction.atomic
def stop(*, request: HttpRequest, actor: Account, impersonation_id: UUID) -> Impersonation:
    """End it, also when it has ended already: each stop is on the record. Http404 for one that is not the actor's."""
    own = Impersonation.objects.select_for_update().filter(actor=actor, pk=impersonation_id)
    impersonation = own.first()
    if impersonation is None:
        raise Http404
    if impersonation.ended_at is None:
        impersonation.ended_at = min(timezone.now(), impersonation.expires_at)
        impersonation.save(update_fields=["ended_at"])
    record(ImpersonationEvent.Kind.STOPPED, impersonation, Origin.of(request, 200))
    return impersonation


@transaction.atomic
def end(chosen: ImpersonationQuerySet, *, origin: Origin) -> int:
    """End those of the chosen that have not ended, whoever's they are; how many. Each leaves an event."""
    found = list(chosen.filter(ended_at__isnull=True).order_by("pk").select_for_update())
    now = timezone.now()
    for impersonation in found:
        impersonation.ended_at = min(now, impersonation.expires_at)
        record(ImpersonationEvent.Kind.STOPPED, impersonation, origin)
    Impersonation.objects.bulk_update(found, ["ended_at"], batch_size=500)
    return len(found)


def current(*, actor_id: str) -> Impersonation:
    """The actor's live one; Http404 without one."""
    now = timezone.now()
    running = Impersonation.objects.running(now).with_people().filter(actor_id=actor_id).first()
    if running is None or not running.is_live(now):
        raise Http404
    return running


def record(kind: ImpersonationEvent.Kind, impersonation: Impersonation, origin: Origin) -> None:
    """Leave an event, in the transaction of what it tells of."""
    ImpersonationEvent.objects.create(
        impersonation_id=impersonation.pk,
        kind=kind,
        actor_id=impersonation.actor_id,
        subject_id=impersonation.subject_id,
        method=origin.method,
        route=origin.route,
        status=origin.status,
        request_id=request_id.get(),
    )
