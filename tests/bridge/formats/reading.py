"""How the tests of all readers read a file and look at what comes of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO

from bridge.board import BoardRecord
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, SkippedRecord
from bridge.formats.rankings import GivenRanking

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"


def content(outcome: Outcome) -> BoardRecord:
    """Return the board that was read."""
    assert isinstance(outcome, ReadBoard), outcome
    return outcome.content


def refused(outcome: Outcome) -> tuple[int, str, int, str]:
    """Return where a record was refused, and its code."""
    assert isinstance(outcome, RecordError), outcome
    return outcome.record, outcome.board, outcome.line, outcome.code


class OneBlock(BytesIO):
    """A file that is read as one block, where a BytesIO is read line by line."""

    def __iter__(self) -> Iterator[bytes]:
        return iter([self.getvalue()])


@dataclass(frozen=True)
class Reading:
    """Reads files written in the tests themselves with one of the readers."""

    read: Callable[..., Iterator[Outcome]]

    @property
    def strictly(self) -> "Reading":
        return Reading(partial(self.read, strict=True))

    def outcomes(self, text: str | bytes) -> list[Outcome]:
        return list(self.read(BytesIO(text.encode() if isinstance(text, str) else text)))

    def read_all(self, text: str | bytes) -> list[BoardRecord]:
        """Return the records that are kept, which are all but those passed over. Rankings are not records."""
        return [content(each) for each in self.outcomes(text) if not isinstance(each, SkippedRecord | GivenRanking)]

    def record(self, text: str | bytes) -> BoardRecord:
        (record,) = self.read_all(text)
        return record

    def board(self, text: str | bytes) -> ReadBoard:
        """Return a record with its warnings."""
        (outcome,) = self.outcomes(text)
        assert isinstance(outcome, ReadBoard), outcome
        return outcome

    def warned(self, text: str | bytes) -> tuple[BoardRecord, list[str]]:
        """Return a record with the codes of its warnings."""
        board = self.board(text)
        return board.content, [warning.code for warning in board.warnings]

    def refusal(self, text: str | bytes) -> RecordError:
        """Return why a strict reader refuses a file of one record."""
        (outcome,) = self.strictly.outcomes(text)
        assert isinstance(outcome, RecordError), outcome
        return outcome

    def read_and_check(self, data: bytes) -> list[Outcome]:
        """Read a file and assert that each record passes its check and each remark has number, line, code, sentence.

        What a strict reader keeps, any reader keeps without a warning.
        """
        outcomes = self.outcomes(data)
        assert list(self.read(OneBlock(data))) == outcomes, "it matters where the blocks end"
        for number, outcome in enumerate(outcomes, start=1):
            assert outcome.record == number
            if isinstance(outcome, ReadBoard):
                outcome.content.check()
            for remark in outcome.warnings if isinstance(outcome, ReadBoard) else (outcome,):
                assert 1 <= remark.line <= data.count(b"\n") + data.count(b"\r") + 1
                assert re.fullmatch("[a-z_]+", remark.code) and remark.message.endswith((".", "…"))
                assert len(remark.message) < 300
        for strict, lenient in zip(self.strictly.outcomes(data), outcomes, strict=True):
            assert not isinstance(strict, ReadBoard) or (strict == lenient and not strict.warnings)
        return outcomes
