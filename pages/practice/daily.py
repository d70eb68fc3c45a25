"""The board of the day as a question: the first call of the seat that is asked, answered on the page that asks it."""

from datetime import UTC, datetime
from typing import Any

from boards.models import BoardOfTheDay
from boards.records import record_of
from bridge.dates import in_words, write
from bridge.replay import calls_of, next_caller
from pages.practice.pages import Moment, student_of
from pages.practice.quiz import Question, read_counts
from pages.presenters.boards import PracticeDetail


class Day(PracticeDetail):
    """A day with its board, as the reader sees it who is about to make a first call: one hand, and the calls so far."""

    def __init__(self, row: BoardOfTheDay) -> None:
        self.day, self.seat = row.day, student_of(row.board)
        record = record_of(row.board)
        calls = len(calls_of(record))
        step = next((step for step in range(calls) if next_caller(record, step) is self.seat), calls)
        super().__init__(row.board, (), (), (self.seat.key,), step)
        self.moment = Moment(row.board, self.seat, step, {}, None)

    @property
    def question(self) -> Question | None:
        """Return what the reader is asked, None where the seat never calls."""
        return self.moment.question

    @property
    def in_words(self) -> str:
        """Return the day as in "Tuesday, 24 November 2026"."""
        return f"{self.day:%A}, {in_words(write(self.day))}"

    @property
    def above(self) -> str:
        """Return the line above the question, "Hand of the day · Tuesday 24 November"."""
        return f"Hand of the day · {self.day:%A} {self.day.day} {self.day:%B}"

    @property
    def is_today(self) -> bool:
        return self.day == datetime.now(UTC).date()

    def context(self, said: str = "") -> dict[str, Any]:
        """Return what boards/question.html shows, with the reply to `said` if that is one of the choices."""
        question = self.question
        context = {"detail": self, "seat": self.seat, "steps": self.moment.steps(), "question": question}
        if question and said in question.choices:
            context |= {"said": said, "counts": read_counts(self.board, question)}
        return context


def latest_days(limit: int) -> list[Day]:
    """Return the latest days whose boards are published, the newest first. It takes one query."""
    days = BoardOfTheDay.objects.filter(board__published_at__isnull=False).order_by("-day")
    related = days.select_related("board__deal", "board__auction_system", "board__analysis")
    return [Day(row) for row in related[:limit]]
