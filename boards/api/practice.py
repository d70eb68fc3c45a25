"""GET /api/boards/{id}/practice: whom practice asks at a board, at which turns there is a decision, and the field's."""

from typing import Any, NamedTuple

from rest_framework import serializers

from boards.models import SEAT_CHOICES, Board
from boards.practice import first_question_of, forget_unplayed, read_field, read_readers
from boards.records import record_of
from bridge.decisions import REASONS, Decision, decisions_of
from bridge.field import FieldAnswer, answers_at, count_calls
from bridge.replay import calls_of, cards_of
from config.api.serializers import ReadSerializer


class FieldContractSerializer(ReadSerializer):
    """A contract that tables of the field ended in."""

    contract = serializers.CharField(source="contract.text", help_text='Such as "4SX", or "Pass".')
    declarer = serializers.ChoiceField(
        source="contract.declarer", choices=SEAT_CHOICES, allow_null=True, help_text="null when it was passed out."
    )
    tables = serializers.IntegerField(help_text="How many tables played it.")


class FieldAnswerSerializer(ReadSerializer):
    """What some tables of the field did at a question."""

    answer = serializers.CharField(help_text='A call such as "1NT", or the card that was led, such as "HK".')
    tables = serializers.IntegerField(help_text="How many tables chose it.")
    contracts = FieldContractSerializer(many=True, help_text="The two most frequent contracts there.")
    meanScore = serializers.FloatField(
        source="mean_score",
        allow_null=True,
        help_text="Their mean score, for the side of the seat. null when no score is known.",
    )


class PracticeQuestionSerializer(ReadSerializer):
    """A turn at which a seat has a decision."""

    step = serializers.IntegerField(source="decision.step", help_text="How many calls were made before.")
    seat = serializers.ChoiceField(source="decision.seat", choices=SEAT_CHOICES, help_text="Whose turn it is.")
    score = serializers.IntegerField(
        source="decision.score",
        help_text="How difficult the decision is, from 1 to 5. 0 if practice asks although there is nothing to decide.",
    )
    reason = serializers.ChoiceField(source="decision.reason", choices=REASONS, help_text="What is decided.")
    answer = serializers.CharField(help_text='The call or the lead at this table. "" if the lead is not known.')
    tables = serializers.IntegerField(
        help_text="How many tables of the event, including this one, had this hand after the same calls. 0 if there"
        " is no other."
    )
    answers = FieldAnswerSerializer(many=True, help_text="What these tables did, the most frequent first.")


class BoardPracticeSerializer(ReadSerializer):
    """Whom practice asks at a board."""

    seat = serializers.ChoiceField(
        choices=SEAT_CHOICES, allow_null=True, help_text="The seat that practice asks. null if it asks none."
    )
    step = serializers.IntegerField(
        allow_null=True, help_text="How many calls come before the first question. null if there is none."
    )
    questions = PracticeQuestionSerializer(many=True, help_text="The decisions of all seats, in the order of calls.")


class PracticeQuestion(NamedTuple):
    """A decision with what was done there, at the table and by the field."""

    decision: Decision
    answer: str
    answers: list[FieldAnswer]

    @property
    def tables(self) -> int:
        return sum(answer.tables for answer in self.answers)


def represent_practice(board: Board) -> dict[str, Any]:
    """Return the answer. A turn that is asked though it has nothing to decide is among the questions, too."""
    forget_unplayed([board])
    record, field = record_of(board), read_field(board)
    readers = read_readers(board, record)
    calls = [call.call for call in calls_of(record)]
    done = [*calls, *cards_of(record)[:1], ""]
    decisions = decisions_of(record, count_calls(field, calls), readers)
    asked = first_question_of(board, record, field, readers=readers)
    shown = {each.step: each for each in (*decisions, asked) if each and (each.score or each is asked)}
    questions = [
        PracticeQuestion(each, done[step], answers_at(field, calls[:step], each.seat.side))
        for step, each in sorted(shown.items())
    ]
    first = {"seat": asked.seat, "step": asked.step} if asked else {"seat": None, "step": None}
    return {**first, "questions": PracticeQuestionSerializer(questions, many=True).data}
