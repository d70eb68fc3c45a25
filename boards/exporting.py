"""Boards as PBN files: one, or all that a query finds."""

from collections.abc import Iterator

from django.db.models import Q

from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.records import record_of
from deals.bridge.pbn_writer import HEADER, write_pbn

CHUNK = 500


def pbn_file(board: Board) -> str:
    return HEADER + write_pbn(record_of(board))


def stream_pbn(boards: BoardQuerySet) -> Iterator[bytes]:
    """A PBN file of published boards, newest first, in bounded memory however many there are."""
    yield HEADER.encode()
    for chunk in walk(boards):
        yield "".join(write_pbn(record_of(board)) for board in chunk).encode()


def walk(boards: BoardQuerySet) -> Iterator[list[Board]]:
    """By key and not by cursor: no transaction stays open for a slow reader, and no chunk costs more than the first."""
    boards = boards.newest_first().select_related("deal", "auction_system")
    chunk = list(boards[:CHUNK])
    while chunk:
        yield chunk
        last = chunk[-1]
        after = Q(published_at__lt=last.published_at) | Q(published_at=last.published_at, pk__gt=last.pk)
        chunk = list(boards.filter(after)[:CHUNK])
