"""How the tests of both readers read a file and look at what comes of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError

Outcomes = list[BoardRecord | RecordError]


@dataclass(frozen=True)
class Reading:
    """Reads files written in the tests themselves with one of the readers."""

    read: Callable[[BinaryIO], Iterator[BoardRecord | RecordError]]

    def outcomes(self, text: str | bytes) -> Outcomes:
        return list(self.read(BytesIO(text.encode() if isinstance(text, str) else text)))

    def record(self, text: str | bytes) -> BoardRecord:
        (outcome,) = self.outcomes(text)
        assert isinstance(outcome, BoardRecord), outcome
        return outcome

    def refusal(self, text: str | bytes) -> RecordError:
        (outcome,) = self.outcomes(text)
        assert isinstance(outcome, RecordError), outcome
        return outcome

    def read_and_check(self, data: bytes) -> Outcomes:
        """Read a file and assert that each record passes its check and each error has number, line, code, sentence."""
        outcomes = self.outcomes(data)
        for number, outcome in enumerate(outcomes, start=1):
            if isinstance(outcome, BoardRecord):
                outcome.check()
                continue
            assert outcome.record == number
            assert 1 <= outcome.line <= data.count(b"\n") + data.count(b"\r") + 1
            assert re.fullmatch("[a-z_]+", outcome.code) and outcome.message.endswith((".", "…"))
            assert len(outcome.message) < 200
        return outcomes
