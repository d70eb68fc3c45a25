from django.db import models

from boards.identity import MAX_SLUG_LENGTH
from bridge import dates


class Event(models.Model):
    """The name, date and site behind a slug, such as one evening of a club.

    boards.events.storing writes it when a board of the event is published. An event whose boards are all gone keeps its
    row and is shown nowhere.
    """

    slug = models.CharField(
        max_length=MAX_SLUG_LENGTH, primary_key=True, help_text="The name in addresses (boards.identity)."
    )
    name = models.CharField(max_length=200, help_text="The tournament or match, such as Friday pairs.")
    date = models.CharField(
        max_length=40, blank=True, help_text="In PBN notation: 2026.11.21. Unknown parts are question marks."
    )
    site = models.CharField(max_length=200, blank=True, help_text="Where the event was held.")
    day = models.CharField(max_length=10, blank=True, help_text="The date as lists sort it: unknown parts are zeros.")

    class Meta:
        indexes = (models.Index(name="event_newest", fields=("-day", "name", "slug")),)

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.name, self.date_in_words, self.site)))

    @property
    def date_in_words(self) -> str:
        return dates.in_words(self.date)
