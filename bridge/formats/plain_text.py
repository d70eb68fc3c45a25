"""A board as plain text for mails and forums, in columns that need letters of one width."""

from collections.abc import Iterator

from bridge.auction import AUCTION_COLUMNS, Auction, Call, auction_rows
from bridge.board import BoardRecord
from bridge.diagram import Diagram, Hand
from bridge.markup import line_for_people
from bridge.names import format_call, vulnerability_in_words

_COLUMN_WIDTH = 7
_MIN_HAND_WIDTH = 14
"""West's hand, and the gap between West and East, take at least so many characters."""


def write_plain_text(record: BoardRecord) -> str:
    """Write the hands, the auction with numbered notes, the contract, the lead and the result; the ten is "10".

    The record must pass its `check`.
    """
    diagram = Diagram(record)
    parts = [_heading(diagram), _hands(diagram)]
    if record.auction and record.auction.calls:
        parts.append(_auction(record.auction))
    if record.contract:
        parts.append(_outcome(diagram))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def _heading(diagram: Diagram) -> Iterator[str]:
    record = diagram.record
    name = ": ".join(filter(None, (diagram.heading, line_for_people(record.title))))
    if name:
        yield name
    vulnerable = vulnerability_in_words(record.vulnerability)
    yield f"Dealer {record.dealer.full_name}, {vulnerable}"


def _hands(diagram: Diagram) -> Iterator[str]:
    north, east, south, west = ([*_suits(hand)] for hand in diagram.hands.values())
    left = max(_MIN_HAND_WIDTH, *(len(line) + 2 for line in west))
    right = left + _MIN_HAND_WIDTH
    yield from (" " * left + line for line in north)
    yield from (f"{line:<{right}}{other}" for line, other in zip(west, east, strict=True))
    yield from (" " * left + line for line in south)


def _suits(hand: Hand) -> Iterator[str]:
    return (f"{suit.symbol} {suit.ranks or '-'}" for suit in hand.suits)


def _auction(auction: Auction) -> Iterator[str]:
    notes: list[str] = []
    yield _row([seat.full_name for seat in AUCTION_COLUMNS])
    for row in auction_rows(auction):
        yield _row([_call(call, notes) for call in row])
    if notes:
        yield ""
    yield from (f"{number}. {note}" for number, note in enumerate(notes, start=1))


def _row(cells: list[str]) -> str:
    return " ".join(f"{cell:<{_COLUMN_WIDTH}}" for cell in cells)


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
