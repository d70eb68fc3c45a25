"""What is stored of published boards for their readers (decision 0015), and the events and their deals."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import JSONObject

from accounts.querysets import is_of_club
from boards.identity import MAX_SLUG_LENGTH, MAX_STAGE_LENGTH, UNNUMBERED, stage_key_of
from bridge import dates

if TYPE_CHECKING:
    from boards.models.board import Board


class PublishedBoard(models.Model):
    """What readers get of a published board: its JSON, and of which deal of which event it is a table.

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
    event_deal = models.ForeignKey(
        "boards.EventDeal",
        on_delete=models.PROTECT,
        null=True,
        related_name="boards",
        help_text="The deal of an event of which the board is a table. Null when it belongs to no event.",
    )

    def __str__(self) -> str:
        return str(self.board_id)

    @property
    def event_slug(self) -> str:
        """Return the slug of the event, "" without one. Select `event_deal` before."""
        return self.event_deal.event_id if self.event_deal else ""


SPELLING = ("name", "date", "site")


def spelling_of(event: str, date: str, site: str) -> dict[str, str]:
    """Return what an event is called by a board with these texts."""
    return dict(zip(SPELLING, (" ".join(event.split()), date, " ".join(site.split())), strict=True))


class EventQuerySet(models.QuerySet["Event"]):
    def with_boards(self) -> "EventQuerySet":
        """Leave out the events without published boards, which are shown nowhere."""
        return self.filter(Exists(PublishedBoard.objects.filter(event_deal__event=OuterRef("pk"))))

    def spell(self) -> None:
        """Spell each of these events as its first published board does: the club's first board, else the first of all.

        Upper and lower case and blanks are all in which its boards may differ. It takes a statement and one for each
        event that is called otherwise then.
        """
        club_first = models.Case(models.When(is_of_club("board__owner__"), then=0), default=1)
        boards = PublishedBoard.objects.filter(event_deal__event=OuterRef("pk"))
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


class EventDeal(models.Model):
    """A deal of an event, which has one row however many tables and accounts have it: a stage, a number and the cards.

    boards.catalogue.refreshing writes it when a board of it is published. It stays, and without a published board it is
    shown nowhere, as an event is: to delete it, publishers would have to lock it.
    """

    event = models.ForeignKey(
        Event,
        on_delete=models.CASCADE,
        related_name="deals",
        db_index=False,  # the constraint's index begins with it
        help_text="The event.",
    )
    stage_key = models.CharField(
        max_length=MAX_STAGE_LENGTH, blank=True, help_text="Sorts the stages of an event (boards.identity)."
    )
    board_number = models.PositiveIntegerField(
        help_text=f"The number of its boards, {UNNUMBERED} for boards without a number."
    )
    deal = models.ForeignKey("deals.Deal", on_delete=models.CASCADE, related_name="+", help_text="The cards.")

    class Meta:
        constraints = (
            models.UniqueConstraint(name="event_deal_once", fields=("event", "stage_key", "board_number", "deal")),
        )

    def __str__(self) -> str:
        return f"{self.event_id}, {self.stage_key}, {self.board_number}"

    @classmethod
    def of(cls, board: "Board") -> "EventDeal | None":
        """Return the deal that a board's own columns name, not stored, or None for a board of no event."""
        if not (slug := board.event_slug):
            return None
        number = board.board_number or UNNUMBERED
        return cls(event_id=slug, stage_key=stage_key_of(board.stage), board_number=number, deal_id=board.deal_id)

    @property
    def key(self) -> tuple[str, str, int, str]:
        """Return what tells it from others and sorts the deals of an event, as both databases read it."""
        return self.event_id, self.stage_key, self.board_number, self.deal_id.hex
