from typing import TYPE_CHECKING
from uuid import UUID

from django.db import models

if TYPE_CHECKING:
    from themes.models import Theme


class ThemeQuerySet(models.QuerySet["Theme"]):
    def ordered_by_type(self) -> "ThemeQuerySet":
        return self.order_by("type", "identifier", "id")

    def get_by_id_or_identifier(self, value: str) -> "Theme":
        """Return the one theme with this id or identifier. Raise DoesNotExist or MultipleObjectsReturned."""
        try:
            themes = self.filter(pk=UUID(value))
        except ValueError:  # several types may have a theme with this identifier
            themes = self.filter(identifier=value)[:2]
        if not themes:
            raise self.model.DoesNotExist(f"No theme has the id or identifier {value}.")
        if len(themes) > 1:
            raise self.model.MultipleObjectsReturned(
                f"Several themes have the identifier {value}. Give the id instead."
            )
        return themes[0]
