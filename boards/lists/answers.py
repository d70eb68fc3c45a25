"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (boards.lists.public_reads) both answer with these functions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from accounts.models import Account
from boards.catalogue.reading import BoardPage, read_page, read_page_after
from boards.catalogue.statements import SortKey
from boards.filters.parameters import BoardListQuery, BoardSelection, parse_list, parse_page
from boards.lists.finding import find_drafts
from boards.models import Board
from boards.serializers import BoardSerializer
from config.api.cursors import Cursor, CursorPage, cursor_links
from config.api.pagination import Page, link_header, represent_page
from config.api.pagination import read_page as read_rows


class ListAnswer(NamedTuple):
    """The body of an answer and its Link header."""

    body: dict[str, Any]
    link: str


def answer_list(path: str, query: QueryDict, caller: Account | AnonymousUser) -> ListAnswer:
    """Return a page of the boards that the query asks for. Raise what `parse_list` raises."""
    selection = parse_list(query, caller)
    page_query, voter = parse_page(query, selection), voter_of(caller)
    if after := page_query.get("after"):
        read_after = read_page_after if selection.published else read_drafts_after
        found = read_after(selection, after, page_query["pageSize"], voter)
    else:
        read = read_page if selection.published else read_drafts
        found = read(selection, page_query, voter)
    body = represent_page("boards", found.page, found.boards)
    next_cursor = body["pagination"]["nextCursor"] = find_next_cursor(selection, found)
    if isinstance(found.page, Page):
        return ListAnswer(body, link_header(path, query, BoardListQuery, found.page))
    return ListAnswer(body, cursor_links(path, query, BoardListQuery, next_cursor))


def find_next_cursor(selection: BoardSelection, found: BoardPage) -> str | None:
    """Return the cursor of the last board on the page, if boards follow it in an order that votes leave alone."""
    if selection.sort == "top" or not found.last or not found.page.has_more:
        return None
    return Cursor(selection.letter, *found.last).encode()


def voter_of(caller: Account | AnonymousUser) -> Account | None:
    """Return the account whose votes an answer has, if the caller has a token."""
    return caller if isinstance(caller, Account) else None


def read_drafts(selection: BoardSelection, page_query: Mapping[str, Any], voter: Account | None) -> BoardPage:
    """Return a page of the selected drafts. Check first that the caller may list them."""
    page, boards = read_rows(find_drafts(selection).with_details(), page_query)
    return BoardPage(page, represent_boards(boards, voter), last_sort_key(boards))


def read_drafts_after(
    selection: BoardSelection, after: Cursor, page_size: int, voter: Account | None
) -> BoardPage:
    """Return so many of the selected drafts as follow the cursor."""
    drafts = find_drafts(selection)
    found = list(drafts.created_before(after.moment, after.id).with_details()[: page_size + 1])
    boards = found[:page_size]
    page = CursorPage(page_size, drafts.count(), len(found) > page_size)
    return BoardPage(page, represent_boards(boards, voter), last_sort_key(boards))


def last_sort_key(drafts: Sequence[Board]) -> SortKey | None:
    return (drafts[-1].created_at, drafts[-1].pk) if drafts else None


def represent_boards(boards: Sequence[Board], voter: Account | None) -> list[Any]:
    """Return boards of `with_details()`, drafts too, with the account's votes if there is one."""
    keys = [board.pk for board in boards]
    context = {"own_votes": Board.objects.filter(pk__in=keys).own_votes(voter)} if voter else {}
    return [*BoardSerializer(boards, many=True, context=context).data]
