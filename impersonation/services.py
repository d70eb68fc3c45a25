from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest
from django.urls import Resolver404, resolve
from django.utils import timezone

from accounts.identifiers import SYSTEM
from accounts.models import Account
from config.api.errors import AlreadyImpersonating, PermissionRefused
from config.api.logs import request_id
from impersonation.models import Impersonation, ImpersonationEvent


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
    record(ImpersonationEvent.Kind.STARTED, impersonation, request, 201)
    return impersonation


def close_dead(actor: Account, now: datetime) -> None:
    """End what only looks live: expired, or without its ground since the subject was promoted or switched off."""
    for left in Impersonation.objects.with_people().filter(actor=actor, ended_at__isnull=True):
        if not left.is_live(now):
            Impersonation.objects.filter(pk=left.pk).update(ended_at=min(now, left.expires_at))


@transaction.atomic
def stop(*, request: HttpRequest, actor: Account, impersonation_id: UUID) -> Impersonation:
    """End it, also when it has ended already. Http404 for one that is not the actor's own."""
    own = Impersonation.objects.select_for_update().filter(actor=actor, pk=impersonation_id)
    impersonation = own.first()
    if impersonation is None:
        raise Http404
    if impersonation.ended_at is None:
        impersonation.ended_at = min(timezone.now(), impersonation.expires_at)
        impersonation.save(update_fields=["ended_at"])
        record(ImpersonationEvent.Kind.STOPPED, impersonation, request, 200)
    return impersonation


def current(*, actor_id: str) -> Impersonation:
    """The actor's live one; Http404 without one."""
    now = timezone.now()
    running = Impersonation.objects.running(now).with_people().filter(actor_id=actor_id).first()
    if running is None or not running.is_live(now):
        raise Http404
    return running


def record(
    kind: ImpersonationEvent.Kind, impersonation: Impersonation, request: HttpRequest, status: int
) -> None:
    """Leave an event, in the transaction of what it tells of."""
    ImpersonationEvent.objects.create(
        impersonation_id=impersonation.pk,
        kind=kind,
        actor_id=impersonation.actor_id,
        subject_id=impersonation.subject_id,
        method=(request.method or "")[:16],
        route=route_of(request),
        status=status,
        request_id=request_id.get(),
    )


def route_of(request: HttpRequest) -> str:
    """The pattern and not the path, also of a request that was refused before routing; "" for an unknown path."""
    try:
        return resolve(request.path_info).route
    except Resolver404:
        return ""
