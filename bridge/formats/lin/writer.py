"""Writing LIN as Bridge Base Online does."""

from collections.abc import Iterator

from bridge.auction import Call
from bridge.board import BoardRecord, complete_record
from bridge.formats.lin.tokens import LIN_SEATS, VULNERABILITIES, escape_text
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.texts import clean_lines, to_one_line

_CALLS = {"Pass": "p", "X": "d", "XX": "r"}
_LETTERS = {vulnerability: letter for letter, vulnerability in VULNERABILITIES.items()}


def write_lin(record: BoardRecord) -> str:
    """Write one table on a line of its own. The record must pass its `check`.

    `read_lin` gives back what LIN can say: the deal, dealer, vulnerability, board number, title, commentary and
    auction and, when that is complete, the play and the result, and the room of a numbered board. The other texts and
    the auction system have no place in it, nor has a contract without its auction. For free texts see `texts`.
    """
    record = complete_record(record)
    return "".join(f"{name}|{value}|" for name, value in _tags(record)) + "\n"


def _tags(record: BoardRecord) -> Iterator[tuple[str, str]]:
    if record.room and record.board_number:
        yield "qx", f"{record.room[0].lower()}{record.board_number}"
    yield "pn", ",".join(seat.full_name for seat in LIN_SEATS)
    yield "st", ""
    yield "md", _layout(record.layout, record.dealer)
    yield "rh", ""
    yield "ah", escape_text(_heading(record))
    yield "sv", _LETTERS[record.vulnerability]
    commentary = clean_lines(record.commentary)
    if commentary:
        yield "nt", escape_text(commentary)
    for call in record.auction.calls if record.auction else ():
        yield from _call(call)
    yield "pg", ""
    if record.auction and record.auction.complete:
        yield from _play(record)


def _layout(layout: Layout, dealer: Seat) -> str:
    """Write the dealer's digit and three hands, ranks ascending; East has the other cards."""
    hands = ("".join(suit + ranks[::-1] for suit, ranks in layout.suits(seat).items()) for seat in LIN_SEATS[:3])
    return f"{LIN_SEATS.index(dealer) + 1}{','.join(hands)},"


def _heading(record: BoardRecord) -> str:
    number = f"Board {record.board_number}" if record.board_number else ""
    title = to_one_line(record.title)
    return f"{number}: {title}" if title else number


def _call(call: Call) -> Iterator[tuple[str, str]]:
    yield "mb", _CALLS.get(call.call, call.call[:2]) + "!" * call.alert
    explanation = to_one_line(call.explanation)
    if explanation:
        yield "an", escape_text(explanation)


def _play(record: BoardRecord) -> Iterator[tuple[str, str]]:
    cards = record.play or ((record.opening_lead,) if record.opening_lead else ())
    for number, card in enumerate(cards, start=1):
        yield "pc", card
        if number % 4 == 0:
            yield "pg", ""
    if record.tricks is not None and len(cards) < 52:
        yield "mc", str(record.tricks)
        yield "pg", ""
