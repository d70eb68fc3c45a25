from django.db import models

from boards.models.board import Board


class BoardOfTheDay(models.Model):
    """The board that everybody is shown on a day. The worker chooses it once, early on that day (boards.services.days).

    A board that is deleted takes its day with it, and one that is unpublished is not shown.
    """

    day = models.DateField(primary_key=True, help_text="The day, in UTC.")
    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, related_name="days", help_text="The board that was chosen."
    )

    class Meta:
        verbose_name_plural = "boards of the day"

    def __str__(self) -> str:
        return f"{self.day}: {self.board_id}"
