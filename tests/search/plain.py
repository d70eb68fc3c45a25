"""The index said again in plain Python: which boards meet a condition, in which order."""

from boards.models import Board
from boards.searching.subjects import subject_of
from search.conditions import (
    AllOf,
    Among,
    AnyOf,
    Between,
    Bid,
    ChangedSince,
    Compared,
    Condition,
    Not,
    Numbered,
    OneOf,
    Tagged,
    Votes,
    Words,
)
from search.facts import FACTS, calls_of, tags_of
from search.words import words_of


class PlainBoard:
    """What is known of a board, by the names of facts."""

    def __init__(self, board: Board) -> None:
        subject = subject_of(board)
        self.board = board
        self.number = board.number
        self.values = {fact.name: fact.read(subject) for fact in FACTS.values()}
        self.tags = {*tags_of(subject)}
        self.calls = calls_of(subject)
        self.words = words_of(subject.record)
        self.votes = board.up_votes - board.down_votes

    def meets(self, condition: Condition) -> bool:
        match condition:
            case Between(fact=fact, low=low, high=high):
                value = self.values[fact.name]
                return isinstance(value, int) and (low is None or value >= low) and (high is None or value <= high)
            case OneOf(fact=fact, values=values):
                return self.values[fact.name] in values
            case Tagged(tags=tags):
                return not self.tags.isdisjoint(tags)
            case Bid(calls=calls, from_the_start=from_the_start):
                return self.has_calls(calls.split("-"), from_the_start)
            case Words(phrase=phrase):
                return f" {phrase} " in self.words
            case Compared():
                raise ValueError(condition)
            case Numbered(numbers=numbers):
                return self.number in numbers
            case Votes(low=low, high=high):
                return (low is None or self.votes >= low) and (high is None or self.votes <= high)
            case ChangedSince(moment=moment):
                return self.board.updated_at >= moment
            case Among(board_ids=board_ids):
                return self.board.pk in board_ids
            case AllOf(parts=parts):
                return all(map(self.meets, parts))
            case AnyOf(parts=parts):
                return any(map(self.meets, parts))
            case Not(part=part):
                return not self.meets(part)

    def has_calls(self, wanted: list[str], from_the_start: bool) -> bool:
        calls = self.calls.strip("-").split("-") if self.calls else []
        starts = range(1 if from_the_start else len(calls))
        runs = (calls[start : start + len(wanted)] for start in starts)
        return any(
            len(run) == len(wanted) and all(one in (other, "?") for one, other in zip(wanted, run, strict=True))
            for run in runs
        )


def all_plain_boards() -> list[PlainBoard]:
    return [PlainBoard(board) for board in Board.objects.with_details()]


def plain_numbers(condition: Condition, boards: list[PlainBoard]) -> list[int]:
    """Return the numbers of the boards that meet the condition, the newest first."""
    return sorted((board.number for board in boards if board.meets(condition)), reverse=True)


def plain_top(condition: Condition, boards: list[PlainBoard]) -> list[int]:
    found = sorted(
        (board for board in boards if board.meets(condition)), key=lambda board: (-board.votes, -board.number)
    )
    return [board.number for board in found]
