"""Reading LIN, which has no specification, by the rules that real files follow (docs/files.md)."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from bridge.auction import MAX_CALLS, Auction, Call, final_passes, without_passes_after_end
from bridge.board import BoardRecord, complete_record
from bridge.errors import BridgeError, NotationError
from bridge.formats.foreign_files import Statistics
from bridge.formats.lin.tables import read_tables
from bridge.formats.lin.tokens import (
    Tag,
    Tags,
    read_calls,
    read_cards,
    read_claim,
    read_layout,
    read_tags,
    read_vulnerability,
    unescape_text,
)
from bridge.formats.outcomes import Check, Outcome
from bridge.formats.raw_records import Blocks
from bridge.formats.repairs import PARTS, Repairs
from bridge.layout import MAX_DEAL_LENGTH
from bridge.play import IllegalPlay
from bridge.seats import Seat
from bridge.texts import MAX_LINE_LENGTH, clean_lines, to_one_line
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability

_HEADING = re.compile(r"(?:\w+ )?#?0*([1-9][0-9]{0,4})(?: ?: ?(.*))?|: ?(.*)")
_HEADER = {"event": 0, "stage": 1, "home_team": 5, "visit_team": 7}
"""The texts of a vugraph's header, by their places in it."""

_TABLE_NUMBER = re.compile(r"([oc]?)0*([1-9][0-9]{0,4})", re.IGNORECASE)


def read_lin(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield what comes of the records as `read_pbn` does. What has neither deal nor calls nor cards is not a record."""
    context = _Context()
    number = 0
    for record in read_tables(blocks):
        tags = read_tags(record)
        context.read_header(tags)
        if tags.error is None and not tags.is_table:
            if number and b"|" not in record.data:
                yield from Statistics().skip(number + 1, record.line)
            continue
        number += 1
        context.complete(tags)
        board = str(_board_number(tags) or "")
        repairs = TableRepairs(number, board, record.line, check, strict, tags=tags, room=_room(tags))
        yield repairs.read(partial(_board, tags, context, repairs))


TAGS = {"auction": ("mb", "an"), "play": ("pc",), "result": ("mc",), "vulnerability": ("sv",)}
"""The tags of each part that can be left out."""

PART_OF_TAG = {tag: part for part, tags in TAGS.items() for tag in tags}


@dataclass
class TableRepairs(Repairs):
    """The repairs of one table. Only the first cards of the play are read when it was shortened, and only so many
    calls when passes were left out.

    `room` is that of a table at which anything was bid, played or claimed, also where it cannot be read.
    """

    tags: Tags = field(default_factory=Tags)
    cards: int = 52
    calls: int = MAX_CALLS
    room: str = ""

    def repair_part(self, error: BridgeError, line: int) -> bool:
        part = PART_OF_TAG.get(error.part) or PARTS.get(error.code, "")
        if error.code == "illegal_lead":
            cards = sum(len(read_cards(tag.value)) for tag in self.tags.sequence if tag.name == "pc")
            self.tags.drop(TAGS[part])
            self.drop_lead(error, line, cards=cards)
            return True
        if error.code == "illegal_call" and self.leave_out_passes(line):
            return True
        if isinstance(error, IllegalPlay) and error.whole_tricks:
            self.cards = 4 * error.whole_tricks
            self.warn_of_shortened_play(error.whole_tricks, error, line)
            return True
        if not self.tags.drop(TAGS.get(part, ())):
            return False
        self.warn_of_drop(part, error, line)
        return True

    def leave_out_passes(self, line: int) -> bool:
        """Leave out the passes behind the auction's end. Return False where there are none."""
        calls = _calls(self.tags.sequence)[: self.calls]
        self.calls = len(without_passes_after_end(calls))
        count = len(calls) - self.calls
        if count:
            self.warn_of_passes(count, line)
        return bool(count)


@dataclass(slots=True)
class _Context:
    """What a table takes from the file before it."""

    match: dict[str, Any] = field(default_factory=dict)
    is_vugraph: bool = False
    previous: Tags | None = None

    def read_header(self, tags: Tags) -> None:
        """Take event, stage and teams from the header of a vugraph file."""
        if "vg" in tags.first:
            self.is_vugraph = True
            texts = (to_one_line(unescape_text(value)) for value in tags.value("vg").split(","))
            # Each table of the file has them: what is too long to be kept need not be longer than that.
            values = [text[: MAX_LINE_LENGTH + 1] for text in texts] + [""] * 8
            self.match = {name: values[place] for name, place in _HEADER.items()}

    def complete(self, tags: Tags) -> None:
        """Add the previous table's deal where this table has none and is of the same board."""
        if tags.error:
            return
        before = self.previous
        if before and not _has_deal(tags) and _board_number(tags) == _board_number(before):
            found = {name: before.first[name] for name in ("md", "sv") if name in before.first}
            tags.first |= {name: tag for name, tag in found.items() if len(tag.value) <= MAX_DEAL_LENGTH}
        self.previous = tags


def _has_deal(tags: Tags) -> bool:
    return bool(tags.value("md").strip("01234"))


def _board(tags: Tags, context: _Context, repairs: TableRepairs) -> BoardRecord:
    _refuse_incomplete(tags, repairs)
    number = _board_number(tags)
    dealer, layout = tags.first["md"].read(read_layout)
    dealer = dealer or (board_dealer(number) if number else Seat.SOUTH)
    cards = _cards(tags.sequence)[: repairs.cards]
    calls = _calls(tags.sequence)[: repairs.calls]
    if cards and any(call.call != "Pass" for call in calls):
        calls += final_passes(calls)
    auction = Auction(dealer, tuple(calls)) if calls else None
    notes = () if context.is_vugraph else (unescape_text(tag.value) for tag in tags.sequence if tag.name == "nt")
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
            commentary=clean_lines("\n".join(notes)),
            room=repairs.room,
            **context.match,
        )
    )


def _refuse_incomplete(tags: Tags, repairs: TableRepairs) -> None:
    """Raise what is wrong with the notation, `no_deal`, or `file_cut` unless what was cut off has been left out."""
    if tags.error:
        raise tags.error
    if not _has_deal(tags):
        raise BridgeError("no_deal", "The table has no deal.")
    if tags.cut and not repairs.is_cut:
        raise tags.cut


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
    return _heading(tags)[0] or (int(table[2]) if table else None)


def _room(tags: Tags) -> str:
    """Return the room: "o7" is board 7 in the open room. Programs write that of mere deals too, which have none."""
    table = _TABLE_NUMBER.fullmatch(tags.value("qx"))
    is_played = tags.value("mc") or any(tag.value.strip() for tag in tags.sequence if tag.name in ("mb", "pc"))
    return {"o": "Open", "c": "Closed"}.get(table[1].lower(), "") if table and is_played else ""


def _vulnerability(tags: Tags, number: int | None) -> Vulnerability:
    stated = tags.first["sv"].read(read_vulnerability) if "sv" in tags.first else None
    return stated or (board_vulnerability(number) if number else Vulnerability.NONE)


def _calls(sequence: list[Tag]) -> list[Call]:
    """Return the calls, each explained by all that is said between it and the next."""
    calls: list[Call] = []
    explanations: dict[int, list[str]] = defaultdict(list)
    for tag in sequence:
        if tag.name == "mb":
            calls += tag.read(read_calls)
        elif tag.name == "an" and calls:
            explanations[len(calls) - 1].append(unescape_text(tag.value))
        if len(calls) > MAX_CALLS:
            message = f"No auction has more than {MAX_CALLS} calls."
            raise NotationError("malformed_auction", message, tag.line)
    for index, texts in explanations.items():
        calls[index] = replace(calls[index], explanation=to_one_line(" ".join(texts)))
    return calls


def _cards(sequence: list[Tag]) -> list[str]:
    return [card for tag in sequence if tag.name == "pc" for card in tag.read(read_cards)]


def _tricks(tags: Tags, auction: Auction | None) -> int | None:
    """Return the tricks claimed; a claim of nothing on a passed-out board is no result."""
    claimed = tags.first["mc"].read(read_claim) if "mc" in tags.first else None
    contract = auction.contract if auction else None
    return None if contract and contract.passed_out and not claimed else claimed
