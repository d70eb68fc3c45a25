"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (settings.PUBLIC_READS) both answer with these functions.

As NDJSON the whole list is sent, one board a line. Each chunk continues after the last board by its number, as an
export does (boards.files.exporting), so that the memory it takes does not grow with the list and no transaction stays
open for a slow reader.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.reading import BoardPage, read_board, read_page, read_page_after
from boards.models import LAST_NUMBER
from boards.search.filters.parameters import (
    BoardListQuery,
    BoardPageQuery,
    BoardSelection,
    parse_list,
    parse_page,
)
from config import paths
from config.api.pagination import NumberCursor, Page, cursor_links, link_header, represent_page
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json

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


CHUNK_SIZE = 500


def stream_list(query: QueryDict, caller: Account | AnonymousUser) -> Iterator[bytes]:
    """Return the lines of all boards that the query asks for, newest first, in chunks. They are no pages.

    Raise what `parse_list` raises, and ValidationError for sort=top, before the first line.
    """
    selection = parse_list(query, caller)
    if selection.sort == "top":
        reason = "A vote moves boards in sort=top, so that order cannot be streamed. Use sort=newest."
        raise serializers.ValidationError({"sort": [serializers.ErrorDetail(reason, code="invalid")]})
    return (write_lines(boards) for boards in iterate(selection, voter_of(caller)))


def write_lines(boards: Sequence[Any]) -> bytes:
    return b"".join(dump_json(board) + b"\n" for board in boards)


def iterate(selection: BoardSelection, voter: Account | None) -> Iterator[Sequence[Any]]:
    """Yield the boards for their readers, a chunk after the other."""
    after = LAST_NUMBER
    while True:
        page = read_page_after(selection, after, CHUNK_SIZE, voter)
        if page.last is None:
            return
        yield page.boards
        after = page.last


LIST = f"{paths.API}/boards"


def make_board(path: re.Match[str], query: QueryDict) -> Document | None:
    board = read_board(UUID(path["id"]))
    return Document(dump_json(board)) if board else None


def make_page(path: re.Match[str], query: QueryDict) -> Document:
    answer = answer_list(path[0], query, AnonymousUser())
    return Document(dump_json(answer.body), (("Link", answer.link),))


BOARD = PublicRead(re.compile(rf"{LIST}/(?P<id>[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})"), make_board)
BOARD_LIST = PublicRead(re.compile(LIST), make_page, LIST_QUERIES)
