"""How long the record of impersonations is kept."""

from datetime import datetime

from django.db.models import QuerySet

from config.api.retention import Rule, keeps
from impersonation.models import EventPruning, ImpersonationEvent


def past(until: datetime) -> QuerySet[ImpersonationEvent]:
    return ImpersonationEvent.objects.filter(created_at__lt=until)


def delete(keys: list[int], until: datetime) -> int:
    """Call inside a transaction. The trigger lets go what is older than the row that stands here meanwhile."""
    pruning = EventPruning.objects.create(until=until)
    deleted, _ = ImpersonationEvent.objects.filter(pk__in=keys).delete()
    pruning.delete()
    return deleted


keeps(Rule("impersonation events", "EVENT_RETENTION_DAYS", past, delete))
