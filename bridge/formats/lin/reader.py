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
from bridge.formats.foreign_files import Statistics, split_statistics
from bridge.formats.guard import read_each
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
from bridge.formats.raw_records import MAX_RECORD_SIZE, Blocks, RawRecord, count_lines, mend_line_ends
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
_OPENING = re.compile(rb"\|\s*+(q[\r\n]*+x|m[\r\n]*+d)\s*+(?=\|)", re.IGNORECASE)
"""The names of the tags also where a mail program has broken the line within them."""

_COMMENT = re.compile(rb"%(?<=[\r\n]%)[^\r\n]*+")
_NOTHING = b"| \t\r\n"


def read_tables(blocks: Blocks) -> Iterator[RawRecord]:
    """Yield the tables of a file in order: each begins at `qx`, or at a further `md` where files leave `qx` out.

    Text before the first is a record too, such as the header of a vugraph file. Every record begins with the bar before
    its first tag.
    """
    splitter = _Splitter()
    rest = b"|"
    for block in _without_comments(mend_line_ends(blocks)):
        text = rest + block
        end = text.rfind(b"|")
        yield from splitter.feed(text, end)
        rest = text[end:]
        if len(rest) > MAX_RECORD_SIZE:
            splitter.add(rest)
            rest = b"|"
    splitter.add(rest)
    yield from splitter.flush(is_last=True)


def _without_comments(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the blocks without the lines that begin with "%". Their line ends stay."""
    before = b"\n"
    for block in blocks:
        text = before + block
        line = text[max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 :]
        before = b"\n" + line[:1] if line[:1] in b"%" else b"x"
        yield _COMMENT.sub(b"", text)[1:] if b"%" in text else block


@dataclass(slots=True)
class _Splitter:
    """Collects the bytes of one table at a time. `number` is that of the current line, `start` of the table's first.

    Empty lines come before it, in whichever blocks.
    """

    number: int = 1
    start: int = 1
    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    has_deal: bool = False
    is_blank: bool = True

    def feed(self, text: bytes, end: int) -> Iterator[RawRecord]:
        """Add text, yield the tables that end in it. `text[end]` is the last bar: a tag may still begin after it."""
        begin = 0
        for opening in _OPENING.finditer(text, 0, end + 1):
            is_deal = opening[1][:1] in b"mM"
            if self.has_deal or not is_deal:
                self.add(text[begin : opening.start()])
                yield from self.flush()
                begin = opening.start()
            self.has_deal |= is_deal
        self.add(text[begin:end])

    def add(self, data: bytes) -> None:
        if self.is_blank:
            said = data.lstrip(_NOTHING)
            self.start = self.number + count_lines(data[: len(data) - len(said)])
            self.is_blank = not said
        self.number += count_lines(data)
        self.size += len(data)
        if self.size > MAX_RECORD_SIZE:
            self.parts.clear()
        elif data:
            self.parts.append(data)

    def flush(self, *, is_last: bool = False) -> Iterator[RawRecord]:
        """Yield the current table, if there is one, and begin the next."""
        data = b"".join(self.parts)
        if self.size > MAX_RECORD_SIZE or data.strip(_NOTHING):
            data, text = split_statistics(data, b"|") if is_last else (data, b"")
            yield RawRecord(self.start, data, self.size > MAX_RECORD_SIZE, is_last)
            if text:
                yield RawRecord(self.start + count_lines(data.lstrip(_NOTHING)), text)
        self.parts, self.size, self.has_deal, self.is_blank = [], 0, False, True


def read_lin(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield what comes of the records as `read_pbn` does. What has neither deal nor calls nor cards is not a record."""
    context = _Context()

    def read_table(record: RawRecord, before: int) -> Iterator[Outcome]:
        tags = read_tags(record)
        context.read_header(tags)
        if tags.error is None and not tags.is_table:
            if before and b"|" not in record.data:
                yield from Statistics().skip(before + 1, record.line)
            return
        context.complete(tags)
        board = str(_board_number(tags) or "")
        repairs = TableRepairs(before + 1, board, record.line, check, strict, tags=tags, room=_room(tags))
        yield repairs.read(partial(_board, tags, context, repairs))

    return read_each(read_tables(blocks), read_table)


TAGS = {"auction": ("mb", "an"), "play": ("pc",), "result": ("mc",), "vulnerability": ("sv",)}
"""The tags of each part that can be left out."""

PART_OF_TAG = {tag: part for part, tags in TAGS.items() for tag in tags}


@dataclass
class TableRepairs(Repairs):
    """The repairs of one table. After a repair only the first cards of the play, or the first calls, are read.

    `room` is the room of a table where anything was bid, played or claimed, even if that cannot be read.
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
        """Leave out the passes after the auction's end. Return False if there are none."""
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


def _vulnerability(tags: Tags, number: int | None) -> Vulnerability:
    """Return what the table says, else what its number implies."""
    said = tags.first["sv"].read(read_vulnerability) if "sv" in tags.first else None
    return said or (board_vulnerability(number) if number else Vulnerability.NONE)


def _board(tags: Tags, context: _Context, repairs: TableRepairs) -> BoardRecord:
    _refuse_incomplete(tags, repairs)
    number = _board_number(tags)
    said, layout = tags.first["md"].read(read_layout)
    dealer = said or (board_dealer(number) if number else Seat.SOUTH)
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
    """Return the tricks claimed; a claim of nothing on a passed-out board is not a result."""
    claimed = tags.first["mc"].read(read_claim) if "mc" in tags.first else None
    contract = auction.contract if auction else None
    return None if contract and contract.passed_out and not claimed else claimed
