"""What a reader who practises is asked: a call, or the opening lead. The answers are counted, and nothing else is kept.

An answer stands in the address of the page that replies to it, so that the page is the same for everybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import DEFAULT_DB_ALIAS, connection

from boards.models import Board, CardCosts, PracticeAnswer
from boards.practice import question_key
from bridge.auction import Call, legal_calls
from bridge.board import BoardRecord
from bridge.decisions import leader_of
from bridge.field import FieldAnswer, FieldTable, answers_at
from bridge.play import cards_to_play
from bridge.replay import Position, calls_of, cards_of, next_caller
from bridge.seats import Seat
from config.api.errors import ValidationFailed
from config.edge.limits.posts import PostLimits
from pages.presenters.playing import TableView

LIMITS = PostLimits("practice", "PRACTICE_RATE_PER_CLIENT", "PRACTICE_RATE_IN_TOTAL")


@dataclass(frozen=True)
class Question:
    """What the reader at `seat` is asked after the calls `before`, and what was done at the table.

    That is `call`, or the card `lead`, "" for none.
    """

    seat: Seat
    choices: list[str]
    key: str
    before: list[str]
    call: Call | None = None
    lead: str = ""

    @property
    def is_lead(self) -> bool:
        return self.call is None

    @property
    def at_table(self) -> str:
        return self.call.call if self.call else self.lead

    def check(self, answer: str) -> None:
        """Raise ValidationFailed for an answer that is not among the choices. The error names them."""
        if answer not in self.choices:
            raise ValidationFailed(f"said: This is not possible here. Choose one of: {', '.join(self.choices)}.")


def question_at(record: BoardRecord, seat: Seat, step: int) -> Question | None:
    """Return what is asked after so many calls, or None: another player calls or leads, or nobody does."""
    calls = [call.call for call in calls_of(record)[:step]]
    if next_caller(record, step) is seat:
        choices = legal_calls(record.dealer, calls)
        return Question(seat, choices, question_key(record, seat, calls), calls, call=calls_of(record)[step])
    contract = record.contract
    if contract is None or step != len(calls_of(record)) or leader_of(record) is not seat:
        return None
    lead = next(iter(cards_of(record)), "")
    _, choices = cards_to_play(record.layout, contract, ())
    return Question(seat, choices, question_key(record, seat, calls), calls, lead=lead)


COUNT_ANSWER = """
INSERT INTO boards_practiceanswer (board_id, question, answer, count)
SELECT id, %s, %s, 1 FROM boards_board WHERE id = %s AND published_at IS NOT NULL {lock}
ON CONFLICT (board_id, question, answer) DO UPDATE SET count = boards_practiceanswer.count + 1
"""
"""One statement, so that answers at once are counted exactly. PostgreSQL locks the board's key: one that is being
deleted is gone then, and its answer is not counted."""


def count_answer(board: Board, question: Question, answer: str) -> None:
    """Count an answer. Those to drafts are not counted: nobody but their owner and staff can give any."""
    sql = COUNT_ANSWER.format(lock="FOR KEY SHARE" if connection.vendor == "postgresql" else "")
    board_id = Board._meta.pk.get_db_prep_value(board.pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(sql, [question.key, answer, board_id])


def read_counts(board: Board, question: Question) -> dict[str, str]:
    """Return how many readers gave which answer, the most frequent first.

    They are read from the primary: the reader has just answered, and a replica may not know it yet.
    """
    rows = PracticeAnswer.objects.using(DEFAULT_DB_ALIAS).filter(board=board.pk, question=question.key)
    counts = dict(rows.values_list("answer", "count"))
    in_order = sorted(question.choices, key=lambda answer: -counts.get(answer, 0))
    return {answer: f"{counts[answer]:,}" for answer in in_order if answer in counts}


def field_at(field: Sequence[FieldTable], question: Question) -> list[FieldAnswer]:
    """Return what the tables did that had the question."""
    return answers_at(field, question.before, question.seat.side)


def table_before_lead(board: Board, record: BoardRecord) -> TableView:
    """Return the table before the opening lead, with what each lead costs if the worker has computed it."""
    costs = CardCosts.objects.using(DEFAULT_DB_ALIAS).filter(pk=board.pk).first()
    return TableView(record, Position(len(calls_of(record)), 0), costs)
