"""Writing boards as PBN or LIN files: one board, or all that a query finds."""

from collections.abc import Iterator

from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.records import record_of
from deals.bridge.files import FileFormat
from deals.bridge.lin.writer import write_lin
from deals.bridge.pbn.writer import HEADER, write_pbn
from deals.exporting import analysis_of

CHUNK_SIZE = 500


def write_file(board: Board, file_format: FileFormat) -> str:
    """Return a file of this board alone. Select the board's deal and auction system with it: both are read."""
    return file_header(file_format) + write_board(board, file_format)


def stream_file(boards: BoardQuerySet, file_format: FileFormat) -> Iterator[bytes]:
    """Stream a file of published boards, newest first. The memory it takes does not grow with their number."""
    yield file_header(file_format).encode()
    for chunk in iterate_chunks(boards):
        yield "".join(write_board(board, file_format) for board in chunk).encode()


def file_header(file_format: FileFormat) -> str:
    """Return the first lines of a file. LIN has none."""
    return HEADER if file_format is FileFormat.PBN else ""


def write_board(board: Board, file_format: FileFormat) -> str:
    record = record_of(board)
    if file_format is FileFormat.LIN:
        return write_lin(record)
    return write_pbn(record, analysis_of(board.deal, record))


def iterate_chunks(boards: BoardQuerySet) -> Iterator[list[Board]]:
    """Yield the boards, newest first, in lists of CHUNK_SIZE.

    Each query continues after the last board by its key. With a cursor a transaction would stay open for a slow
    reader, and with an offset each chunk would cost more than the one before.
    """
    boards = boards.newest_first().select_related("deal", "auction_system")
    chunk = list(boards[:CHUNK_SIZE])
    while chunk:
        yield chunk
        last = chunk[-1]
        assert last.published_at
        chunk = list(boards.published_before(last.published_at, last.pk)[:CHUNK_SIZE])
