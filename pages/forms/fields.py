"""The fields of a form as its page shows them, and the values that a visitor typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from boards.models import Board
from forms import copies
from forms.declarations import Form
from forms.fields import PublishedBoardField, read_board_id
from pages.site.page_fields import PageField, message


@dataclass(frozen=True)
class FormPageField(PageField):
    """A field of a form. `board` is the published board that the value names, or None."""

    board: Board | None = None

    @property
    def kind(self) -> str:
        return "board" if self.board else super().kind


def read_values(form: Form, post: QueryDict) -> dict[str, Any]:
    """Read the form's own fields. Leave out empty ones, and end lines with LF as in JSON, not with a page's CR LF."""
    values = {}
    for name, field in form.serializer().get_fields().items():
        text = post.get(name, "").replace("\r\n", "\n")
        if text.strip():
            values[name] = True if isinstance(field, serializers.BooleanField) else text
    return values


def page_fields(form: Form, values: Mapping[str, Any], errors: Mapping[str, Any]) -> list[FormPageField]:
    """Return the form's fields with their values. Leave out the copy where no mail would reach anybody."""
    return [
        FormPageField(
            name=name,
            value=values.get(name, ""),
            errors=[message(error, str(field.label)) for error in errors.get(name, ())],
            field=field,
            board=find_board(field, values.get(name, "")),
        )
        for name, field in form.serializer().fields.items()
        if name != copies.FIELD or copies.are_offered()
    ]


def find_board(field: serializers.Field, value: str) -> Board | None:
    return find_published_board(value) if isinstance(field, PublishedBoardField) else None


def find_published_board(text: str) -> Board | None:
    """Return the published board whose id or address this is."""
    board_id = read_board_id(text)
    return Board.objects.published().filter(pk=board_id).first() if board_id else None
