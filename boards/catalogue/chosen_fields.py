"""The query parameter `fields` of lists of boards: which fields each board has. A whole board has some 3 kB."""

from collections.abc import Sequence
from typing import Any

import orjson
from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from boards.searching.parameters import BoardListQuery
from boards.serializers import BoardSerializer
from config.api.serializers import QuerySerializer
from config.values.strict_json import dump_json

FIELDS = tuple(BoardSerializer().get_fields())
"""The names of all fields of a board, in their order."""


@extend_schema_field(
    {"type": "string", "pattern": f"^[ ,]*(({'|'.join(FIELDS)}) *(,[ ,]*|$))*$", "x-fields-of": "Board"}
)
class FieldNames(serializers.Field):
    """Names of fields of a board with commas between them. Blank items are left out, and "" counts as absent.

    The names are returned in the order of a board's fields, each once.
    """

    default_error_messages = {"invalid_choice": f"Give some of these, separated by commas: {', '.join(FIELDS)}."}

    def to_internal_value(self, data: str) -> tuple[str, ...]:
        names = set(filter(None, (item.strip(" ") for item in data.split(","))))
        if not names.issubset(FIELDS):
            self.fail("invalid_choice")
        return tuple(name for name in FIELDS if name in names)


class BoardFieldsQuery(QuerySerializer):
    fields = FieldNames(  # type: ignore[assignment]  # a declared field, which the metaclass takes away
        required=False,
        help_text="The fields that each board of the answer has, separated by commas: `id,title,contract`. The others"
        " are left out, including those that a board otherwise always has. Without it boards are whole.",
    )


class ListedBoardsQuery(BoardFieldsQuery, BoardListQuery):
    """Which boards GET /api/boards finds, and what it says of them."""


def parse_fields(query: QueryDict) -> Sequence[str]:
    """Return the names that `fields` has, none where boards are asked for whole. Raise ValidationError."""
    names: Sequence[str] = BoardFieldsQuery.parse(query).get("fields", ())
    return names


def choose_fields(boards: Sequence[Any], names: Sequence[str]) -> Sequence[Any]:
    """Return boards, finished JSON or not, with the fields of these names alone. Without names they stay whole."""
    if not names:
        return boards
    return [{name: board[name] for name in names if name in board} for board in orjson.loads(dump_json(boards))]
