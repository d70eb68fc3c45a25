"""What a page shows of a board to its owner: its state, what staff say, and which buttons there are."""

from functools import cached_property

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.models.names import name_of, origin_of
from boards.services.reviews import Publishing, publishing


def may_publish() -> bool:
    return publishing() is not Publishing.OFF


def word_for_publishing() -> str:
    return "Publish" if publishing() is Publishing.OPEN else "Ask staff to publish"


class OwnBoard:
    """A board of whoever looks at it. Select its review with it in a list."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @property
    def name(self) -> str:
        return name_of(self.board) or "Untitled board"

    @property
    def origin(self) -> str:
        return origin_of(self.board)

    @cached_property
    def review(self) -> PublicationReview | None:
        return getattr(self.board, "review", None)

    @property
    def is_waiting(self) -> bool:
        return self.review is not None and self.review.is_waiting

    @property
    def sentence(self) -> str:
        """Return what staff answered, "" when they did not."""
        return self.review.sentence if self.review else ""

    @property
    def can_be_published(self) -> bool:
        return may_publish() and self.board.published_at is None and not self.is_waiting

    @property
    def can_be_withdrawn(self) -> bool:
        return self.board.published_at is not None or self.is_waiting

    @property
    def word_for_publishing(self) -> str:
        return word_for_publishing()


def own_board_of(board: Board, reader: Account | None) -> OwnBoard | None:
    """Return what a page shows of a board to its owner, and None for any other reader."""
    return OwnBoard(board) if reader and reader.pk == board.owner_id else None
