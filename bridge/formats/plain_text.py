"""Plain text: a board for mails and forums, in columns that need letters of one width, and deals alone, one a line.

A deal is read as PBN writes the value of its tag: `N:AK5.QJ2.T98.7643 … … …`.
"""

import re
from collections.abc import Iterator

from bridge.auction import AUCTION_COLUMNS, Auction, Call, in_rows
from bridge.board import BoardRecord
from bridge.diagram import Diagram
from bridge.errors import BridgeError
from bridge.formats.foreign_files import Statistics
from bridge.formats.guard import read_each
from bridge.formats.outcomes import Check, Outcome, ReadBoard, RecordError
from bridge.formats.raw_records import Blocks, RawRecord, read_lines
from bridge.layout import Layout
from bridge.names import format_call, vulnerability_in_words
from bridge.seats import parse_seat
from bridge.texts import line_for_people
from bridge.vulnerability import Vulnerability

_COLUMN_WIDTH = 7
_MIN_HAND_WIDTH = 14
"""West's hand, and the gap between West and East, take at least this number of characters."""


def write_plain_text(record: BoardRecord) -> str:
    """Write hands, auction with numbered notes, contract, lead and result of a record that passes its `check`."""
    diagram = Diagram(record)
    parts = [_heading(diagram), _hands(diagram)]
    if record.auction and record.auction.calls:
        parts.append(_auction(record.auction))
    if record.contract:
        parts.append(_outcome(diagram))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def _heading(diagram: Diagram) -> Iterator[str]:
    record = diagram.record
    name = ": ".join(filter(None, (diagram.heading, line_for_people(record.title or record.deal_title))))
    if name:
        yield name
    yield f"Dealer {record.dealer.full_name}, {vulnerability_in_words(record.vulnerability)}"


def _hands(diagram: Diagram) -> Iterator[str]:
    north, east, south, west = (
        [f"{suit.symbol} {suit.ranks or '-'}" for suit in hand.suits] for hand in diagram.hands.values()
    )
    left = max(_MIN_HAND_WIDTH, *(len(line) + 2 for line in west))
    right = left + _MIN_HAND_WIDTH
    yield from (" " * left + line for line in north)
    yield from (f"{line:<{right}}{other}" for line, other in zip(west, east, strict=True))
    yield from (" " * left + line for line in south)


def _auction(auction: Auction) -> Iterator[str]:
    notes: list[str] = []
    rows = [[seat.full_name for seat in AUCTION_COLUMNS]]
    rows += ([_call(call, notes) for call in row] for row in in_rows(auction.dealer, auction.calls))
    yield from (" ".join(f"{cell:<{_COLUMN_WIDTH}}" for cell in row) for row in rows)
    if notes:
        yield ""
    yield from (f"{number}. {note}" for number, note in enumerate(notes, start=1))


def _call(call: Call | None, notes: list[str]) -> str:
    """Write a call with "!" where it was alerted and the number of its note; add its explanation to the notes."""
    if call is None:
        return ""
    mark = "!" * call.alert
    explanation = line_for_people(call.explanation)
    if explanation:
        notes.append(explanation)
        mark += f" {len(notes)}"
    return format_call(call.call) + mark


def _outcome(diagram: Diagram) -> Iterator[str]:
    lead = diagram.lead
    yield "".join(diagram.contract) + (f", lead {lead.symbol}{lead.ranks}" if lead else "")
    if diagram.result:
        yield diagram.result


BARE_DEAL = re.compile(
    rb"\s*+[NESW]:(?:[0-9AKQJTSHDC.-]++[ \t]++){3}[0-9AKQJTSHDC.-]++\s*+(?:\Z|(?<=[\r\n]))", re.IGNORECASE
)
"""What such a file begins with."""

_DEAL = re.compile(rb"\s*+[NESW]:", re.IGNORECASE)


def read_bare_deals(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield a board for each line: the first hand's seat deals, and nobody is vulnerable. One hand may be "-"."""
    statistics = Statistics()

    def read_line(line: RawRecord, before: int) -> Iterator[Outcome]:
        outcome = _read_line(before + 1, line, check)
        is_text = isinstance(outcome, RecordError) and not _DEAL.match(line.data)
        if before and is_text and statistics.include(line.data):
            yield from statistics.skip(before + 1, line.line)
        else:
            yield outcome

    return read_each(read_lines(blocks), read_line)


def _read_line(record: int, line: RawRecord, check: Check) -> Outcome:
    try:
        text = line.text().strip()
        board = BoardRecord(Layout.parse_three(text), parse_seat(text[:1]), Vulnerability.NONE)
        check(board)
        return ReadBoard(record, "", board, line=line.line)
    except BridgeError as error:
        return RecordError(record, "", line.line, error.code, error.message)
