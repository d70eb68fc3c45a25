"""The hand of the day as a question: the first call of the seat that is asked, answered on the page that asks it.

What readers said of it is told on the day after.
"""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from boards.models import BoardOfTheDay, PracticeAnswer
from boards.practice import first_question_of
from boards.records import record_of
from bridge.dates import in_words, write
from bridge.names import SUIT_SYMBOLS, format_call, format_ranks
from bridge.replay import calls_of
from config.api.errors import ValidationFailed
from pages.practice.moment import DEFAULT_SEAT, Moment
from pages.practice.quiz import Question
from pages.presenters.boards import PracticeDetail


class Day(PracticeDetail):
    """A day with its board, as the reader sees it who is asked first: one hand, and the calls so far.

    Who is asked is the same on all pages of the day, which know nothing of other tables.
    """

    def __init__(self, row: BoardOfTheDay) -> None:
        asked = first_question_of(row.board, record_of(row.board))
        self.day, self.seat = row.day, asked.seat if asked else DEFAULT_SEAT
        self.moment = Moment(row.board, self.seat, asked.step if asked else 0, {}, None)
        super().__init__(row.board, (), (), (self.seat.key,), self.moment.shown_step)
        self.answers: dict[str, str] | None = None
        """How many readers gave which answer, the most frequent first; None until `tell` reads them."""

    @property
    def question(self) -> Question | None:
        """Return what the reader is asked, None where nobody can be."""
        return self.moment.question

    @property
    def in_words(self) -> str:
        """Return the day as in "Tuesday, 24 November 2026"."""
        return f"{self.day:%A}, {in_words(write(self.day))}"

    @property
    def above(self) -> str:
        """Return the line above the question, "Hand of the day · Tuesday 24 November"."""
        return f"Hand of the day · {self.name_of_day}"

    @property
    def name_of_day(self) -> str:
        """Return the day as in "Tuesday 24 November"."""
        return f"{self.day:%A} {self.day.day} {self.day:%B}"

    @property
    def is_today(self) -> bool:
        return self.day == datetime.now(UTC).date()

    @property
    def is_yesterday(self) -> bool:
        return self.day == datetime.now(UTC).date() - timedelta(days=1)

    @property
    def calls(self) -> list[str]:
        """Return the calls before the question."""
        return [call.call for call in calls_of(self.moment.record)[: self.step]]

    @property
    def answers_in_words(self) -> str:
        """Return as in "Readers said 1NT 41, 1♣ 12, Pass 3; at the table 1NT" what `tell` has read, "" without it."""
        question = self.question
        if question is None or self.answers is None:
            return ""
        said = ", ".join(f"{format_answer(question, answer)} {count}" for answer, count in self.answers.items())
        at_table = f"; at the table {format_answer(question, question.at_table)}" if question.at_table else ""
        return f"{f'Readers said {said}' if said else 'No reader answered'}{at_table}"

    def context(self, said: Sequence[str] = ()) -> dict[str, Any]:
        """Return what practice/question.html shows, with the reply to the last of the answers if they are possible."""
        with suppress(ValidationFailed):  # they were given on another day, or typed
            moment = self.moment.after(said)
            return moment.context(PracticeDetail(self.board, (), (), self.visible_hands, moment.shown_step))
        return self.moment.context(self)


def latest_days(limit: int) -> list[Day]:
    """Return the latest days whose boards are published, the newest first. It takes one query."""
    days = BoardOfTheDay.objects.filter(board__published_at__isnull=False).order_by("-day")
    related = days.select_related("board__deal", "board__auction_system", "board__analysis")
    return [Day(row) for row in related[:limit]]


def tell(days: Sequence[Day]) -> list[Day]:
    """Read what readers said on those of the latest days that are over, and return these. It takes one query.

    The newest day is left out, since it is asked until there is another one, and so is each day that had its deal.
    """
    today = datetime.now(UTC).date()
    over = [day for day in days[1:] if day.day < today and day.board.deal_id != days[0].board.deal_id]
    questions = {day.question.key for day in over if day.question}
    rows = PracticeAnswer.objects.filter(board__in={day.board.pk for day in over}, question__in=questions)
    answers: defaultdict[Any, dict[str, str]] = defaultdict(dict)
    for board_id, key, answer, count in rows.order_by("-count", "answer").values_list(
        "board_id", "question", "answer", "count"
    ):
        answers[board_id, key][answer] = f"{count:,}"
    for day in over:
        day.answers = answers[day.board.pk, day.question.key] if day.question else {}
    return over


def format_answer(question: Question, answer: str) -> str:
    """Write a call or a lead as people do: "1♠" or "♠10"."""
    return f"{SUIT_SYMBOLS[answer[0]]}{format_ranks(answer[1])}" if question.is_lead else format_call(answer)
