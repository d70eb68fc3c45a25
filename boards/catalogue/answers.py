"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (boards.catalogue.public_reads) both answer with these functions.
"""

from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from accounts.models import Account
from boards.catalogue.reading import BoardPage, read_page, read_page_after
from boards.search.filters.parameters import (
    BoardListQuery,
    BoardPageQuery,
    BoardSelection,
    parse_list,
    parse_page,
)
from config.api.pagination import NumberCursor, Page, cursor_links, link_header, represent_page

LIST_QUERIES = (BoardPageQuery, BoardListQuery)
"""The query parameters of GET /api/boards."""


class ListAnswer(NamedTuple):
    """The body of an answer and its Link header."""

    body: dict[str, Any]
    link: str


def answer_list(path: str, query: QueryDict, caller: Account | AnonymousUser) -> ListAnswer:
    """Return a page of the boards that the query asks for. Raise what `parse_list` raises."""
    selection = parse_list(query, caller)
    page_query, voter = parse_page(query, selection), voter_of(caller)
    if after := page_query.get("after"):
        found = read_page_after(selection, after.number, page_query["pageSize"], voter)
    else:
        found = read_page(selection, page_query, voter)
    body = represent_page("boards", found.page, found.boards)
    next_cursor = body["pagination"]["nextCursor"] = find_next_cursor(selection, found)
    if isinstance(found.page, Page):
        return ListAnswer(body, link_header(path, query, BoardListQuery, found.page))
    return ListAnswer(body, cursor_links(path, query, BoardListQuery, next_cursor))


def find_next_cursor(selection: BoardSelection, found: BoardPage) -> str | None:
    """Return the cursor of the last board on the page, if boards follow it in an order that votes leave alone."""
    if selection.sort == "top" or not found.last or not found.page.has_more:
        return None
    return NumberCursor(selection.letter, found.last).encode()


def voter_of(caller: Account | AnonymousUser) -> Account | None:
    """Return the account whose votes an answer has, if the caller has a token."""
    return caller if isinstance(caller, Account) else None
