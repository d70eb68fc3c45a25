"""What is stored of published boards for their readers (decision 0015)."""

from django.db import models

from boards.events.identity import MAX_POSITION_LENGTH, MAX_SLUG_LENGTH

MAX_FACET_LENGTH = 300
"""Characters: the name of a filter and the longest value that one has, an account's id."""


class PublishedBoard(models.Model):
    """What readers get of a published board: its JSON, and the lists that it stands in.

    boards.catalogue.refreshing writes the row in the transaction that changes the board. Triggers of the database keep
    BoardFacet, FacetCount and PageMark equal to these rows. A draft has no row.
    """

    board = models.OneToOneField(
        "boards.Board",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="published",
        help_text="The board that is published.",
    )
    published_at = models.DateTimeField(help_text="The board's own published_at.")
    facets = models.JSONField(
        help_text='The lists that have the board: ["all", "dealer:N", …] (boards.catalogue.facets).'
    )
    json = models.TextField(
        blank=True,
        help_text="The board as JSON, but for votes, labels and addresses (boards.catalogue.stored_json).",
    )
    json_format = models.PositiveIntegerField(
        default=0,
        help_text="The digest of what made the row (boards.catalogue.stored_json). 0: there is no JSON yet.",
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
        help_text="Sorts the deals of an event (boards.events.identity). All tables of a deal have the same.",
    )

    class Meta:
        indexes = (models.Index(name="published_of_event", fields=("event_slug", "event_position")),)

    def __str__(self) -> str:
        return str(self.board_id)


class BoardFacet(models.Model):
    """A published board in one list, such as "dealer:N", in the order in which lists show it. Written by triggers."""

    pk = models.CompositePrimaryKey("facet", "published_at", "board_id")
    facet = models.CharField(max_length=MAX_FACET_LENGTH, help_text="The name of the list.")
    published_at = models.DateTimeField(help_text="The board's own published_at.")
    board_id = models.UUIDField(help_text="The board. Its row in PublishedBoard takes this one along.")

    def __str__(self) -> str:
        return f"{self.facet}: {self.board_id}"


class FacetCount(models.Model):
    """How many published boards stand in two lists at once. Written by triggers; the sum of a pair's rows counts.

    The two are in alphabetical order. A pair with "all" counts the boards of one list, and "all" with itself all
    boards. PostgreSQL may hold several rows of a pair: a transaction adds one where another transaction has locked the
    rows that exist, so that nobody waits.
    """

    facet = models.CharField(max_length=MAX_FACET_LENGTH, help_text="The first list.")
    other = models.CharField(max_length=MAX_FACET_LENGTH, help_text="The second list.")
    boards = models.IntegerField(help_text="The number of boards, or a part of it.")

    class Meta:
        indexes = (models.Index(name="facet_count_of_pair", fields=("facet", "other")),)

    def __str__(self) -> str:
        return f"{self.facet}, {self.other}: {self.boards}"


class PageMark(models.Model):
    """A position in the list of all published boards, counted from the oldest: deep pages are read from the next one.

    boards.catalogue.marks adds them; a trigger moves them when older boards come or go. Only PostgreSQL has any.
    """

    published_at = models.DateTimeField(
        primary_key=True, help_text="The mark counts the boards that were published then or earlier."
    )
    position = models.PositiveIntegerField(db_index=True, help_text="The number of these boards.")

    def __str__(self) -> str:
        return f"{self.position}: {self.published_at}"
