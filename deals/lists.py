"""The list of deals: a page by its number, or from a cursor on."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from config.api.cursors import Cursor, CursorPage
from config.api.pagination import Page, read_page
from deals.models import Deal

CURSOR_LETTER = "c"
"""The letter of this list in cursors. Those of boards have others."""


class DealPage(NamedTuple):
    page: Page | CursorPage
    deals: Sequence[Deal]

    @property
    def next_cursor(self) -> str | None:
        """Return the cursor of the last deal, if others follow it."""
        if not (self.deals and self.page.has_more):
            return None
        return Cursor(CURSOR_LETTER, self.deals[-1].created_at, self.deals[-1].pk).encode()


def read_deals(source: str, query: Mapping[str, Any]) -> DealPage:
    """Return the page of this source's deals, newest first, that a parsed CursorPageQuery asks for."""
    deals, size = Deal.objects.newest_first().from_source(source), query["pageSize"]
    if not (after := query.get("after")):
        return DealPage(*read_page(deals, query))
    found = deals.read_after(after.moment, after.id, size + 1)
    return DealPage(CursorPage(size, deals.count(), len(found) > size), found[:size])
