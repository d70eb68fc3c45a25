from typing import TYPE_CHECKING
from uuid import UUID

from django.db import models

if TYPE_CHECKING:
    from themes.models import Theme


class ThemeQuerySet(models.QuerySet["Theme"]):
    def ordered_by_type(self) -> "ThemeQuerySet":
        return self.order_by("type", "identifier", "id")

    def with_id_or_identifier(self, value: str) -> "ThemeQuerySet":
        """Return the theme with this id, or the themes with this identifier, which several types may share."""
        try:
            return self.filter(pk=UUID(value))
        except ValueError:
            return self.filter(identifier=value)

    def get_by_id_or_identifier(self, value: str) -> "Theme":
        """Return the one theme with this id or identifier. Raise DoesNotExist or MultipleObjectsReturned."""
        themes = self.with_id_or_identifier(value)[:2]
        if not themes:
            raise self.model.DoesNotExist(f"No theme has the id or identifier {value}.")
        if len(themes) > 1:
            raise self.model.MultipleObjectsReturned(
                f"Several themes have the identifier {value}. Give the id instead."
            )
        return themes[0]
