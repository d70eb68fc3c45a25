"""What readers answered on the pages to practise with: how many gave which answer, and nothing of who or when."""

from django.db import models


class PracticeAnswer(models.Model):
    """How often an answer was given to a question about a board.

    `question` tells what was known when it was asked (boards.practice makes it), so that a board whose
    auction changes begins again.
    """

    board = models.ForeignKey(
        "boards.Board",
        on_delete=models.CASCADE,
        db_index=False,  # the constraint's index begins with it
        related_name="practice_answers",
        help_text="The board that was practised.",
    )
    question = models.CharField(
        max_length=32, help_text="A hash of dealer, vulnerability, the reader's hand and the calls so far."
    )
    answer = models.CharField(max_length=4, help_text="A call such as 1NT or Pass, or an opening lead such as HK.")
    count = models.PositiveIntegerField(default=1, help_text="How often it was given.")

    class Meta:
        constraints = (models.UniqueConstraint(name="practice_answer_once", fields=("board", "question", "answer")),)

    def __str__(self) -> str:
        return f"{self.answer}: {self.count}"
