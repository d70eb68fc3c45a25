from collections.abc import Collection
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import models

if TYPE_CHECKING:
    from themes.models import Theme


class ThemeQuerySet(models.QuerySet["Theme"]):
    def of_types(self, types: Collection[str]) -> "ThemeQuerySet":
        """Those of the types; all of them when none is named."""
        return self.filter(type__in=types) if types else self

    def in_order(self) -> "ThemeQuerySet":
        return self.order_by("type", "identifier", "id")

    def named(self, name: str) -> "ThemeQuerySet":
        """By id or by identifier, which several types may share."""
        try:
            return self.filter(pk=UUID(name))
        except ValueError:
            return self.filter(identifier=name)
