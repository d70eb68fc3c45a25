"""What is stored of published boards for their readers (decision 0015), and the names of events."""

from django.db import models

from boards.identity import MAX_POSITION_LENGTH, MAX_SLUG_LENGTH
from bridge import dates


class PublishedBoard(models.Model):
    """What readers get of a published board: its JSON, and where it stands in its event.

    boards.catalogue.refreshing writes the row in the transaction that changes the board. A draft has no row.
    """

    board = models.OneToOneField(
        "boards.Board",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="published",
        help_text="The board that is published.",
    )
    json = models.TextField(
        blank=True, help_text="The board as JSON, but for votes, labels and addresses (boards.catalogue.stored_json)."
    )
    json_format = models.PositiveIntegerField(
        default=0, help_text="The digest of what made the row (boards.catalogue.stored_json). 0: there is no JSON yet."
    )
    event_slug = models.CharField(
        max_length=MAX_SLUG_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="The event that the board belongs to. Blank when it belongs to none.",
    )
    event_position = models.CharField(
        max_length=MAX_POSITION_LENGTH,
        blank=True,
        default="",
        db_default="",
        help_text="Sorts the deals of an event (boards.identity). All tables of a deal have the same.",
    )

    class Meta:
        indexes = (models.Index(name="published_of_event", fields=("event_slug", "event_position")),)

    def __str__(self) -> str:
        return str(self.board_id)


class Event(models.Model):
    """The name, date and site behind a slug, such as one evening of a club.

    boards.events.reading writes it when a board of the event is published, or a ranking comes in. An event without
    published boards is shown nowhere.
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
