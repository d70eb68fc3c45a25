"""Writing boards as PBN or LIN files: one board, or all that a query finds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from boards.events.reading import EVENT
from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.records import COLUMNS, record_of, record_of_row
from boards.searching.parameters import BoardSelection
from bridge.board import BoardRecord
from bridge.double_dummy import Par
from bridge.formats.files import FileFormat
from bridge.formats.lin.writer import write_lin
from bridge.formats.pbn.writer import HEADER, write_pbn
from deals.exporting import analysis_of
from search.index.finding import iterate_boards as find_all
from themes.labels import get_label_cache, get_revision

CHUNK_SIZE = 500


class ExportedBoard(NamedTuple):
    """What a file says of a board: its record, its deal's double dummy and par, and its play's trace as stored."""

    record: BoardRecord
    double_dummy: str
    par: Mapping[str, Par] | None
    trace: str

    def in_lesson(self, number: int, note: str) -> "ExportedBoard":
        """Return the board with another number, and with a note on it before its commentary."""
        commentary = "\n\n".join(filter(None, (note, self.record.commentary)))
        return self._replace(record=replace(self.record, board_number=number, commentary=commentary))

    def write(self, file_format: FileFormat) -> str:
        if file_format is FileFormat.LIN:
            return write_lin(self.record)
        return write_pbn(self.record, analysis_of(self.double_dummy, self.par, self.record), self.trace)


def write_file(board: Board, file_format: FileFormat) -> str:
    """Return a file of this board alone. Select its deal, auction system and analysis with it: all are read."""
    trace = board.trace.digits if board.trace else ""
    exported = ExportedBoard(record_of(board), board.deal.double_dummy, board.deal.par, trace)
    return file_header(file_format) + exported.write(file_format)


def stream_file(selection: BoardSelection, file_format: FileFormat) -> Iterator[bytes]:
    """Stream a file of published boards, newest first or, for those of an event, in the order of their numbers.

    The header comes with the first boards, so that a search that is refused raises before anything is sent.
    """
    chunks = ("".join(board.write(file_format) for board in chunk) for chunk in iterate_boards(selection))
    yield (file_header(file_format) + next(chunks, "")).encode()
    yield from map(str.encode, chunks)


def file_header(file_format: FileFormat) -> str:
    """Return the first lines of a file. LIN has none."""
    return HEADER if file_format is FileFormat.PBN else ""


def iterate_boards(selection: BoardSelection) -> Iterator[list[ExportedBoard]]:
    """Yield the selected published boards in lists of CHUNK_SIZE. The memory it takes does not grow with their number.

    Each list is found after the last board of the one before. With a cursor of the database a transaction would stay
    open for a slow reader, and with an offset each list would cost more than the one before.
    """
    condition = selection.condition(get_label_cache(get_revision()))
    chunks: Iterator[list[UUID]] = (found.ids for found in find_all(condition, CHUNK_SIZE))
    if EVENT in selection.filters:
        boards = Board.objects.filter(pk__in=[pk for chunk in chunks for pk in chunk])  # some dozens
        ordered = list(boards.in_order_of_event().values_list("pk", flat=True))
        chunks = (ordered[start : start + CHUNK_SIZE] for start in range(0, len(ordered), CHUNK_SIZE))
    for ids in chunks:
        exported = read_exported(ids, Board.objects.published())
        yield [exported[pk] for pk in ids if pk in exported]


def read_exported(board_ids: Sequence[UUID], boards: BoardQuerySet) -> dict[UUID, ExportedBoard]:
    """Return what a file says of those of these boards that are among `boards`, by their ids."""
    columns = ("pk", "deal__double_dummy", "deal__par", "analysis__trace", *COLUMNS)
    rows: Iterable[Any] = boards.filter(pk__in=board_ids).values_list(*columns, named=True)
    return {
        row.pk: ExportedBoard(record_of_row(row), row.deal__double_dummy, row.deal__par, row.analysis__trace or "")
        for row in rows
    }
