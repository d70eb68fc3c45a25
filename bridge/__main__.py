"""`python -m bridge FILE`: say what is in bridge files, what was repaired, and what was left out, with lines."""

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BufferedReader, FileIO
from typing import BinaryIO, cast

from bridge.board import BoardRecord
from bridge.formats.files import find_format, read_boards
from bridge.formats.foreign_files import NOT_A_BRIDGE_FILE
from bridge.formats.outcomes import Outcome, ReadBoard, RecordError, RecordRemark, RecordWarning
from bridge.formats.rankings import GivenRanking
from bridge.formats.raw_records import BLOCK_SIZE, open_file
from bridge.texts import to_one_line

SUCCESS, REFUSED, UNREADABLE = range(3)
"""The exit statuses. That of several files is the highest."""

STATUSES = """exit status:
  0  all records were read, some perhaps repaired
  1  a record was refused, or a file is not a bridge file
  2  a file could not be opened, or the command is wrong"""

STANDARD_INPUT = 0

MAX_SHOWN = 3
"""The remarks of one code that are shown without --all."""

PARTS: dict[str, Callable[[BoardRecord], object]] = {
    "an auction": lambda board: board.auction,
    "a contract": lambda board: board.contract,
    "an opening lead": lambda board: board.opening_lead,
    "a play": lambda board: board.play,
    "a result": lambda board: board.tricks is not None or board.adjustment,
    "a commentary": lambda board: board.commentary or board.deal_commentary,
}


@dataclass
class Remarks:
    """Remarks by their codes: how many there are, and the first `limit` of each, or all when it is None."""

    limit: int | None
    counts: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[RecordRemark]] = field(default_factory=dict)

    def add(self, remark: RecordRemark) -> None:
        self.counts[remark.code] += 1
        if self.limit is None or self.counts[remark.code] <= self.limit:
            self.shown.setdefault(remark.code, []).append(remark)

    def lines(self, heading: str) -> Iterator[str]:
        """Yield a heading, then each code with its remarks; nothing when there are none."""
        if self.counts:
            yield f"  {heading}:"
        for code, count in self.counts.most_common():
            yield f"    {count:,} × {code}"
            for remark in self.shown[code]:
                board = f", board {to_one_line(remark.board)}" if remark.board else ""
                yield f"      line {remark.line}{board}: {to_one_line(remark.message)}"
            if hidden := count - len(self.shown[code]):
                yield f"      {hidden:,} more: --all shows them"


class Contents:
    """What is in a file, counted while it is read."""

    def __init__(self, limit: int | None) -> None:
        self.boards = self.drafts = self.rankings = 0
        self.parts: Counter[str] = Counter()
        self.warnings, self.refused, self.passed_over = Remarks(limit), Remarks(limit), Remarks(limit)

    def add(self, outcome: Outcome) -> None:
        """Count what comes of a record."""
        if isinstance(outcome, ReadBoard):
            self.boards += 1
            self.drafts += outcome.is_doubtful
            self.parts.update(name for name, part in PARTS.items() if part(outcome.content))
            for warning in outcome.warnings:
                self.warnings.add(warning)
        elif isinstance(outcome, GivenRanking):
            self.rankings += 1
        elif isinstance(outcome, RecordWarning):
            self.warnings.add(outcome)
        else:
            (self.refused if isinstance(outcome, RecordError) else self.passed_over).add(outcome)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        kinds = ((self.boards, "board"), (self.rankings, "ranking"))
        counts = [count_of(number, kind) for number, kind in kinds if number or kind == "board"]
        remarks = ((self.refused, "refused"), (self.passed_over, "passed over"))
        yield "  " + ", ".join(counts + [f"{each.counts.total():,} {how}" for each, how in remarks if each.counts])
        if parts := ", ".join(f"{self.parts[name]:,} with {name}" for name in PARTS if self.parts[name]):
            yield f"  Boards: {parts}"
        if self.drafts:
            yield f"  Drafts: {count_of(self.drafts, 'board')} whose contradictions nothing decides"
        yield from self.warnings.lines("Repaired, or left out of a board")
        yield from self.refused.lines("Refused")
        yield from self.passed_over.lines("Passed over")


def count_of(number: int, kind: str) -> str:
    return f"{number:,} {kind}{'s' * (number != 1)}"


class Stream:
    """A file, perhaps a pipe, as text whose first bytes have been looked at."""

    def __init__(self, file: BinaryIO) -> None:
        self.head, blocks = open_file(iter(partial(file.read, BLOCK_SIZE), b""))
        self._blocks = filter(None, blocks)

    def read(self, size: int) -> bytes:
        """Return the next bytes, whatever their number."""
        return next(self._blocks, b"")


def report(name: str, limit: int | None) -> int:
    """Print what is in a file, and return the exit status. "-" is the standard input."""
    label = "standard input" if name == "-" else to_one_line(name)
    contents = Contents(limit)
    try:
        with BufferedReader(FileIO(STANDARD_INPUT if name == "-" else name), BLOCK_SIZE) as file:
            stream = Stream(file)
            for outcome in read_boards(cast(BinaryIO, stream)):
                if isinstance(outcome, RecordError) and outcome.code == NOT_A_BRIDGE_FILE:
                    return fail(label, outcome.message, REFUSED)
                contents.add(outcome)
    except OSError as error:
        return fail(label, f"{error.strerror}.", UNREADABLE)
    file_format = find_format(stream.head)
    assert file_format  # else it is not a bridge file
    print(f"{label}: {file_format.name}", *contents.lines(), sep="\n")
    return REFUSED if contents.refused.counts else SUCCESS


def fail(label: str, message: str, status: int) -> int:
    print(f"{label}: {message}", file=sys.stderr)
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Report on each file of the command line, and return the highest exit status."""
    parser = argparse.ArgumentParser(
        "python -m bridge",
        description="List what bridge files contain: boards, repairs and omissions, with line numbers.",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of any format, or - for standard input")
    parser.add_argument("--all", action="store_true", help=f"show all remarks, not {MAX_SHOWN} of each kind")
    options = parser.parse_args(arguments)
    return max(report(name, None if options.all else MAX_SHOWN) for name in options.files)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a traceback
    sys.exit(main())
