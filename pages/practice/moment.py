"""Where a reader stands in a board that is practised, as the address of the page says it.

The answers so far are in the address too, so that a page is the same for everybody, and its sum needs no cookie.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

from django.urls import reverse
from rest_framework import serializers

from boards.models import Board, CollectionBoard
from boards.practice import first_question_of, read_field, read_readers
from boards.records import record_of
from bridge.board import BoardRecord
from bridge.decisions import FieldCalls, leader_of, turns_of
from bridge.field import FieldAnswer, FieldTable
from bridge.names import SIDE_NAMES
from bridge.replay import calls_of, next_caller
from bridge.seats import Seat
from config.api.errors import ValidationFailed
from pages.collections.finding import PlaceInCollection
from pages.practice.quiz import Question, field_at, question_at, read_counts, table_before_lead
from pages.presenters.boards import PracticeDetail
from pages.presenters.playing import END, TableView
from pages.site.base import path_with_query

DEFAULT_SEAT = Seat.SOUTH
"""Whose hand is shown where nobody can be asked: of a board without an auction."""

SKIPPED = "-"
"""Stands for an answer where the reader went on without one."""

BETWEEN = "."
"""Stands between answers in an address. No call and no card has it, and no address encodes it."""

NOT_ASKED = "said: practice asks {seat} nothing at this step. Leave said out, or go to a step of {seat}’s turn."
TOO_MANY = "said: {seat} had fewer turns up to this step than there are answers."


class AnswersField(serializers.CharField):
    """The answers so far, as an address has them: "1NT.-.4S"."""

    def to_internal_value(self, data: Any) -> Any:
        return tuple(super().to_internal_value(data).split(BETWEEN))


class Reply(NamedTuple):
    """What the page says of an answer, "" for none. `field` is empty unless other tables had the question too."""

    question: Question
    said: str
    counts: dict[str, str]
    field: list[FieldAnswer]
    table: TableView | None

    @property
    def tables(self) -> int:
        return sum(answer.tables for answer in self.field)

    @property
    def side(self) -> str:
        return SIDE_NAMES[self.question.seat.side]


class Share(NamedTuple):
    """So many of the answers of a board were the same as something else."""

    same: int
    of: int


class Summary(NamedTuple):
    """How the answers of a board compare with its table, and with what more than half of the other tables did."""

    table: Share
    field: Share


@dataclass(frozen=True)
class Moment:
    """A moment of a board for the reader at a seat. `kept` has the parameters of links to the same list.

    `said` has what was answered at the last turns of the seat up to the one after `step` calls, in their order. Without
    answers the seat is asked at its first turn from `step` on. `place` is that in the collection which the reader is
    led through, None without one, and in one of somebody else.
    """

    board: Board
    seat: Seat
    step: int
    kept: dict[str, str]
    place: PlaceInCollection | None
    said: tuple[str, ...] = ()

    @cached_property
    def record(self) -> BoardRecord:
        return record_of(self.board)

    @cached_property
    def turns(self) -> list[int]:
        return turns_of(self.record, self.seat)

    @cached_property
    def turn(self) -> int | None:
        """Return the turn that is asked now, None when there is none any more."""
        start = self.step + 1 if self.said else self.step
        return next((turn for turn in self.turns if turn >= start), None)

    @cached_property
    def question(self) -> Question | None:
        return None if self.turn is None else question_at(self.record, self.seat, self.turn)

    @cached_property
    def shown_step(self) -> int:
        """Return the step that is shown: of the question, else after the last answer the one that shows everything."""
        if self.turn is not None:
            return self.turn
        calls = len(calls_of(self.record))
        return calls + 1 if self.said or self.step > calls else calls

    @cached_property
    def answers(self) -> list[tuple[Question, str]]:
        """Return each question that was answered with its answer. Raise ValidationFailed for what cannot be."""
        turns = [turn for turn in self.turns if turn <= self.step]
        if self.said and self.step not in turns:
            raise ValidationFailed(NOT_ASKED.format(seat=self.seat.full_name))
        if len(self.said) > len(turns):
            raise ValidationFailed(TOO_MANY.format(seat=self.seat.full_name))
        found = []
        for turn, said in zip(turns[len(turns) - len(self.said) :], self.said, strict=True):
            question = question_at(self.record, self.seat, turn)
            assert question, "a turn of the seat"
            if said != SKIPPED:
                question.check(said)
            found.append((question, said))
        return found

    @property
    def said_so_far(self) -> str:
        """Return the answers as AnswersField reads them."""
        return BETWEEN.join(self.said)

    def answered(self, said: str) -> Self:
        """Return the moment after an answer to the question at `step`."""
        return replace(self, said=(*self.said, said))

    def after(self, said: Sequence[str]) -> Self:
        """Return the moment after answers to the questions from this one on, for an address that names no step.

        Raise ValidationFailed where there are fewer questions.
        """
        turns = [turn for turn in self.turns if turn >= self.step]
        if len(said) > len(turns):
            raise ValidationFailed(TOO_MANY.format(seat=self.seat.full_name))
        return replace(self, step=turns[len(said) - 1], said=tuple(said)) if said else self

    def before(self) -> Self:
        """Return the moment at which the last question was asked: that after the answer before, if there is one."""
        earlier = [turn for turn in self.turns if turn < self.step]
        said = self.said[:-1]
        return replace(self, said=said, step=earlier[-1] if said else self.step)

    # --- Addresses ---

    @property
    def path(self) -> str:
        return reverse("practice-board", args=[self.board.pk])

    def address(self, step: int | str, said: Sequence[str] = (), fragment: str = "", **kept: str) -> str:
        parameters = {**self.kept, **kept, "said": BETWEEN.join(said), "step": str(step)}
        path = path_with_query(self.path, parameters)
        return f"{path}#{fragment}" if fragment else path

    @property
    def here(self) -> str:
        return self.address(self.step, self.said)

    @property
    def form(self) -> str:
        """Return the address that an answer is sent to."""
        return self.address(self.shown_step, self.said)

    @property
    def next(self) -> str:
        """Return the address that goes on without an answer, from the question or to all hands."""
        if self.turn is None:
            return self.address(END, fragment="back")
        return self.address(self.turn, (*self.said, SKIPPED), "answer")

    @property
    def back(self) -> str:
        """Return the address of the question before, "" at the first."""
        if self.said:
            before = self.before()
            return self.address(before.step, before.said, "back")
        earlier = [turn for turn in self.turns if turn < self.shown_step]
        return self.address(earlier[-1], fragment="back") if earlier else ""

    @property
    def start(self) -> str:
        return self.address(0, fragment="next")

    @property
    def end(self) -> str:
        return self.address(END, fragment="back")

    def seats(self) -> dict[str, str]:
        """Return the addresses of the same moment at each seat, by the names of the seats."""
        return {seat.full_name: self.address(self.shown_step, seat=seat.key) for seat in Seat}

    # --- What the page shows ---

    def context(self, detail: PracticeDetail) -> dict[str, Any]:
        """Return what practice/question.html shows of the moment, with the reply to the last answer and the sum."""
        shown = {"detail": detail, "seat": self.seat, "moment": self, "question": self.question}
        if not self.said:
            return shown
        answers, field = self.answers, read_field(self.board)
        reply = self.reply(*answers[-1], field)
        return shown | {"reply": reply, "summary": None if self.question else summarize(answers, field)}

    def reply(self, question: Question, said: str, field: list[FieldTable]) -> Reply:
        return Reply(
            question,
            "" if said == SKIPPED else said,
            read_counts(self.board, question),
            field_at(field, question),
            table_before_lead(self.board, self.record) if question.is_lead else None,
        )


def first_moment(board: Board, seat: Seat | None, kept: dict[str, str], place: PlaceInCollection | None) -> Moment:
    """Return where a board begins for a reader who may have chosen a seat."""
    readers = None if place else read_readers(board, record_of(board))
    start = start_of(board, seat, place.entry if place else None, read_field(board), readers)
    return replace(start, kept=kept, place=place)


def start_of(
    board: Board,
    seat: Seat | None = None,
    entry: CollectionBoard | None = None,
    field: Sequence[FieldTable] = (),
    readers: FieldCalls | None = None,
) -> Moment:
    """Return where a board begins: where its collection says, else at the first decision of who is to be asked.

    A seat that the reader has chosen comes first, then the collection's, then that of a teacher's file.
    """
    record = record_of(board)
    seat = seat or (Seat(entry.seat) if entry and entry.seat else None)
    if entry and entry.step is not None:
        named = Moment(board, seat or whose_turn(record, entry.step), entry.step, {}, None)
        if named.turn is not None:
            return replace(named, step=named.turn)
    asked = first_question_of(board, record, field, seat, readers)
    if asked is None:
        return Moment(board, seat or DEFAULT_SEAT, 0, {}, None)
    return Moment(board, asked.seat, asked.step, {}, None)


def whose_turn(record: BoardRecord, step: int) -> Seat:
    """Return who calls after so many calls, or leads after the last one."""
    return next_caller(record, step) or leader_of(record) or DEFAULT_SEAT


def summarize(answers: Sequence[tuple[Question, str]], field: list[FieldTable]) -> Summary:
    given = [(question, said) for question, said in answers if said != SKIPPED]
    table = [said == question.at_table for question, said in given if question.at_table]
    usual = []
    for question, said in given:
        found = field_at(field, question)
        tables = sum(answer.tables for answer in found)
        if tables:
            usual.append(any(answer.answer == said and answer.tables * 2 > tables for answer in found))
    return Summary(Share(sum(table), len(table)), Share(sum(usual), len(usual)))
