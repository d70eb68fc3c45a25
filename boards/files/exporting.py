"""Boards as files: one, or all that a query finds."""

from collections.abc import Iterator

from django.db.models import Q

from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.records import record_of
from deals.bridge.files import FileFormat
from deals.bridge.lin.writer import write_lin
from deals.bridge.pbn.writer import HEADER, write_pbn
from deals.exporting import analysis_of

CHUNK = 500


def board_file(board: Board, file_format: FileFormat) -> str:
    """A file of this board alone; needs its deal and auction system."""
    return header(file_format) + written(board, file_format)


def stream_file(boards: BoardQuerySet, file_format: FileFormat) -> Iterator[bytes]:
    """A file of published boards, newest first, in bounded memory however many there are."""
    yield header(file_format).encode()
    for chunk in walk(boards):
        yield "".join(written(board, file_format) for board in chunk).encode()


def header(file_format: FileFormat) -> str:
    """LIN has none."""
    return HEADER if file_format is FileFormat.PBN else ""


def written(board: Board, file_format: FileFormat) -> str:
    record = record_of(board)
    if file_format is FileFormat.LIN:
        return write_lin(record)
    return write_pbn(record, analysis_of(board.deal, record))


def walk(boards: BoardQuerySet) -> Iterator[list[Board]]:
    """By key and not by cursor: no transaction stays open for a slow reader, and no chunk costs more than the first."""
    boards = boards.newest_first().select_related("deal", "auction_system")
    chunk = list(boards[:CHUNK])
    while chunk:
        yield chunk
        last = chunk[-1]
        after = Q(published_at__lt=last.published_at) | Q(published_at=last.published_at, pk__gt=last.pk)
        chunk = list(boards.filter(after)[:CHUNK])
