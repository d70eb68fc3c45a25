"""How many published boards the themes have."""

from collections.abc import Collection
from uuid import UUID

from boards.search.index.counting import Themes, count_values
from boards.search.index.finding import IS_PUBLISHED


def count_boards_of_themes(theme_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the number of published boards of each theme."""
    boards = count_values(IS_PUBLISHED, [Themes([*theme_ids])])
    return {pk: boards[number,] for number, pk in enumerate(theme_ids)}
