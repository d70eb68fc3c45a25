"""GET /api/boards as NDJSON: the whole list, one board a line, read from the database in chunks.

Each chunk continues after the last board by its key, as an export does (boards.files.exporting), so that the memory it
takes does not grow with the list and no transaction stays open for a slow reader.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.reading import Row, finish
from boards.filters.parameters import BoardSelection, parse_list
from boards.lists.answers import represent_boards, voter_of
from boards.lists.finding import find_drafts, find_published_boards
from boards.querysets import BoardQuerySet
from config.values.strict_json import dump_json
from themes.label_cache import get_label_cache, get_revision

CHUNK_SIZE = 500

COLUMNS = ("pk", "published__json", "published__json_format", "up_votes", "down_votes", "published_at")
"""The columns of boards.catalogue.reading.Row after the first two."""


def stream_list(query: QueryDict, caller: Account | AnonymousUser) -> Iterator[bytes]:
    """Return the lines of all boards that the query asks for, newest first, in chunks. They are no pages.

    Raise what `parse_list` raises, and ValidationError for sort=top, before the first line.
    """
    selection = parse_list(query, caller)
    if selection.sort == "top":
        reason = "A vote moves boards in sort=top, so that order cannot be streamed. Use sort=newest."
        raise serializers.ValidationError({"sort": [serializers.ErrorDetail(reason, code="invalid")]})
    read = read_published if selection.published else read_drafts
    return (write_lines(boards) for boards in read(selection, voter_of(caller)))


def write_lines(boards: Sequence[Any]) -> bytes:
    return b"".join(dump_json(board) + b"\n" for board in boards)


def read_published(selection: BoardSelection, voter: Account | None) -> Iterator[Sequence[Any]]:
    """Yield the published boards as finished JSON."""
    boards = find_published_boards(selection)
    chunk = read_rows(boards)
    while chunk:
        yield finish(chunk, get_label_cache(get_revision()), voter)
        chunk = read_rows(boards.published_before(*chunk[-1].sort_key))


def read_rows(boards: BoardQuerySet) -> list[Row]:
    return [Row(0, None, *columns) for columns in boards.values_list(*COLUMNS)[:CHUNK_SIZE]]


def read_drafts(selection: BoardSelection, voter: Account | None) -> Iterator[Sequence[Any]]:
    """Yield the drafts as JSON values."""
    drafts = find_drafts(selection).with_details()
    chunk = list(drafts[:CHUNK_SIZE])
    while chunk:
        yield represent_boards(chunk, voter)
        chunk = list(drafts.created_before(chunk[-1].created_at, chunk[-1].pk)[:CHUNK_SIZE])
