"""Repairs of a record whose parts contradict each other: what both readers keep, leave out, and say of it.

docs/files.md has the rules. bridge.formats.pbn.repairs has those that only PBN needs.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from bridge.auction import Auction
from bridge.board import BoardRecord
from bridge.errors import BridgeError, NotationError
from bridge.formats.outcomes import Check, GivenPoints, ReadBoard, RecordError, RecordWarning
from bridge.texts import MAX_EXPLANATION_LENGTH

_CODES = {
    "auction": "malformed_auction malformed_call illegal_call dealer_contradicts_auction contract_contradicts_auction",
    "contract": "malformed_contract unknown_declarer",
    "play": "malformed_card malformed_play illegal_lead illegal_play lead_contradicts_play lead_without_contract"
    " play_without_contract",
    "result": "impossible_result result_contradicts_play result_without_contract",
    "vulnerability": "malformed_vulnerability",
}
PARTS = {code: part for part, codes in _CODES.items() for code in codes.split()}
"""The part of a record that an error is about, by its code."""

FILE_CUT = "file_cut"
DRAFT = "The board is a draft, since nothing shows which is right."
_DOUBTFUL = "The play was left out, and the board is a draft: either its hands or its declarer are wrong."

_WHOLE_TRICK = 4
"""Fewer cards are what a player keys beside the result: the lead, perhaps dummy's card too."""


@dataclass
class Repairs:
    """The repairs of one record, which begins at `line`, and how it is to be read. A `strict` reader has none."""

    record: int
    board: str
    line: int
    check: Check
    strict: bool
    points: GivenPoints | None = None
    warnings: list[RecordWarning] = field(default_factory=list)
    dropped_texts: set[str] = field(default_factory=set)
    is_doubtful: bool = False
    is_cut: bool = False
    has_dropped_lead: bool = False

    def read(self, read_board: Callable[[], BoardRecord]) -> ReadBoard | RecordError:
        """Read a record again and again, each time with one fault less, until it is sound or cannot be kept."""
        while True:
            try:
                board = self.finish(read_board())
                self.check_whole(board)
            except BridgeError as error:
                line = self.find_line(error)
                if self.strict or not self.try_repair(error, line):
                    return RecordError(self.record, self.board, line, error.code, error.message)
            else:
                warnings = tuple(self.warnings)
                return ReadBoard(self.record, self.board, board, warnings, self.is_doubtful, self.line, self.points)

    def check_whole(self, board: BoardRecord) -> None:
        """Raise BridgeError for what is wrong with a record whose parts can be read."""
        self.check(board)

    def find_line(self, error: BridgeError) -> int:
        """Return the line to report for an error."""
        return error.line if isinstance(error, NotationError) else self.line

    def try_repair(self, error: BridgeError, line: int) -> bool:
        """Repair or leave out what the error is about. Return False where the record cannot be kept."""
        with suppress(BridgeError):  # The repair needs another part, which cannot be read either.
            return self.repair(error, line)
        return False

    def repair(self, error: BridgeError, line: int) -> bool:
        """Do so, or raise BridgeError for a part that the repair needs and cannot read."""
        if error.code == FILE_CUT:
            self.is_cut = True
            self.warn(FILE_CUT, f"{error.message} What is before that was kept.", line)
            return True
        is_text = error.code in ("text_too_long", "unknown_value")
        if is_text and error.part and error.part not in self.dropped_texts:
            self.dropped_texts.add(error.part)
            self.warn("text_dropped", f"{error.message} It was left out.", line)
            return True
        return self.repair_part(error, line)

    def repair_part(self, error: BridgeError, line: int) -> bool:
        """Do the same with what is neither a text nor the end of the file."""
        raise NotImplementedError  # each format has parts of its own

    def warn(self, code: str, message: str, line: int) -> None:
        self.warnings.append(RecordWarning(self.record, self.board, line, code, message))

    def warn_of_drop(self, part: str, error: BridgeError, line: int) -> None:
        is_taken = part == "vulnerability"
        what = "was taken from the board number, or is None" if is_taken else "was left out"
        self.warn(f"{part}_dropped", f"{error.message} The {part} {what}.", line)

    def warn_of_passes(self, count: int, line: int) -> None:
        passes = "1 pass was" if count == 1 else f"{count} passes were"
        self.warn("passes_left_out", f"{passes} left out after the end of the auction.", line)

    def warn_of_shortened_play(self, tricks: int, error: BridgeError, line: int) -> None:
        self.warn("play_shortened", f"{error.message} The play was kept up to trick {tricks}.", line)

    def drop_lead(self, error: BridgeError, line: int, *, cards: int) -> None:
        """Drop this number of cards, the first of which is not in the leader's hand.

        A lead that a player keyed alone is a slip; one that begins a play makes the board doubtful.
        """
        self.has_dropped_lead = cards < _WHOLE_TRICK
        if self.has_dropped_lead:
            self.warn("lead_dropped", f"{error.message} The lead was left out.", line)
        else:
            self.is_doubtful = True
            self.warn("play_dropped", f"{error.message} {_DOUBTFUL}", line)

    def finish(self, board: BoardRecord) -> BoardRecord:
        """Return the record without the texts that were dropped."""
        if not self.dropped_texts:
            return board
        blank: dict[str, Any] = dict.fromkeys(self.dropped_texts - {"explanation"}, "")
        auction = board.auction
        if auction and "explanation" in self.dropped_texts:
            calls = (
                replace(call, explanation="") if len(call.explanation) > MAX_EXPLANATION_LENGTH else call
                for call in auction.calls
            )
            auction = Auction(auction.dealer, tuple(calls))
        return replace(board, auction=auction, **blank)


def file_cut(end: str, line: int) -> NotationError:
    """Return the flaw of a file that ends within a tag."""
    return NotationError(FILE_CUT, f"The file ends within the tag {end[:20]!r}.", line)
