from django.conf import settings
from django.db import models

from boards.models import Board


class Vote(models.Model):
    """One account's vote on one board. Only voting.services writes it, with the board's counters."""

    class Value(models.TextChoices):
        UP = "up"
        DOWN = "down"

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="votes", help_text="Board that is voted on")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="votes", help_text="Account that votes"
    )
    value = models.CharField(max_length=4, choices=Value, help_text="Vote for or against the board")
    created_at = models.DateTimeField(auto_now_add=True, help_text="When the account first voted")
    updated_at = models.DateTimeField(auto_now=True, help_text="When the vote last changed")

    class Meta:
        ordering = ("-updated_at", "-id")
        constraints = (
            models.UniqueConstraint(name="vote_one_per_account_and_board", fields=("account", "board")),
            models.CheckConstraint(name="vote_value_known", condition=models.Q(value__in=("up", "down"))),
        )

    def __str__(self) -> str:
        return f"{self.account_id}: {self.value}"
