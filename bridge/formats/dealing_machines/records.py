"""What the files of dealing machines share: a board is its number and its 52 cards."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from bridge.board import BoardRecord
from bridge.cards import SUITS
from bridge.errors import BridgeError
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, RecordWarning
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import board_dealer, board_vulnerability

_FILLER = b" \0\r\n\x1a"
"""What stands behind the deals of a binary file; the last is the end-of-file mark of DOS."""


def read_deal(
    record: int, number: int, read_layout: Callable[[], Layout], check: Callable[[BoardRecord], None], line: int = 1
) -> Outcome:
    """Return the board of this number with the layout that is read, or why there is none."""
    try:
        board = BoardRecord(read_layout(), board_dealer(number), board_vulnerability(number), number)
        check(board)
        return ReadBoard(record, str(number), board)
    except BridgeError as error:
        return RecordError(record, str(number), line, error.code, error.message)


def read_deals(
    chunks: Iterable[bytes],
    read_layout: Callable[[bytes], Layout],
    check: Callable[[BoardRecord], None],
    first: int = 1,
    find_flaw: Callable[[bytes], BridgeError | None] = lambda chunk: None,
    *,
    strict: bool = False,
) -> Iterator[Outcome]:
    """Yield the boards of a binary file, one a chunk, numbered from `first`. An empty chunk has a number, too.

    What `find_flaw` returns is a warning of a board that is read all the same, or when `strict` an error.
    """
    record = 0
    for number, chunk in enumerate(chunks, start=first):
        if chunk.strip(_FILLER):
            record += 1
            outcome = read_deal(record, number, partial(read_layout, chunk), check)
            yield _with_flaw(outcome, find_flaw(chunk), strict=strict)


def _with_flaw(outcome: Outcome, flaw: BridgeError | None, *, strict: bool) -> Outcome:
    if flaw is None or not isinstance(outcome, ReadBoard):
        return outcome
    remark = (outcome.record, outcome.board, 1, flaw.code, flaw.message)
    return RecordError(*remark) if strict else replace(outcome, warnings=(RecordWarning(*remark),))


def suits_of(hands: Mapping[Seat, Iterable[str]]) -> dict[Seat, dict[str, str]]:
    """Return the ranks by seat and suit of hands that are given as cards."""
    suits = {seat: dict.fromkeys(SUITS, "") for seat in hands}
    for seat, cards in hands.items():
        for card in cards:
            suits[seat][card[0]] += card[1]
    return suits
