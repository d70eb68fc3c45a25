"""Deals in lists for people: the board that was found, and what came of the deal at all tables of its event."""

from collections.abc import Iterable, Sequence

from boards.catalogue.deals import FoundDeal
from boards.events.listing import DealResults
from boards.models import Board
from boards.models.names import origin_of
from pages.presenters.boards import BoardPreview
from themes.models import Theme


class DealCard(BoardPreview):
    """A deal in a list. A deal of one table is its board, as in any list of boards.

    `found` counts those of several tables that the list has.
    """

    def __init__(self, board: Board, themes: Iterable[Theme], languages: Sequence[str], deal: FoundDeal) -> None:
        super().__init__(board, themes, languages)
        self.found = deal.found
        self.results = DealResults(deal.tables)

    @property
    def has_several(self) -> bool:
        return len(self.results) > 1

    @property
    def number(self) -> str:
        return f"{len(self.results)} results"

    @property
    def origin(self) -> str:
        return origin_of(self.board, with_table=not self.has_several)


def build_cards(deals: Sequence[FoundDeal], languages: Sequence[str]) -> list[DealCard]:
    """Return the cards of these deals. One whose board is unpublished meanwhile is left out."""
    boards = Board.objects.published().with_details().in_bulk([deal.board_id for deal in deals])
    return [
        DealCard(board, board.themes.all(), languages, deal) for deal in deals if (board := boards.get(deal.board_id))
    ]
