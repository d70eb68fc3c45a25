"""What is stored of published boards for their readers (decision 0015), and the names of events."""

from django.db import models
from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import JSONObject

from accounts.querysets import is_of_club
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


SPELLING = ("name", "date", "site")


def spelling_of(event: str, date: str, site: str) -> dict[str, str]:
    """Return what an event is called by a board with these texts."""
    return dict(zip(SPELLING, (" ".join(event.split()), date, " ".join(site.split())), strict=True))


class EventQuerySet(models.QuerySet["Event"]):
    def with_boards(self) -> "EventQuerySet":
        """Leave out the events without published boards, which are shown nowhere."""
        return self.filter(Exists(PublishedBoard.objects.filter(event_slug=OuterRef("pk"))))

    def spell(self) -> None:
        """Spell each of these events as its first published board does: the club's first board, else the first of all.

        Upper and lower case and blanks are all in which its boards may differ. It takes a statement and one for each
        event that is called otherwise then.
        """
        club_first = models.Case(models.When(is_of_club("board__owner__"), then=0), default=1)
        boards = PublishedBoard.objects.filter(event_slug=OuterRef("pk"))
        in_order = boards.order_by(club_first, "board__published_at", "board_id")
        texts = JSONObject(event="board__event", date="board__date", site="board__site")
        events = self.order_by("pk").annotate(first=Subquery(in_order.values(texts=texts)[:1]))
        for slug, first, *stored in events.values_list("pk", "first", *SPELLING):
            spelling = spelling_of(**first) if first else None
            if spelling and [*spelling.values()] != stored:
                self.filter(pk=slug).update(**spelling)


class Event(models.Model):
    """The name, date and site behind a slug, such as one evening of a club.

    boards.catalogue.refreshing writes it when a board of the event is published, never for a draft. An event without
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

    objects = EventQuerySet.as_manager()

    class Meta:
        indexes = (models.Index(name="event_newest", fields=("-day", "name", "slug")),)

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.name, self.date_in_words, self.site)))

    @property
    def spelling(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in SPELLING}

    @property
    def date_in_words(self) -> str:
        return dates.in_words(self.date)
