"""Writing the index. Whoever stores or changes a board calls this in the same transaction.

Who deletes a board, or gives it another number, calls boards.models.leave_numbers too.
"""

from collections.abc import Iterable
from operator import attrgetter

from boards.models import Board, IndexRow
from boards.search.facts import calls_of, encode_facts, tags_of
from boards.search.subject import Subject
from boards.search.words import words_of
from config.database.inserting import insert_rows


def make_row(board: Board) -> IndexRow:
    """Return the row of a board of `with_details()`, not stored."""
    subject = Subject(board)
    return IndexRow(
        number=board.number,
        facts=encode_facts(subject),
        tags=f" {' '.join(tags_of(subject))} ",
        calls=calls_of(subject),
        words=words_of(board),
        updated_at=board.updated_at,
    )


def index_new(boards: Iterable[Board]) -> None:
    """Index boards that this transaction has stored. They must be as `with_details` returns them."""
    insert_rows([make_row(board) for board in boards])


def index_changed(boards: Iterable[Board]) -> None:
    """Index boards that were indexed before, or may have been. They must be as `with_details` returns them."""
    insert_rows(sorted(map(make_row, boards), key=attrgetter("number")), replace=True)
