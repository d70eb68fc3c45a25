"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (boards.public_reads) both answer with these functions.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from accounts.models import Account
from boards.catalogue.reading import read_page
from boards.filters import BoardListQuery, BoardSelection, find_drafts, parse_list
from boards.models import Board
from boards.serializers import BoardSerializer
from config.api.pagination import Page, PageQuery, link_header, represent_page
from config.api.pagination import read_page as read_rows


class ListAnswer(NamedTuple):
    """The body of an answer and its Link header."""

    body: dict[str, Any]
    link: str


def answer_list(path: str, query: QueryDict, caller: Account | AnonymousUser) -> ListAnswer:
    """Return a page of the boards that the query asks for. Raise what `parse_list` raises."""
    selection, page_query = parse_list(query, caller), PageQuery.parse(query)
    read = read_page if selection.published else read_drafts
    page, boards = read(selection, page_query, voter_of(caller))
    return ListAnswer(represent_page("boards", page, boards), link_header(path, query, BoardListQuery, page))


def voter_of(caller: Account | AnonymousUser) -> Account | None:
    """Return the account whose votes an answer has, if the caller has a token."""
    return caller if isinstance(caller, Account) else None


def read_drafts(
    selection: BoardSelection, page_query: Mapping[str, int], voter: Account | None
) -> tuple[Page, list[Any]]:
    """Return a page of the selected drafts. Check first that the caller may list them."""
    page, boards = read_rows(find_drafts(selection).with_details(), page_query)
    return page, represent_boards(boards, voter)


def represent_boards(boards: Sequence[Board], voter: Account | None) -> list[Any]:
    """Return boards of `with_details()`, drafts too, with the account's votes if there is one."""
    keys = [board.pk for board in boards]
    context = {"own_votes": Board.objects.filter(pk__in=keys).own_votes(voter)} if voter else {}
    return BoardSerializer(boards, many=True, context=context).data
