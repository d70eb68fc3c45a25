"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (boards.public_reads) both answer with these functions.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from accounts.models import Account
from boards.catalogue.reading import read_page
from boards.filters import BoardSelection, find_drafts, parse_list
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
    page, boards = read(selection, page_query)
    return ListAnswer(represent_page("boards", page, boards), link_header(path, query, page))


def read_drafts(selection: BoardSelection, page_query: Mapping[str, int]) -> tuple[Page, list[Any]]:
    """Return a page of the selected drafts. Check first that the caller may list them."""
    page, boards = read_rows(find_drafts(selection).with_details(), page_query)
    return page, BoardSerializer(boards, many=True).data
