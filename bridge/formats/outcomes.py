"""What comes of each record of a file, a board with warnings, an error, or nothing, and results that find their deals.

Beside the records a file may give the ranking of its event.

Many programs that score write no hands, and programs that deal write nothing else. Two such files are joined by the
numbers of the boards. Nothing is guessed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple, TypeGuard

from bridge.board import BoardRecord
from bridge.errors import BridgeError
from bridge.formats.rankings import GivenRanking


@dataclass(frozen=True, slots=True)
class RecordRemark:
    """What a reader reports about one record.

    `record` counts the file's records from 1, good and bad alike. `board` is the board's number as the file writes it,
    or "". `line`, from 1, is the offending tag's where that is known, else the one where the record begins.
    """

    record: int
    board: str
    line: int
    code: str
    message: str


class RecordWarning(RecordRemark):
    """What was repaired in a record, or left out of it. As an outcome it is about the file, from this record on."""


class RecordError(RecordRemark):
    """Why a record cannot be kept."""


class SkippedRecord(RecordRemark):
    """Why a record was passed over that was never meant to have a deal, such as a table's score in a report."""


class GivenPoints(NamedTuple):
    """The points that a file gives a table: matchpoints or IMPs. East-West's are None where it gives one side's."""

    is_matchpoints: bool
    north_south: float
    east_west: float | None


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A record that is kept. `record` and `board` are those of a RecordRemark, and `line` is where it begins.
    `points` are never stored.

    `is_doubtful` when its hands or its declarer are wrong and nothing tells which, so that a person has to look at it.
    """

    record: int
    board: str
    content: BoardRecord
    warnings: tuple[RecordWarning, ...] = ()
    is_doubtful: bool = False
    line: int = 1
    points: GivenPoints | None = None


@dataclass(frozen=True, slots=True)
class TableWithoutDeal(SkippedRecord):
    """A table of a numbered board whose hands are not in its file. `texts` are those of a BoardRecord.

    `read_with` makes of it, once, what it is with the deal of a board, or skips it for the reason why there is none.
    """

    number: int
    texts: Mapping[str, str]
    read_with: Callable[[BoardRecord | BridgeError], "Outcome"] = field(repr=False, compare=False)


Outcome = ReadBoard | RecordError | SkippedRecord | RecordWarning | GivenRanking

Check = Callable[[BoardRecord], None]
"""Raises BridgeError for a record that is to be refused. One that is stricter than `BoardRecord.check` must call it."""


def place(
    outcome: Outcome, record: int, change: Callable[[RecordRemark], dict[str, Any]], line: int | None = None
) -> Outcome:
    """Return an outcome of a part of a file as the file's record of this number. `line` is where its board begins.

    `change` returns what is to be changed in a remark beside its number.
    """
    if isinstance(outcome, ReadBoard):
        warnings = tuple(replace(warning, record=record, **change(warning)) for warning in outcome.warnings)
        return replace(outcome, record=record, warnings=warnings, line=line or outcome.line)
    if isinstance(outcome, GivenRanking):
        return replace(outcome, record=record, line=line or outcome.line)
    if isinstance(outcome, TableWithoutDeal):
        read_with = outcome.read_with
        outcome = replace(outcome, read_with=lambda deal: place(read_with(deal), record, change, line))
    return replace(outcome, record=record, **change(outcome))


MAX_HELD = 10_000
"""Records of an archive that are held until all its deals are known. An evening has fewer."""

MAX_OF_NUMBER = 50
"""Deals of one number that a table is compared with."""

_EVENING = ("event", "site", "date")
_MARKS = ("event", "date", "stage")


class Deals:
    """The deals of one evening or of several, by the numbers of their boards."""

    def __init__(self, boards: Iterable[BoardRecord] = ()) -> None:
        self._by_number: dict[int, dict[tuple[str, ...], BoardRecord]] = defaultdict(dict)
        for board in boards:
            self.add(board)

    def add(self, board: BoardRecord) -> None:
        """Add the deal of a board. Nothing finds that of one without a number."""
        deals = self._by_number[board.board_number or 0]
        if len(deals) <= MAX_OF_NUMBER:
            deals.setdefault((board.layout.cards, *(getattr(board, mark) for mark in _MARKS)), board)

    def join(self, table: TableWithoutDeal) -> Outcome:
        """Return what a table is with the only deal of its number, or of its number in its event, day and stage."""
        of_number = self._by_number.get(table.number, {})
        deals = list(of_number.values())
        for mark in _MARKS:
            value = table.texts[mark].casefold()
            deals = [deal for deal in deals if value and getattr(deal, mark).casefold() == value] or deals
        if len(of_number) <= MAX_OF_NUMBER and len({deal.layout.cards for deal in deals}) == 1:
            return table.read_with(deals[0])
        if not deals:
            return table
        message = f"Board {table.number} has several deals, and nothing says which of them this table played."
        return table.read_with(BridgeError("deals_differ", message))


def join_files(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """Yield the records of an archive, the tables without hands with the deals of its other files.

    A deal that such a table played is not a board too, and other deals without an event are of the results' evening.
    """
    held = list(islice(outcomes, MAX_HELD + 1))
    if len(held) > MAX_HELD or not any(isinstance(each, TableWithoutDeal) for each in held):
        yield from held
        yield from outcomes
        return
    yield from _join_held(held)


def _join_held(held: Sequence[Outcome]) -> Iterator[Outcome]:
    deals = Deals(each.content for each in held if isinstance(each, ReadBoard))
    joined = {each.record: deals.join(each) for each in held if isinstance(each, TableWithoutDeal)}
    tables = [each.content for each in joined.values() if isinstance(each, ReadBoard)]
    played = {(table.board_number, table.layout.cards) for table in tables}
    evening = _evening_of(tables)
    for each in held:
        if isinstance(each, TableWithoutDeal):
            yield joined[each.record]
        elif not _is_deal_alone(each):
            yield each
        elif (each.content.board_number, each.content.layout.cards) not in played:
            yield each if each.content.event else replace(each, content=replace(each.content, **evening))


def _evening_of(tables: Iterable[BoardRecord]) -> dict[str, Any]:
    """Return the texts of the evening that all tables are of, {} where they are of none or of several."""
    evenings = set(map(attrgetter(*_EVENING), tables))
    return dict(zip(_EVENING, evenings.pop(), strict=True)) if len(evenings) == 1 else {}


def _is_deal_alone(outcome: Outcome) -> TypeGuard[ReadBoard]:
    """Tell whether a record says nothing but a deal."""
    if not isinstance(outcome, ReadBoard):
        return False
    board = outcome.content
    said = board.contract, board.auction, board.adjustment, board.commentary, board.title, outcome.warnings
    return bool(board.board_number) and not any(said)
