"""How many published boards the themes have."""

from collections.abc import Collection
from uuid import UUID

from boards.search.finding import count_tags


def count_boards_of_themes(theme_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the number of published boards of each theme."""
    tags = {pk: f"theme:{pk}" for pk in theme_ids}
    boards = count_tags([*tags.values()])
    return {pk: boards.get(tag, 0) for pk, tag in tags.items()}
