"""Facets: the lists that a published board stands in, one for each value of each filter of GET /api/boards."""

from collections.abc import Iterable, Iterator, Mapping

from boards.models import Board
from themes.directory import Directory

ALL = "all"
"""The list of all published boards. It sorts before every other name."""

EVENT = "event"
"""The filter whose lists are short. What two lists have in common is stored, but not for these (boards/migrations)."""


def facets_of(board: Board) -> list[str]:
    """Return the names of the lists of a board of `with_details()`, in alphabetical order."""
    return sorted({ALL, *_facets_of(board)})


def _facets_of(board: Board) -> Iterator[str]:
    yield facet("dealer", board.dealer)
    yield facet("vulnerability", board.vulnerability)
    yield facet("userId", board.owner_id)
    if board.auction_system_id:
        yield facet("auctionSystem", board.auction_system_id)
    if board.event_slug:
        yield facet(EVENT, board.event_slug)
    for theme in board.themes.all():
        yield facet("theme", theme.pk)
        yield facet("themeType", theme.type)


def facet(name: str, value: object) -> str:
    """Return the list's name. `name` is the query parameter of the filter."""
    return f"{name}:{value}"


def facets_for(filters: Mapping[str, str], directory: Directory) -> list[list[str]]:
    """Return the alternatives for each filter: a board is found when it stands in one list of each.

    There is one alternative, but several for a theme's identifier that more than one type has, and none for an
    unknown theme or auction system.
    """
    alternatives = []
    for name, value in filters.items():
        values: Iterable[object] = [value]
        if name == "theme":
            values = directory.theme_ids_named(value)
        elif name == "auctionSystem":
            values = directory.auction_system_ids_named(value)
        alternatives.append([facet(name, each) for each in values])
    return alternatives
