"""A board as plain text, for mails and forums: to be read in letters of one width."""

from collections.abc import Iterator

from deals.bridge.auction import Auction, Call
from deals.bridge.board import BoardRecord
from deals.bridge.columns import COLUMNS, auction_rows
from deals.bridge.diagram import Diagram, Hand
from deals.bridge.names import shown_call, spoken_vulnerability
from deals.bridge.texts import one_line

_COLUMN = 7
_NARROWEST = 14
"""Characters: of West's hand at least, and of the gap between West and East."""


def write_plain_text(record: BoardRecord) -> str:
    """The hands, the auction with numbered notes, the contract, the lead and the result; the ten is "10".

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
    name = ": ".join(filter(None, (diagram.heading, one_line(record.title))))
    if name:
        yield name
    vulnerable = spoken_vulnerability(record.vulnerability)
    yield f"Dealer {record.dealer.spoken}, {vulnerable}"


def _hands(diagram: Diagram) -> Iterator[str]:
    north, east, south, west = ([*_suits(hand)] for hand in diagram.hands.values())
    left = max(_NARROWEST, *(len(line) + 2 for line in west))
    right = left + _NARROWEST
    yield from (" " * left + line for line in north)
    yield from (f"{line:<{right}}{other}" for line, other in zip(west, east, strict=True))
    yield from (" " * left + line for line in south)


def _suits(hand: Hand) -> Iterator[str]:
    return (f"{suit.symbol} {suit.ranks or '-'}" for suit in hand.suits)


def _auction(auction: Auction) -> Iterator[str]:
    notes: list[str] = []
    yield _row([seat.spoken for seat in COLUMNS])
    for row in auction_rows(auction):
        yield _row([_call(call, notes) for call in row])
    if notes:
        yield ""
    yield from (f"{number}. {note}" for number, note in enumerate(notes, start=1))


def _row(cells: list[str]) -> str:
    return " ".join(f"{cell:<{_COLUMN}}" for cell in cells)


def _call(call: Call | None, notes: list[str]) -> str:
    """With "!" where it was alerted, and the number of its note."""
    if call is None:
        return ""
    mark = "!" * call.alert
    explanation = one_line(call.explanation)
    if explanation:
        notes.append(explanation)
        mark += f" {len(notes)}"
    return shown_call(call.call) + mark


def _outcome(diagram: Diagram) -> Iterator[str]:
    lead = diagram.lead
    yield "".join(diagram.contract) + (f", lead {lead.symbol}{lead.ranks}" if lead else "")
    if diagram.result:
        yield diagram.result
