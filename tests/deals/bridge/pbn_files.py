"""Reading PBN files of one record or more, written in the tests themselves."""

from io import BytesIO

from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.pbn_reader import read_pbn

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
DEAL = f'[Deal "{CARDS}"]\n'
PLAYED = DEAL + '[Dealer "N"][Vulnerable "None"][Declarer "N"][Contract "1NT"]\n'


def outcomes(text: str | bytes) -> list[BoardRecord | RecordError]:
    return list(read_pbn(BytesIO(text.encode() if isinstance(text, str) else text)))


def record(text: str | bytes) -> BoardRecord:
    (outcome,) = outcomes(text)
    assert isinstance(outcome, BoardRecord), outcome
    return outcome


def refusal(text: str | bytes) -> RecordError:
    (outcome,) = outcomes(text)
    assert isinstance(outcome, RecordError), outcome
    return outcome
