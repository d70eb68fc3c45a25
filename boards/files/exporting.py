"""Writing boards as PBN or LIN files: one board, or all that a query finds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.records import COLUMNS, record_from, record_of
from deals.bridge.board import BoardRecord
from deals.bridge.formats.files import FileFormat
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.double_dummy import Par
from deals.exporting import analysis_of

CHUNK_SIZE = 500


class ExportedBoard(NamedTuple):
    """What a file says of a board: its record, and its deal's double dummy and par as they are stored."""

    record: BoardRecord
    double_dummy: str
    par: Mapping[str, Par] | None

    def write(self, file_format: FileFormat) -> str:
        if file_format is FileFormat.LIN:
            return write_lin(self.record)
        return write_pbn(self.record, analysis_of(self.double_dummy, self.par, self.record))


def write_file(board: Board, file_format: FileFormat) -> str:
    """Return a file of this board alone. Select the board's deal and auction system with it: both are read."""
    exported = ExportedBoard(record_of(board), board.deal.double_dummy, board.deal.par)
    return file_header(file_format) + exported.write(file_format)


def stream_file(
    boards: BoardQuerySet, file_format: FileFormat, *, by_number: bool = False
) -> Iterator[bytes]:
    """Stream a file of published boards, newest first or, for those of an event, in the order of their numbers."""
    yield file_header(file_format).encode()
    for chunk in iterate_event(boards) if by_number else iterate_chunks(boards):
        yield "".join(board.write(file_format) for board in chunk).encode()


def file_header(file_format: FileFormat) -> str:
    """Return the first lines of a file. LIN has none."""
    return HEADER if file_format is FileFormat.PBN else ""


def iterate_chunks(boards: BoardQuerySet) -> Iterator[list[ExportedBoard]]:
    """Yield the boards, newest first, in lists of CHUNK_SIZE. The memory it takes does not grow with their number.

    Each query continues after the last board by its key. With a cursor a transaction would stay open for a slow
    reader, and with an offset each chunk would cost more than the one before.
    """
    boards = boards.newest_first()
    rows = read_rows(boards)
    while rows:
        yield list(map(exported_board, rows))
        published_at, pk = rows[-1][:2]
        rows = read_rows(boards.published_before(published_at, pk))


def iterate_event(boards: BoardQuerySet) -> Iterator[list[ExportedBoard]]:
    """Yield the boards of one event in the order of their numbers, in lists of CHUNK_SIZE.

    Their ids are read first: an event has some dozens, and a board that is published meanwhile moves no other.
    """
    ids = list(boards.in_order_of_event().values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK_SIZE):
        chunk = ids[start : start + CHUNK_SIZE]
        rows = {row[1]: row for row in read_rows(boards.filter(pk__in=chunk))}
        yield [exported_board(rows[pk]) for pk in chunk if pk in rows]


def exported_board(row: Sequence[Any]) -> ExportedBoard:
    """Return what a file says of a row of `read_rows`."""
    _, _, double_dummy, par, *columns = row
    return ExportedBoard(record_from(columns), double_dummy, par)


def read_rows(boards: BoardQuerySet) -> list[tuple[Any, ...]]:
    columns = ("published_at", "pk", "deal__double_dummy", "deal__par", *COLUMNS)
    return list(boards.values_list(*columns)[:CHUNK_SIZE])
