"""What a class answered, board by board and question by question, as its teacher sees it."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from boards.collections.classes import Answers
from boards.models import Board
from boards.records import record_of
from bridge.board import BoardRecord
from bridge.names import format_call
from bridge.replay import calls_of, next_caller
from pages.practice.quiz import Question, question_at
from pages.presenters.boards import BoardPreview

ANSWERS_SHOWN = 8
"""The most frequent answers to a question, which are shown one by one."""


class GivenAnswer(NamedTuple):
    """An answer, how often it was given, its bar in percent of the longest, and whether the table did the same."""

    answer: str
    number: int
    width: str
    is_of_table: bool


class AnsweredQuestion(NamedTuple):
    """A question, the calls before it, and what a class answered: the answers, those not shown, and the sum of all."""

    question: Question
    calls: str
    answers: list[GivenAnswer]
    others: int
    total: int


class AnsweredBoard(BoardPreview):
    """A board and what a class answered to its questions. `number` is that in the lesson, from 1."""

    def __init__(self, board: Board, number: int, answers: Answers) -> None:
        super().__init__(board)
        self.number, self.answers = number, answers

    @cached_property
    def questions(self) -> list[AnsweredQuestion]:
        """Return the questions that were answered, in the order of the calls, without those of a former auction."""
        record = record_of(self.board)
        calls = [format_call(call.call) for call in calls_of(record)]
        return [
            sum_up(question, " ".join(calls[:step]), self.answers[self.board.pk, question.key])
            for step, question in questions_of(record)
            if (self.board.pk, question.key) in self.answers
        ]


def questions_of(record: BoardRecord) -> Iterator[tuple[int, Question]]:
    """Yield all that can be asked about a board, with the number of calls before it: each call, and the lead."""
    for step in range(len(calls_of(record)) + 1):
        seat = next_caller(record, step) or (record.contract and record.contract.leader)
        question = question_at(record, seat, step) if seat else None
        if question:
            yield step, question


def sum_up(question: Question, calls: str, counts: dict[str, int]) -> AnsweredQuestion:
    most, total = max(counts.values()), sum(counts.values())
    shown = [
        GivenAnswer(answer, count, f"{100 * count / most:.1f}%", answer == question.at_table)
        for answer, count in list(counts.items())[:ANSWERS_SHOWN]
    ]
    return AnsweredQuestion(question, calls, shown, total - sum(each.number for each in shown), total)
