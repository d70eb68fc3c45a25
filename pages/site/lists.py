"""What pages with lists share: the parameter `page`, and the addresses of the other pages of a list."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from config.api.pagination import MAX_PAGE, NaturalField, Page
from config.api.serializers import QuerySerializer


class PageNumberQuery(QuerySerializer):
    page = NaturalField(default=1, min_value=1, max_value=MAX_PAGE)


def page_context(page: Page, path: str, parameters: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the page, its own path, and those of the pages beside it. The first one has no number."""

    def path_of(number: int) -> str:
        return path_with_query(path, (parameters or {}) | ({"page": str(number)} if number > 1 else {}))

    paths = {relation: path_of(number) for relation, number in page.neighbours.items()}
    return {"page": page, "pages": paths, "path": path_of(page.page)}


def path_with_query(path: str, parameters: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(parameters)}" if parameters else path
