"""Boards as the subjects of a search: what the index is told of each."""

from collections.abc import Iterable, Iterator

from boards.analysis import PlaySummary, summarise_play
from boards.models import Board
from boards.records import record_of
from bridge.double_dummy import par_for
from search.facts import DRAFT, PUBLISHED, index_subjects
from search.subject import Subject


def index_boards(boards: Iterable[Board]) -> None:
    """Index boards of `with_details()` in the transaction that stores or changes them."""
    index_subjects(map(subject_of, boards))


def subject_of(board: Board) -> Subject:
    """Return what is known of a published board or a draft of `with_details()`."""
    deal, play = board.deal, summarise_play(board) or PlaySummary("")
    return Subject(
        record_of(board),
        number=board.number,
        updated_at=board.updated_at,
        tags=tags_of(board),
        makes=[int(digit, 16) for digit in deal.double_dummy],
        par=par_for(deal.par, board.vulnerability, board.dealer)["score"] if deal.par else None,
        costs=(play.lead, play.lost_by_declarer, play.lost_by_defence),
    )


def tags_of(board: Board) -> Iterator[str]:
    """Yield the tags that a board's record does not have: those of its filters (boards.searching.filters)."""
    yield PUBLISHED if board.published_at else DRAFT
    for theme in board.themes.all():
        yield f"theme:{theme.pk}"
    if slug := board.event_slug:
        yield f"event:{slug}"
    if board.auction_system_id:
        yield f"auctionSystem:{board.auction_system_id}"
    yield f"userId:{board.owner_id}"
