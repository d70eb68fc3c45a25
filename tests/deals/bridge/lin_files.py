"""Reading LIN files of one table or more, written in the tests themselves."""

from io import BytesIO

from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.lin_reader import read_lin

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
HANDS = "S456H23DJQKAC789T,S23H4JQKADT98CJ56,S AKQJ H89T D567 C234,"
DEAL = f"md|1{HANDS}|"
PLAYED = "md|3" + HANDS + "|sv|o|mb|1N|mb|p|mb|p|mb|p|"
"""North declares, East leads."""


def outcomes(text: str | bytes) -> list[BoardRecord | RecordError]:
    return list(read_lin(BytesIO(text.encode() if isinstance(text, str) else text)))


def record(text: str | bytes) -> BoardRecord:
    (outcome,) = outcomes(text)
    assert isinstance(outcome, BoardRecord), outcome
    return outcome


def refusal(text: str | bytes) -> RecordError:
    (outcome,) = outcomes(text)
    assert isinstance(outcome, RecordError), outcome
    return outcome
