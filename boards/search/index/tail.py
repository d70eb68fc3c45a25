"""Writing the index. Whoever stores, changes or deletes a board calls this in the same transaction.

Who changes a board that may stand in a segment holds the lock SEGMENTS in shared mode until the transaction ends, and
takes it before it looks where the board stands. The worker (boards.search.index.folding) takes the same lock alone for the
moment in which it replaces a segment. So no position is out of date.
"""

from collections.abc import Collection, Iterable

from django.db import connection

from boards.models import Board, IndexRow
from boards.search.facts import FORMAT, calls_of, encode_facts, tags_of
from boards.search.index.keys import key_of, past_keys
from boards.search.index.slices import PLACES
from boards.search.subject import Subject
from boards.search.words import words_of
from config.database.advisory_locks import lock_until_commit
from config.database.inserting import insert_rows

SEGMENTS = 5_201
"""The advisory lock of the segments. Writers share it."""

KILL = f"""
INSERT INTO boards_deadposition (segment_id, position)
SELECT place.* FROM unnest(%s::bytea[]) AS wanted(key) CROSS JOIN LATERAL {PLACES} AS place
ON CONFLICT DO NOTHING
"""


def make_row(board: Board) -> IndexRow:
    """Return the row of a board of `with_details()`, not stored."""
    subject = Subject(board)
    return IndexRow(
        board=board,
        key=key_of(board),
        facts=encode_facts(subject),
        tags=f" {' '.join(tags_of(subject))} ",
        calls=calls_of(subject),
        words=words_of(board),
        updated_at=board.updated_at,
        format=FORMAT,
    )


def index_new(boards: Iterable[Board]) -> None:
    """Index boards that this transaction has stored. They must be as `with_details` returns them."""
    insert_rows([make_row(board) for board in boards])


def index_changed(boards: Collection[Board]) -> None:
    """Index boards that were indexed before, or may have been. They must be as `with_details` returns them."""
    forget(boards)
    IndexRow.objects.filter(pk__in=[board.pk for board in boards]).delete()
    index_new(boards)


def forget(boards: Collection[Board]) -> None:
    """Take boards out of their segments, because they change or are going to be deleted. Their rows go with them."""
    forget_keys([key for board in boards for key in past_keys(board)])


def forget_keys(keys: Collection[bytes]) -> None:
    if connection.vendor != "postgresql" or not keys:
        return
    lock_until_commit(SEGMENTS, shared=True)
    with connection.cursor() as cursor:
        cursor.execute(KILL, [[*keys]])
