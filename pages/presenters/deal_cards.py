"""Deals in lists for people: the board that was found, and what came of the deal at all tables of its event."""

from collections.abc import Iterable, Sequence

from boards.catalogue.deals import FoundDeal
from boards.catalogue.reading import read_cards
from boards.events.listing import DealResults
from boards.events.tables import Table
from boards.models import Board
from boards.models.names import origin_of
from bridge.texts import line_for_people
from pages.presenters.boards import BoardPreview
from themes.models import Theme


class DealCard(BoardPreview):
    """A deal in a list. `found` counts those of several tables that the list has. `title` is that of the deal.

    In the list of one event, which has its name above, it is called by its title or its number alone.
    """

    def __init__(
        self,
        board: Board,
        themes: Iterable[Theme],
        languages: Sequence[str],
        tables: Sequence[Table] = (),
        found: int = 0,
        title: str = "",
        *,
        is_in_event: bool = False,
    ) -> None:
        super().__init__(board, themes, languages)
        self.found, self.title, self.is_in_event = found, title or board.deal_title, is_in_event
        self.results = DealResults(tables)

    @property
    def has_several(self) -> bool:
        return len(self.results) > 1

    @property
    def name(self) -> str:
        """Return the title of the deal before that of one of its tables."""
        own_name = self.name_in_event if self.is_in_event else super().name
        return line_for_people(self.title) or own_name

    @property
    def number(self) -> str:
        return f"{len(self.results)} results"

    @property
    def origin(self) -> str:
        return self.board.stage if self.is_in_event else origin_of(self.board, with_table=not self.has_several)


def build_cards(deals: Sequence[FoundDeal], languages: Sequence[str], *, is_in_event: bool = False) -> list[DealCard]:
    """Return the cards of these deals. One whose board is unpublished meanwhile is left out."""
    boards = read_cards([deal.board_id for deal in deals])
    found = ((deal, *boards[deal.board_id]) for deal in deals if deal.board_id in boards)
    return [DealCard(board, themes, languages, *deal[1:], is_in_event=is_in_event) for deal, board, themes in found]
