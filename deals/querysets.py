from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from deals.models import Deal


class DealQuerySet(models.QuerySet["Deal"]):
    def newest_first(self) -> "DealQuerySet":
        return self.order_by("-created_at", "id")

    def from_source(self, name: str) -> "DealQuerySet":
        """Filter by the source's exact name. A blank name filters nothing."""
        return self.filter(source_name=name) if name else self
