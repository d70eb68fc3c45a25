"""What the tests of both readers ask of them."""

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
    """Files written in the tests themselves, read by this reader."""

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

    def checked(self, data: bytes) -> Outcomes:
        """Every record passes its check; every error has its number, its line, a code and a sentence."""
        found = self.outcomes(data)
        for number, outcome in enumerate(found, start=1):
            if isinstance(outcome, BoardRecord):
                outcome.check()
                continue
            assert outcome.record == number
            assert 1 <= outcome.line <= data.count(b"\n") + data.count(b"\r") + 1
            assert re.fullmatch("[a-z_]+", outcome.code) and outcome.message.endswith((".", "…"))
            assert len(outcome.message) < 200
        return found
