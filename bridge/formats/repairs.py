"""Repairs of a record whose parts contradict each other: what both readers keep, leave out, and say of it.

docs/files.md has the rules. bridge.formats.pbn.repairs has those that only PBN needs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from bridge.auction import Auction, Call
from bridge.board import BoardRecord
from bridge.errors import BridgeError, NotationError
from bridge.formats.outcomes import GivenPoints, ReadBoard, RecordWarning
from bridge.texts import MAX_EXPLANATION_LENGTH

PARTS = {
    "malformed_auction": "auction",
    "malformed_call": "auction",
    "illegal_call": "auction",
    "dealer_contradicts_auction": "auction",
    "contract_contradicts_auction": "auction",
    "malformed_contract": "contract",
    "unknown_declarer": "contract",
    "malformed_card": "play",
    "malformed_play": "play",
    "illegal_lead": "play",
    "illegal_play": "play",
    "lead_contradicts_play": "play",
    "lead_without_contract": "play",
    "play_without_contract": "play",
    "impossible_result": "result",
    "result_contradicts_play": "result",
    "result_without_contract": "result",
    "malformed_vulnerability": "vulnerability",
}
"""The part of a record that an error is about, by its code."""

LEFT_OUT = {
    "auction": "The auction was left out.",
    "contract": "The contract was left out.",
    "play": "The play was left out.",
    "result": "The result was left out.",
    "vulnerability": "The vulnerability was taken from the board number, or is None.",
}
"""What is said when a part is dropped. The warning's code is the part with `_dropped` behind it."""

FILE_CUT = "file_cut"

DOUBTFUL = "The play was left out, and the board is a draft: either its hands or its declarer are wrong."


DRAFT = "The board is a draft, since nothing tells which is right."

WHOLE_TRICK = 4
"""Fewer cards are what a player keys beside the result: the lead, perhaps dummy's card too."""


@dataclass(slots=True)
class Repairs:
    """The repairs of one record: what was done to it, and how it is to be read now."""

    record: int
    board: str
    warnings: list[RecordWarning] = field(default_factory=list)
    dropped_texts: set[str] = field(default_factory=set)
    is_doubtful: bool = False
    is_cut: bool = False
    has_dropped_lead: bool = False

    def warn(self, code: str, message: str, line: int) -> None:
        self.warnings.append(RecordWarning(self.record, self.board, line, code, message))

    def warn_of_drop(self, part: str, error: BridgeError, line: int) -> None:
        self.warn(f"{part}_dropped", f"{error.message} {LEFT_OUT[part]}", line)

    def warn_of_passes(self, count: int, line: int) -> None:
        passes = "1 pass was" if count == 1 else f"{count} passes were"
        self.warn("passes_left_out", f"{passes} left out after the end of the auction.", line)

    def drop_lead(self, error: BridgeError, line: int, *, cards: int) -> None:
        """Drop so many cards, the first of which lies in another hand than the leader's.

        A lead that a player keyed alone is a slip; one that begins a play makes the board doubtful.
        """
        self.has_dropped_lead = cards < WHOLE_TRICK
        if self.has_dropped_lead:
            self.warn("lead_dropped", f"{error.message} The lead was left out.", line)
        else:
            self.doubt(error, line)

    def doubt(self, error: BridgeError, line: int) -> None:
        """Drop the play of a board whose opening lead lies in another hand than the leader's."""
        self.is_doubtful = True
        self.warn("play_dropped", f"{error.message} {DOUBTFUL}", line)

    def keep_before_cut(self, error: BridgeError, line: int) -> bool:
        """Keep what is before the end of a file that was cut. Return whether that is what is wrong."""
        if error.code != FILE_CUT:
            return False
        self.is_cut = True
        self.warn(FILE_CUT, f"{error.message} What is before that was kept.", line)
        return True

    def drop_text(self, error: BridgeError, line: int) -> bool:
        """Leave out a text that is too long or none of its choices. Return whether that is what is wrong."""
        if error.code not in ("text_too_long", "unknown_value") or not error.part or error.part in self.dropped_texts:
            return False
        self.dropped_texts.add(error.part)
        self.warn("text_dropped", f"{error.message} It was left out.", line)
        return True

    def keep(self, board: BoardRecord, line: int, points: GivenPoints | None = None) -> ReadBoard:
        return ReadBoard(self.record, self.board, board, tuple(self.warnings), self.is_doubtful, line, points)

    def finish(self, board: BoardRecord) -> BoardRecord:
        """Return the record without the texts that were dropped."""
        if not self.dropped_texts:
            return board
        blank: dict[str, Any] = dict.fromkeys(self.dropped_texts - {"explanation"}, "")
        auction = board.auction
        if auction and "explanation" in self.dropped_texts:
            auction = Auction(auction.dealer, tuple(without_long_explanations(auction)))
        return replace(board, auction=auction, **blank)


def file_cut(end: str, line: int) -> NotationError:
    """Return the flaw of a file that ends within a tag."""
    return NotationError(FILE_CUT, f"The file ends within the tag {end[:20]!r}.", line)


def kept_up_to(tricks: int) -> str:
    return f"The play was kept up to trick {tricks}."


def without_long_explanations(auction: Auction) -> Iterator[Call]:
    for call in auction.calls:
        yield replace(call, explanation="") if len(call.explanation) > MAX_EXPLANATION_LENGTH else call
