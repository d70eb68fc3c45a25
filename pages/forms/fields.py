"""The fields of a form as its page shows them, and the values that a visitor typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from boards.models import Board
from forms import tasks
from forms.declarations import Form
from forms.fields import PublishedBoardField, read_board_id

EMPTY_CODES = frozenset({"required", "blank", "null"})


@dataclass(frozen=True)
class PageField:
    """What templates/forms/field.html shows of a serializer's field. `board` is the one that the value names."""

    name: str
    value: Any
    errors: Sequence[str]
    field: serializers.Field
    board: Board | None = None

    @property
    def kind(self) -> str:
        if self.board:
            return "board"
        if self.options:
            return "select"
        if isinstance(self.field, serializers.BooleanField):
            return "checkbox"
        return "textarea" if self.field.style.get("rows") else "input"

    @property
    def type(self) -> str:
        return "email" if isinstance(self.field, serializers.EmailField) else self.field.style.get("type", "text")

    @property
    def hint(self) -> str:
        """Return the help text, or nothing for a list of options, which needs none."""
        return "" if self.options else str(self.field.help_text or "")

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        if isinstance(self.field, serializers.ChoiceField):
            return list(self.field.choices.items())
        return self.field.style.get("options", ())

    @property
    def described_by(self) -> str:
        parts = [f"{self.name}-hint" if self.hint else "", f"{self.name}-error" if self.errors else ""]
        return " ".join(filter(None, parts))


def read_values(form: Form, post: QueryDict) -> dict[str, Any]:
    """Read the form's own fields. Leave out empty ones, and end lines with LF as in JSON, not with a page's CR LF."""
    values = {}
    for name, field in form.serializer().get_fields().items():
        text = post.get(name, "").replace("\r\n", "\n")
        if text.strip():
            values[name] = True if isinstance(field, serializers.BooleanField) else text
    return values


def page_fields(form: Form, values: Mapping[str, Any], errors: Mapping[str, Any]) -> list[PageField]:
    """Return the form's fields with their values. Leave out the copy where no mail would reach anybody."""
    return [
        PageField(
            name=name,
            value=values.get(name, ""),
            errors=[message(error, str(field.label)) for error in errors.get(name, ())],
            field=field,
            board=find_published_board(values.get(name, "")) if isinstance(field, PublishedBoardField) else None,
        )
        for name, field in form.serializer().fields.items()
        if name != tasks.FIELD or tasks.are_offered()
    ]


def find_published_board(text: str) -> Board | None:
    """Return the published board whose id or address this is."""
    board_id = read_board_id(text)
    return Board.objects.published().filter(pk=board_id).first() if board_id else None


def message(error: serializers.ErrorDetail, label: str) -> str:
    """Write a sentence that names the field, since the list of errors shows it away from the field."""
    return f"Fill in “{label}”." if error.code in EMPTY_CODES else f"{label}: {error}"
