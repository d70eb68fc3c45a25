"""GET /api/boards as NDJSON: the whole list, one board a line, read from the database in chunks.

Each chunk continues after the last board by its number, as an export does (boards.files.exporting), so that the memory
it takes does not grow with the list and no transaction stays open for a slow reader.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.catalogue.answers import voter_of
from boards.catalogue.reading import read_page_after
from boards.models import LAST_NUMBER
from boards.search.filters.parameters import BoardSelection, parse_list
from config.values.strict_json import dump_json

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
