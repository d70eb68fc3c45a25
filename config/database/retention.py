"""How long rows are kept, and the deletion of those that are older."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

BATCH = 1000


@dataclass(frozen=True, slots=True)
class Retention:
    """How long rows are kept: as many days as the setting says, 0 for ever. Without a setting it is always `days`.

    `expired(before)` finds the rows to delete. `delete(keys, before)`, where more is to be done than to delete a batch
    of them, does so inside a transaction and returns how many it deleted. `label` is what `prune` calls the rows.
    """

    label: str
    setting: str
    expired: Callable[[datetime], QuerySet]
    delete: Callable[[list[Any], datetime], int] | None = None
    days: int = 0

    def before(self) -> datetime | None:
        """Return the moment before which rows are expired, or None when they are kept for ever."""
        days = getattr(settings, self.setting) if self.setting else self.days
        return timezone.now() - timedelta(days=days) if days > 0 else None


RETENTIONS: list[Retention] = []
"""What `prune` deletes. Apps add theirs when they are loaded."""


def count_expired(retention: Retention) -> int:
    before = retention.before()
    return retention.expired(before).count() if before else 0


def prune(retention: Retention) -> Iterator[int]:
    """Delete expired rows in batches, each in its own transaction to hold no lock for long. Yield each batch's size."""
    before = retention.before()
    if before is None:
        return
    expired = retention.expired(before)
    while keys := list(expired.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            yield retention.delete(keys, before) if retention.delete else expired.filter(pk__in=keys).delete()[0]
