"""The fields of a form as its page shows them, and the values that a visitor typed."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from boards.models import Board
from config.worker import mails
from forms import tasks
from forms.declarations import Form
from forms.fields import PublishedBoardField, read_board_id

EMPTY_CODES = frozenset({"required", "blank", "null"})


def read_values(form: Form, post: QueryDict) -> dict[str, Any]:
    """Read the form's own fields. Leave out empty ones, and end lines with LF as in JSON, not with a page's CR LF."""
    values = {}
    for name, field in form.serializer().get_fields().items():
        text = post.get(name, "").replace("\r\n", "\n")
        if text.strip():
            values[name] = True if isinstance(field, serializers.BooleanField) else text
    return values


def page_fields(form: Form, values: Mapping[str, Any], errors: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the form's fields with their values. Leave out the copy where no mail would reach anybody."""
    return [
        describe_field(name, field, values.get(name, ""), errors.get(name, ()))
        for name, field in form.serializer().fields.items()
        if name != tasks.FIELD or mails.are_offered()
    ]


def kind_of(field: serializers.Field, options: Sequence[Any]) -> str:
    if isinstance(field, serializers.BooleanField):
        return "checkbox"
    if options:
        return "select"
    return "textarea" if field.style.get("rows") else "input"


def describe_field(
    name: str, field: serializers.Field, value: Any, errors: Sequence[serializers.ErrorDetail]
) -> dict[str, Any]:
    """Return what templates/forms/field.html shows of a serializer's field. `board` is the one that the value names."""
    options = field.style.get("options", ())
    if isinstance(field, serializers.ChoiceField):
        options = [*field.choices.items()]
    board = find_published_board(value) if isinstance(field, PublishedBoardField) else None
    hint = "" if options else str(field.help_text or "")  # a list of options needs none
    described = (("hint", hint), ("error", errors))
    return {
        "name": name,
        "field": field,
        "kind": "board" if board else kind_of(field, options),
        "type": "email" if isinstance(field, serializers.EmailField) else field.style.get("type", "text"),
        "value": value,
        "board": board,
        "options": options,
        "hint": hint,
        "errors": [message(error, str(field.label)) for error in errors],
        "described_by": " ".join(f"{name}-{part}" for part, text in described if text),
    }


def find_published_board(text: str) -> Board | None:
    """Return the published board whose id or address this is."""
    board_id = read_board_id(text)
    return Board.objects.published().filter(pk=board_id).first() if board_id else None


def message(error: serializers.ErrorDetail, label: str) -> str:
    """Write a sentence that names the field, since the list of errors shows it away from the field."""
    return f"Fill in “{label}”." if error.code in EMPTY_CODES else f"{label}: {error}"
