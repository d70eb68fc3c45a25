"""The answers of GET /api/boards and GET /api/boards/{id}: from a query and its caller to what is sent.

The view and what is read in front of Django (settings.PUBLIC_READS) both answer with these functions.

As NDJSON the whole list is sent, one board a line. Each chunk continues after the last board by its number, as an
export does (boards.files.exporting), so that the memory it takes does not grow with the list and no transaction stays
open for a slow reader.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.reading import page_finder, read_board, read_found
from boards.models import LAST_NUMBER
from boards.search.filters.parameters import (
    COLLECTION,
    BoardListQuery,
    BoardPageQuery,
    BoardSelection,
    parse_list,
    parse_page,
)
from boards.search.index.finding import find_after
from boards.search.language.understanding import understand
from config import paths
from config.api.pagination import CursorPage, NumberCursor, Page, cursor_list
from config.edge.serving.public_reads import Document, PublicRead
from config.values.strict_json import dump_json
from themes.labels import latest_label_cache

LIST_QUERIES = (BoardPageQuery, BoardListQuery)
"""The query parameters of GET /api/boards."""


def answer_list(path: str, query: QueryDict, caller: Account | AnonymousUser) -> tuple[dict[str, Any], str]:
    """Return a page of the boards that the query asks for, and its Link header. Raise what `parse_list` raises."""
    selection = parse_list(query, caller)
    page_query, voter = parse_page(query, selection), voter_of(caller)
    number, size, after = page_query["page"], page_query["pageSize"], page_query.get("after")
    if after:
        found, boards = read_found(selection, partial(find_after, number=after.number, limit=size), voter)
        page: Page | CursorPage = CursorPage(size, found.total, found.has_more)
    else:
        found, boards = read_found(selection, page_finder(selection, (number - 1) * size, size), voter)
        page = Page(number, size, found.total)
    next_cursor = None
    if found.numbers and page.has_more and selection.sort != "top":  # votes move boards in that order
        next_cursor = NumberCursor(selection.letter, found.numbers[-1]).encode()
    pagination, link = cursor_list(page, next_cursor, path, query, BoardListQuery)
    body = {"boards": boards, "pagination": pagination}
    if selection.search:
        body["meta"] = {"understood": represent_understood(selection.search)}
    return body, link


def represent_understood(text: str) -> dict[str, Any]:
    """Return how the text of q was understood."""
    understood = understand(text, latest_label_cache(), datetime.now(UTC).date())
    parts = [
        {"text": text[part.start : part.end], "query": part.query, "meaning": part.meaning} for part in understood.parts
    ]
    return {"query": understood.query, "parts": parts, "inTexts": understood.in_texts}


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
    return stream_lines(selection, voter_of(caller))


def stream_lines(selection: BoardSelection, voter: Account | None) -> Iterator[bytes]:
    last = LAST_NUMBER
    while True:
        found, boards = read_found(selection, partial(find_after, number=last, limit=CHUNK_SIZE), voter)
        if not found.numbers:
            return
        yield b"".join(dump_json(board) + b"\n" for board in boards)
        last = found.numbers[-1]


LIST = f"{paths.API}/boards"


def make_board(path: re.Match[str], query: QueryDict) -> Document | None:
    board = read_board(UUID(path["id"]))
    return Document(dump_json(board)) if board else None


def make_page(path: re.Match[str], query: QueryDict) -> Document | None:
    if COLLECTION in query:
        return None  # no cache may keep it, which its view says
    body, link = answer_list(path[0], query, AnonymousUser())
    return Document(dump_json(body), (("Link", link),))


BOARD = PublicRead(re.compile(rf"{LIST}/(?P<id>[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})"), make_board)
BOARD_LIST = PublicRead(re.compile(LIST), make_page, LIST_QUERIES)
