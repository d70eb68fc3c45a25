"""What the solver says of a board's cards beside the table of its deal: of the play, and of what could be played."""

from typing import Any

from django.db import models
from django.utils import timezone

from deals.models import SolverStatus

MAX_TRACE = 53
"""A digit before each card, and one after the last."""


class SolverAnswer(models.Model):
    """An answer of the solver's about a board, and how far it is. A row that is `pending` waits for the worker.

    `question` tells whether the answer is about the board as it is now: boards.analysis makes it, and a board
    whose cards, contract or play change gets a new row.
    """

    status = models.CharField(
        max_length=16,
        choices=SolverStatus,
        default=SolverStatus.PENDING,
        help_text="Pending rows are the worker's list. Unavailable: the worker has no solver.",
    )
    question = models.CharField(max_length=32, help_text="A hash of the cards, the contract and the play.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="How often the solver failed on this row alone.")
    claimed_until = models.DateTimeField(
        null=True, help_text="When the lease of the worker that computes the answer expires."
    )
    asked_at = models.DateTimeField(default=timezone.now, help_text="When the answer was first wanted.")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.pk}: {self.status}"


def queue_index(name: str) -> models.Index:
    """Return the index of a queue: the rows that are pending, by their age."""
    return models.Index(name=name, fields=("asked_at",), condition=models.Q(status="pending"))


def stored_when_done(column: str) -> Any:
    return models.Q(status="done") & ~models.Q(**{column: ""}) | ~models.Q(status="done") & models.Q(**{column: ""})


class PlayAnalysis(SolverAnswer):
    """Declarer's tricks at each moment of a board's play, with all cards seen. A board without a lead has none."""

    board = models.OneToOneField(
        "boards.Board",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="analysis",
        help_text="The board whose play it is.",
    )
    trace = models.CharField(
        max_length=MAX_TRACE,
        blank=True,
        help_text="A hexadecimal digit before each card and one after the last (bridge.play_analysis).",
    )

    class Meta:
        indexes = (queue_index("play_to_analyse"),)
        constraints = (models.CheckConstraint(name="play_trace_when_done", condition=stored_when_done("trace")),)


class CardCosts(SolverAnswer):
    """What each card costs that could be played, at each moment of a board's play. Computed when a reader asks."""

    board = models.OneToOneField(
        "boards.Board",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="card_costs",
        help_text="The board whose cards they are.",
    )
    costs = models.TextField(
        blank=True,
        help_text="A hexadecimal digit for each card, and a full stop between moments (bridge.play_analysis).",
    )

    class Meta:
        verbose_name_plural = "card costs"
        indexes = (queue_index("costs_to_find"),)
        constraints = (models.CheckConstraint(name="costs_when_done", condition=stored_when_done("costs")),)
