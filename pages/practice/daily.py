"""The hand of the day as a question: the first call of the seat that is asked, answered on the page that asks it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boards.records import record_of
from bridge.replay import calls_of, next_caller
from pages.practice.pages import Moment, student_of
from pages.practice.quiz import read_counts
from pages.presenters.boards import PracticeDetail
from pages.sharing.today import Day, latest_days


@dataclass(frozen=True)
class DailyQuestion:
    """The latest board of the day, and the moment of the first call that its reader is asked for."""

    day: Day
    moment: Moment

    @property
    def above(self) -> str:
        return f"Hand of the day · {self.day.short}"

    def context(self, languages: Sequence[str], said: str) -> dict[str, Any]:
        """Return what boards/question.html shows, with the reply to `said` if that is one of the choices."""
        moment, question = self.moment, self.moment.question
        detail = PracticeDetail(moment.board, (), languages, (moment.seat.key,), moment.step)
        context = {"detail": detail, "seat": moment.seat, "steps": moment.steps(), "question": question}
        if question and said in question.choices:
            context |= {"said": said, "counts": read_counts(moment.board, question)}
        return context


def find_daily_question() -> DailyQuestion | None:
    """Return the question of the latest day, or None before the first day and where its reader never calls."""
    for day in latest_days(1):
        record, seat = record_of(day.board), student_of(day.board)
        for step in range(len(calls_of(record))):
            if next_caller(record, step) is seat:
                return DailyQuestion(day, Moment(day.board, seat, step, {}, None))
    return None
