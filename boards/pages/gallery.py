"""Many boards on a page: which, where the other pages are, and the form to ask for others."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from boards.filters import BoardQuery, published_boards
from boards.pages.filter_form import Filter, gallery_filters
from boards.pages.presenters import Tile
from config.api.handlers import field_errors
from config.api.pagination import MAX_PAGE_SIZE, NaturalField, Page, PageQuery, read_page
from config.values.languages import Label

PATH = "/boards"
INDEXED = {"theme"}
"""A query with anything else in it shows the same boards in another order or fewer of them: nothing to be found."""


class GalleryQuery(PageQuery):
    """As GET /api/boards, but a page is twelve boards: they fill rows of one to four."""

    pageSize = NaturalField(default=12, min_value=1, max_value=MAX_PAGE_SIZE)


@dataclass
class Gallery:
    """`page` is None where the query is refused: then `errors` says why, by parameter."""

    query: QueryDict
    languages: Sequence[str]
    page: Page | None = None
    tiles: list[Tile] = field(default_factory=list)
    errors: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @cached_property
    def asked(self) -> dict[str, str]:
        """What of the query means something, without the page."""
        asked = {name: self.query.get(name, "") for name in (*BoardQuery().fields, "pageSize")}
        return {name: value for name, value in asked.items() if value and (name, value) != ("sort", "newest")}

    @cached_property
    def filters(self) -> list[Filter]:
        return gallery_filters(self.asked, self.errors, self.languages)

    @property
    def other_errors(self) -> dict[str, list[dict[str, Any]]]:
        """Of parameters that the form has no list for."""
        listed = {each.name for each in self.filters}
        return {name: reasons for name, reasons in self.errors.items() if name not in listed}

    @property
    def kept(self) -> dict[str, str]:
        """What the form sends along unseen."""
        return {name: self.asked[name] for name in ("userId", "pageSize") if name in self.asked}

    @property
    def theme(self) -> Label | None:
        """Of the one theme that is asked for."""
        themes = self.filters[0]
        chosen = themes.chosen
        return next((choice.label for choice in themes.choices if choice.value == chosen), None)

    @property
    def is_indexed(self) -> bool:
        return not self.errors and self.asked.keys() <= INDEXED

    @property
    def address(self) -> str:
        """The one address of this page, however it was asked for."""
        return self.address_of(self.page.page) if self.page else PATH

    @property
    def neighbours(self) -> dict[str, str]:
        """Where the first, prev, next and last page are, as far as there are such."""
        pages = self.page.neighbours if self.page else {}
        return {relation: self.address_of(number) for relation, number in pages.items()}

    @property
    def export(self) -> str:
        """All that is asked for, not this page alone, as one file."""
        return f"{reverse('board-export')}?{urlencode(self.asked)}".rstrip("?")

    def address_of(self, page: int) -> str:
        """The first page goes without its number: it is the same as the one without any."""
        query = urlencode(self.asked | {"page": str(page)} if page > 1 else self.asked)
        return f"{PATH}?{query}".rstrip("?")


def gallery_of(query: QueryDict, languages: Sequence[str]) -> Gallery:
    """The parameters and rules are those of GET /api/boards. A fixed number of queries."""
    gallery = Gallery(query, languages)
    try:
        boards = published_boards(query).with_details()
        gallery.page, rows = read_page(boards, GalleryQuery.parse(query))
    except ValidationError as error:
        gallery.errors = field_errors(error.detail)
        return gallery
    gallery.tiles = [Tile(board, languages) for board in rows]
    return gallery
