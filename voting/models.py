from django.conf import settings
from django.db import models

from boards.models import Board


class Vote(models.Model):
    """What an account thinks of a board. The board's counters are kept in step by voting.services alone."""

    class Value(models.TextChoices):
        UP = "up"
        DOWN = "down"

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="votes")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="votes")
    value = models.CharField(max_length=4, choices=Value)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-updated_at", "-id")
        constraints = (
            models.UniqueConstraint(name="vote_one_per_account_and_board", fields=("account", "board")),
            models.CheckConstraint(name="vote_value_known", condition=models.Q(value__in=("up", "down"))),
        )

    def __str__(self) -> str:
        return f"{self.account_id}: {self.value}"
