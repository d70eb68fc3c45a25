"""The rankings that files give of events."""

from collections.abc import Collection, Mapping

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.identifiers import SYSTEM
from boards.identity import MAX_STAGE_LENGTH
from boards.models.catalogue import Event, PublishedBoard


def boards_of_owner() -> models.QuerySet[PublishedBoard]:
    """Return the published boards of the account of a ranking, as a subquery."""
    return PublishedBoard.objects.filter(board__owner=OuterRef("owner_id"))


class EventRankingQuerySet(models.QuerySet["EventRanking"]):
    def without_boards(self) -> "EventRankingQuerySet":
        """Return those whose accounts have no published board of the event."""
        return self.exclude(Exists(boards_of_owner().filter(event_deal__event=OuterRef("event_id"))))

    def follow_boards(self, slugs: Collection[str], moves: Mapping[str, str]) -> None:
        """Delete the rankings of these events whose accounts have no published board there any more.

        Where the last boards have moved on to one other event, as when staff correct its name, the ranking goes along,
        unless there is one. Call it in the transaction in which boards have left the events. The rankings are locked
        first: of two requests that withdraw the last two boards at once, the second then sees what the first has done.
        """
        rankings = self.filter(event__in=slugs).order_by("pk")
        locked = list(rankings.select_for_update().values_list("pk", flat=True))
        left = self.filter(pk__in=locked).without_boards()
        for old, new in moves.items() if locked else ():
            same = self.filter(event=new, stage_key=OuterRef("stage_key"), owner=OuterRef("owner_id"))
            moved = left.filter(Exists(boards_of_owner().filter(event_deal__event=new)), event=old)
            moved.exclude(Exists(same)).update(event_id=new)
        if locked:
            left.delete()


class EventRanking(models.Model):
    """The ranking that a file gives of an event, or of a stage of it. A later file of the same account replaces it.

    It is about pairs and teams, and names no player. boards.events.file_rankings writes it and says where it is shown.
    It goes in the transaction in which its account's last published board leaves the event: along with it, or away.
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

    objects = EventRankingQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(name="event_ranking_once", fields=("event", "stage_key", "owner")),)
        ordering = ("-updated_at", "id")

    def __str__(self) -> str:
        return f"Ranking of {self.event}"


def leave_events(slugs: Collection[str], moves: Mapping[str, str] | None = None) -> None:
    """Delete and spell anew what depends on the boards that have left these events. Call it in their transaction.

    `moves` has those events of which all that left went to one other event, and that event.
    """
    if slugs:
        EventRanking.objects.follow_boards(slugs, moves or {})
        Event.objects.filter(pk__in=slugs).spell()
