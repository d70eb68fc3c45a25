"""Facets: the lists that a published board stands in, one for each value of each filter (boards.filters)."""

from collections.abc import Mapping

from boards.filters.declarations import FILTERS
from boards.models import Board
from themes.label_cache import LabelCache

ALL = "all"
"""The list of all published boards. It sorts before every other name."""


def facets_of(board: Board) -> list[str]:
    """Return the names of the lists of a board of `with_details()`, in alphabetical order."""
    return sorted(
        {ALL, *(facet(each.name, value) for each in FILTERS.values() for value in each.values_of(board))}
    )


def facet(name: str, value: object) -> str:
    """Return the list's name. `name` is the query parameter of the filter."""
    return f"{name}:{value}"


def facets_for(filters: Mapping[str, str], labels: LabelCache) -> list[list[str]]:
    """Return the alternatives for each filter: a board is found when it stands in one list of each.

    There is one alternative, but several for a theme's identifier that more than one type has, and none for an
    unknown theme or auction system.
    """
    return [
        [facet(name, each) for each in FILTERS[name].meant_by(value, labels)]
        for name, value in filters.items()
    ]
