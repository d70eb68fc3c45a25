"""Who impersonated whom. When a person is erased, running ones end, their reasons go, and the audit log stays with
plain ids.
"""

from datetime import datetime

from django.db.models import Q

from accounts.models import Account
from accounts.personal_data import PersonalData, register
from config.database.retention import Retention
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.models import EventPruning, Impersonation, ImpersonationEvent


def end_impersonations(account: Account) -> int:
    """End those that run, and delete of all what was written about the person, or by them. Return how many changed."""
    involving = Impersonation.objects.involving(account)
    services.end(involving, context=AuditContext("the account was erased"))
    return involving.exclude(reason="", ticket="").update(reason="", ticket="")


def delete_events(keys: list[int], before: datetime) -> int:
    """Delete events. Call this inside a transaction: the trigger allows only events from before the row's `until`."""
    pruning = EventPruning.objects.create(until=before)
    deleted, _ = ImpersonationEvent.objects.filter(pk__in=keys).delete()
    pruning.delete()
    return deleted


register(
    PersonalData(
        "impersonations",
        Impersonation.objects.involving,
        "impersonations ended and their reasons deleted",
        end_impersonations,
        Retention(
            "impersonations",
            "EVENT_RETENTION_DAYS",
            lambda before: Impersonation.objects.filter(expires_at__lt=before),
        ),
    ),
    PersonalData(
        "impersonationEvents",
        lambda account: ImpersonationEvent.objects.filter(Q(actor_id=account.pk) | Q(subject_id=account.pk)),
        retention=Retention(
            "impersonation events",
            "EVENT_RETENTION_DAYS",
            lambda before: ImpersonationEvent.objects.filter(created_at__lt=before),
            delete_events,
        ),
    ),
)
