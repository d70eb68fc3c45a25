"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (settings.PUBLIC_READS) both answer with these functions.

As NDJSON the whole list is sent, one board a line. Each chunk continues after the last board by its number, as an
export does (boards.files.exporting), so that the memory it takes does not grow with the list and no transaction stays
open for a slow reader.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.chosen_fields import ListedBoardsQuery, choose_fields, parse_fields
from boards.catalogue.reading import Find, Search, page_finder, read_board, read_found
from boards.models import LAST_NUMBER
from boards.searching.parameters import COLLECTION, BoardPageQuery, parse_list, parse_page
from config import paths
from config.api.pagination import CursorPage, NumberCursor, Page, cursor_list
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json
from search.index.pages import find
from search.language.queries import SearchText
from themes.labels import LabelCache, latest_label_cache

LIST_QUERIES = (BoardPageQuery, ListedBoardsQuery)
"""The query parameters of GET /api/boards."""


def answer_list(path: str, query: QueryDict, search: Search, voter: Account | None) -> tuple[dict[str, Any], str]:
    """Return a page of the boards that a query asks for, of which `parse_list` made the search, and its Link header."""
    selection = search.selection
    page_query, fields = parse_page(query, selection), parse_fields(query)
    number, size, after = page_query["page"], page_query["pageSize"], page_query.get("after")
    is_top = selection.sort == "top"
    first_row = after.number if after and is_top else (number - 1) * size
    finder: Find = page_finder(selection, first_row, size)
    if after and not is_top:
        finder = partial(find, first_row=0, limit=size, after=after.number)
    found, boards = read_found(search, finder, voter)
    page: Page | CursorPage = (
        CursorPage(size, found.total, found.has_more) if after else Page(number, size, found.total)
    )
    next_cursor = None
    if found.numbers and page.has_more:
        position = first_row + size if is_top else found.numbers[-1]
        next_cursor = NumberCursor(selection.letter, position).encode()
    pagination, link = cursor_list(page, next_cursor, path, query, ListedBoardsQuery)
    body = {"boards": choose_fields(boards, fields), "pagination": pagination}
    if selection.search:
        body["meta"] = {"understood": represent_understood(selection.search, latest_label_cache())}
    return body, link


def represent_understood(search: SearchText, labels: LabelCache) -> dict[str, Any]:
    """Return how the text of q was understood."""
    understood, text = search.understood(labels), search.text
    parts = [
        {"text": text[part.start : part.end], "query": part.query, "meaning": part.meaning} for part in understood.parts
    ]
    return {"query": understood.query, "parts": parts, "inTexts": understood.in_texts}


def voter_of(caller: Account | AnonymousUser) -> Account | None:
    """Return the account whose votes an answer has, if the caller has a token."""
    return caller if isinstance(caller, Account) else None


CHUNK_SIZE = 500


def stream_list(query: QueryDict, caller: Account | AnonymousUser) -> Iterator[bytes]:
    """Return the lines of all boards that the query asks for, newest first, in chunks. They are not pages.

    Raise what `parse_list` raises, and ValidationError for sort=top, before the first line.
    """
    selection = parse_list(query, caller)
    if selection.sort == "top":
        reason = "A vote moves boards in sort=top, so that order cannot be streamed. Use sort=newest."
        raise serializers.ValidationError({"sort": [serializers.ErrorDetail(reason, code="invalid")]})
    return stream_lines(Search(selection, nullcontext), voter_of(caller), parse_fields(query))


def stream_lines(search: Search, voter: Account | None, fields: Sequence[str]) -> Iterator[bytes]:
    last = LAST_NUMBER
    while True:
        found, boards = read_found(search, partial(find, first_row=0, limit=CHUNK_SIZE, after=last), voter)
        if not found.numbers:
            return
        yield b"".join(dump_json(board) + b"\n" for board in choose_fields(boards, fields))
        last = found.numbers[-1]


LIST = f"{paths.API}/boards"


def make_board(path: re.Match[str], query: QueryDict) -> Document | None:
    board = read_board(UUID(path["id"]))
    return Document(dump_json(board)) if board else None


def make_page(path: re.Match[str], query: QueryDict) -> Document | None:
    if COLLECTION in query:
        return None  # no cache may keep it, which its view says
    search = Search(parse_list(query, AnonymousUser()), nullcontext)
    if search.is_dear:
        return None  # it takes a permit, which the client may have to wait for
    body, link = answer_list(path[0], query, search, None)
    return Document(dump_json(body), (("Link", link),))


BOARD = PublicRead(re.compile(rf"{LIST}/(?P<id>[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})"), make_board)
BOARD_LIST = PublicRead(re.compile(LIST), make_page, LIST_QUERIES)
