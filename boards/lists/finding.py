"""The boards that a selection asks for, as a query: for drafts, and for answers that are longer than a page.

Pages of published boards are read by one statement, which boards.catalogue.reading writes.
"""

from collections.abc import Collection

from django.db.models import Exists, OuterRef

from boards.catalogue.facets import facets_for
from boards.filters.declarations import FILTERS
from boards.filters.parameters import BoardSelection
from boards.models import Board, BoardFacet
from boards.querysets import BoardQuerySet
from themes.label_cache import get_label_cache, get_revision


def find_published_boards(selection: BoardSelection) -> BoardQuerySet:
    """Return the selected published boards in a total order, for answers of any length."""
    boards = narrow(Board.objects.published(), selection)
    if selection.filters:
        for alternatives in facets_for(selection.filters, get_label_cache(get_revision())):
            boards = in_any_list(boards, alternatives)
    return boards.top_first() if selection.sort == "top" else boards.newest_first()


def in_any_list(boards: BoardQuerySet, facets: Collection[str]) -> BoardQuerySet:
    """Return the published boards that stand in at least one of these lists (boards.catalogue.facets)."""
    lists = BoardFacet.objects.filter(facet__in=facets)
    here = lists.filter(board_id=OuterRef("pk"), published_at=OuterRef("published_at"))
    return boards.filter(Exists(here))


def narrow(boards: BoardQuerySet, selection: BoardSelection) -> BoardQuerySet:
    """Return those of the boards that were changed and played when the selection says."""
    if selection.updated_since:
        boards = boards.filter(updated_at__gte=selection.updated_since)
    return boards.played_in(selection.played) if selection.played else boards


def find_drafts(selection: BoardSelection) -> BoardQuerySet:
    """Return the selected drafts in a total order. They stand in no list, so their own columns are compared."""
    boards = narrow(Board.objects.drafts(), selection)
    labels = get_label_cache(get_revision())
    for name, value in [*selection.filters.items()][::-1]:  # the event at last, of what is left
        boards = FILTERS[name].narrow(boards, FILTERS[name].meant_by(value, labels))
    return boards.top_created_first() if selection.sort == "top" else boards.newest_created_first()
