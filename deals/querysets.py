from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from deals.models import Deal


class DealQuerySet(models.QuerySet["Deal"]):
    def newest_first(self) -> "DealQuerySet":
        return self.order_by("-created_at", "id")

    def read_after(self, moment: datetime, deal_id: UUID, limit: int) -> "list[Deal]":
        """Return a number of deals that follow a sort key in the order of `newest_first`.

        Two ranges of its index: under one condition the database would walk through all deals of the same moment.
        """
        ordered = self.newest_first()
        same_moment = list(ordered.filter(created_at=moment, pk__gt=deal_id)[:limit])
        return same_moment + list(ordered.filter(created_at__lt=moment)[: limit - len(same_moment)])

    def from_source(self, name: str) -> "DealQuerySet":
        """Filter by the source's exact name. A blank name filters nothing."""
        return self.filter(source_name=name) if name else self

    def raise_priority(self, priority: int) -> int:
        """Put these deals in front of their priority on the worker's list. One with a higher priority keeps it."""
        lower = models.Q(solver_priority__isnull=True) | models.Q(solver_priority__lte=priority)
        return self.filter(lower).update(solver_priority=priority, wanted_at=timezone.now())
