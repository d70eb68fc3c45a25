"""The rankings that files give of events."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.identifiers import SYSTEM
from boards.identity import MAX_STAGE_LENGTH
from boards.models.catalogue import Event


class EventRanking(models.Model):
    """The ranking that a file gives of an event, or of a stage of it. A later file of the same account replaces it.

    It is about pairs and teams, and names no player. boards.events.file_rankings writes it and says where it is shown.
    """

    class Unit(models.TextChoices):
        MATCHPOINTS = "MP", "matchpoints"
        IMPS = "IMP", "IMPs"
        VICTORY_POINTS = "VP", "VPs"
        POINTS = "", "points"

    event = models.ForeignKey(
        Event,
        on_delete=models.CASCADE,
        related_name="file_rankings",
        db_index=False,  # the constraint's index begins with it
        help_text="The event.",
    )
    stage_key = models.CharField(
        max_length=MAX_STAGE_LENGTH, blank=True, help_text="The stage (boards.identity), empty for the whole event."
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        default=SYSTEM,
        related_name="event_rankings",
        help_text="The account whose boards of the event came with it.",
    )
    unit = models.CharField(max_length=3, blank=True, choices=Unit.choices, help_text="What the points are.")
    places = models.JSONField(help_text="Lists of rank, pair, side, boards, points and percentage, as in GivenPlace.")
    updated_at = models.DateTimeField(default=timezone.now, help_text="When a file has last given it.")

    class Meta:
        constraints = (models.UniqueConstraint(name="event_ranking_once", fields=("event", "stage_key", "owner")),)
        ordering = ("-updated_at", "id")

    def __str__(self) -> str:
        return f"Ranking of {self.event}"
