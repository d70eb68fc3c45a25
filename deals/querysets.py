from django.db import models


class DealQuerySet(models.QuerySet):
    def newest_first(self) -> "DealQuerySet":
        return self.order_by("-created_at", "id")

    def from_source(self, name: str) -> "DealQuerySet":
        return self.filter(source_name=name) if name else self
