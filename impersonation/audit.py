"""The audit log of impersonations: what an event says, and how it is written."""

from dataclasses import dataclass
from typing import Self

from django.http import HttpRequest

from config.edge.security.security_log import log_change, route_of
from config.values.request_id import request_id
from impersonation.models import Impersonation, ImpersonationEvent


@dataclass(frozen=True, slots=True)
class AuditContext:
    """What caused an event: a request and its answer, or an operator's command, which has no method and no status.

    A start or an end is recorded in the transaction that makes it, before there is an answer: its `status` is that of
    a success. A refused one leaves no event.
    """

    route: str
    method: str = ""
    status: int = 0

    @classmethod
    def of_request(cls, request: HttpRequest, status: int) -> Self:
        return cls(route_of(request), (request.method or "")[:16], status)


def record(kind: ImpersonationEvent.Kind, impersonation: Impersonation, context: AuditContext) -> None:
    """Write an event. Call this inside the transaction of the change that it describes."""
    ImpersonationEvent.objects.create(
        impersonation_id=impersonation.pk,
        kind=kind,
        actor_id=impersonation.actor_id,
        subject_id=impersonation.subject_id,
        method=context.method,
        route=context.route,
        status=context.status,
        request_id=request_id.get(),
    )
    if kind != ImpersonationEvent.Kind.REQUEST:
        log_change(
            f"impersonation_{kind}",
            actor=impersonation.actor_id,
            subject=impersonation.subject_id,
            impersonation=str(impersonation.pk),
        )
