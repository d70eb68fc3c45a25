"""Reading LIN, the format of Bridge Base Online, leniently: any bytes become records and errors.

LIN has no specification: these are the rules that real files follow.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, TypeVar

from deals.bridge.auction import MAX_CALLS, Auction, Call, final_passes
from deals.bridge.board import BoardRecord, complete_record
from deals.bridge.errors import BridgeError, NotationError, RecordError
from deals.bridge.lin.tables import read_tables
from deals.bridge.lin.tags import read_calls, read_cards, read_claim, read_layout, read_vulnerability
from deals.bridge.lin.texts import unescape_text
from deals.bridge.lin.tokens import Tag, Tags, read_tags
from deals.bridge.raw_records import RawRecord
from deals.bridge.seats import Seat
from deals.bridge.texts import clean_lines, to_one_line
from deals.bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability

Value = TypeVar("Value")

_HEADING = re.compile(r"(?:\w+ )?#?0*([1-9][0-9]{0,4})(?: ?: ?(.*))?|: ?(.*)")
_TABLE_NUMBER = re.compile(r"[oc]?0*([1-9][0-9]{0,4})", re.IGNORECASE)


def read_lin(
    stream: BinaryIO, check: Callable[[BoardRecord], None] = BoardRecord.check
) -> Iterator[BoardRecord | RecordError]:
    """Yield the file's records in order; a bad one costs none of its neighbours.

    Parameters, memory and what is raised are those of `read_pbn`. What has neither deal nor calls nor cards is
    not a record. Players' names are dropped, and so are the notes of a vugraph file, which
    its commentators sign with theirs.

    - One hand may be left out, usually East's: it has the other cards.
    - A table without a deal, the second room of a match, has the cards of the table before it.
    - A missing dealer or vulnerability is what the board number implies, else South and None.
    - Cards mean that the auction is over: the last passes may be missing.
    """
    context = _Context()
    number = 0
    for record in read_tables(stream):
        tags = read_tags(record)
        context.read_header(tags)
        if tags.error is None and not tags.is_table:
            continue
        number += 1
        try:
            board = _board(context.complete(tags), context)
            check(board)
            yield board
        except BridgeError as error:
            yield RecordError(number, _line(error, record), error.code, error.message)


def _line(error: BridgeError, record: RawRecord) -> int:
    """Return the line to report for an error."""
    return error.line if isinstance(error, NotationError) else record.line


@dataclass(slots=True)
class _Context:
    """What a table takes from the file before it."""

    event: str = ""
    is_vugraph: bool = False
    previous: Tags | None = None

    def read_header(self, tags: Tags) -> None:
        """Take the event from the header of a vugraph file."""
        if "vg" in tags.first:
            self.is_vugraph = True
            self.event = to_one_line(unescape_text(tags.value("vg").split(",")[0]))

    def complete(self, tags: Tags) -> Tags:
        """Add the previous table's deal where this table has none and is of the same board; or raise its error."""
        if tags.error:
            raise tags.error
        before = self.previous
        if before and not _has_deal(tags) and _board_number(tags) == _board_number(before):
            tags.first |= {name: before.first[name] for name in ("md", "sv") if name in before.first}
        self.previous = tags
        return tags


def _has_deal(tags: Tags) -> bool:
    return bool(tags.value("md").strip("01234"))


def _board(tags: Tags, context: _Context) -> BoardRecord:
    if not _has_deal(tags):
        raise BridgeError("no_deal", "The table has no deal.")
    number = _board_number(tags)
    dealer, layout = _read_value(tags.first["md"], read_layout)
    dealer = dealer or (board_dealer(number) if number else Seat.SOUTH)
    cards = [card for tag in tags.sequence if tag.name == "pc" for card in _read_value(tag, read_cards)]
    calls = _calls(tags.sequence)
    if cards and any(call.call != "Pass" for call in calls):
        calls += final_passes(calls)
    auction = Auction(dealer, tuple(calls)) if calls else None
    return complete_record(
        BoardRecord(
            layout=layout,
            dealer=dealer,
            vulnerability=_vulnerability(tags, number),
            board_number=number,
            auction=auction,
            opening_lead="".join(cards[:1]),
            play=tuple(cards) if len(cards) > 1 else (),
            tricks=_tricks(tags, auction),
            title=_heading(tags)[1],
            commentary="" if context.is_vugraph else _commentary(tags),
            event=context.event,
        )
    )


def _read_value(tag: Tag, read: Callable[[str], Value]) -> Value:
    """Read the tag's value; an error bears the tag's line."""
    try:
        return read(tag.value)
    except BridgeError as error:
        raise NotationError(error.code, error.message, tag.line) from error


def _heading(tags: Tags) -> tuple[int | None, str]:
    """Return board number and title from "Board 7", "Board 7: Trump squeeze", or a title alone."""
    text = to_one_line(unescape_text(tags.value("ah")))
    match = _HEADING.fullmatch(text)
    if match is None:
        return None, text
    return int(match[1]) if match[1] else None, match[2] or match[3] or ""


def _board_number(tags: Tags) -> int | None:
    """Return the heading's number, else the table's: "o7" is board 7 in the open room."""
    table = _TABLE_NUMBER.fullmatch(tags.value("qx"))
    return _heading(tags)[0] or (int(table[1]) if table else None)


def _vulnerability(tags: Tags, number: int | None) -> Vulnerability:
    stated = _read_value(tags.first["sv"], read_vulnerability) if "sv" in tags.first else None
    return stated or (board_vulnerability(number) if number else Vulnerability.NONE)


def _calls(sequence: list[Tag]) -> list[Call]:
    """Return the calls, each explained by all that is said between it and the next."""
    calls: list[Call] = []
    explanations: dict[int, list[str]] = defaultdict(list)
    for tag in sequence:
        if tag.name == "mb":
            calls += _read_value(tag, read_calls)
        elif tag.name == "an" and calls:
            explanations[len(calls) - 1].append(unescape_text(tag.value))
        if len(calls) > MAX_CALLS:
            message = f"No auction has more than {MAX_CALLS} calls."
            raise NotationError("malformed_auction", message, tag.line)
    for place, texts in explanations.items():
        calls[place] = replace(calls[place], explanation=to_one_line(" ".join(texts)))
    return calls


def _tricks(tags: Tags, auction: Auction | None) -> int | None:
    """Return the tricks claimed; a claim of nothing on a passed-out board is no result."""
    claimed = _read_value(tags.first["mc"], read_claim) if "mc" in tags.first else None
    contract = auction.contract if auction else None
    return None if contract and contract.passed_out and not claimed else claimed


def _commentary(tags: Tags) -> str:
    return clean_lines("\n".join(unescape_text(tag.value) for tag in tags.sequence if tag.name == "nt"))
