"""The fields of a serializer as a page shows them: templates/forms/field.html."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

EMPTY_CODES = frozenset({"required", "blank", "null"})


@dataclass(frozen=True)
class PageField:
    """What a page shows of a serializer's field. The field's `style` has what only pages need."""

    name: str
    value: Any
    errors: Sequence[str]
    field: serializers.Field

    @property
    def kind(self) -> str:
        if self.options:
            return "select"
        if isinstance(self.field, serializers.BooleanField):
            return "checkbox"
        return "textarea" if self.rows else "input"

    @property
    def type(self) -> str:
        return "email" if isinstance(self.field, serializers.EmailField) else self.style.get("type", "text")

    @property
    def label(self) -> str:
        return str(self.field.label)

    @property
    def hint(self) -> str:
        """Return the help text, or nothing for a list of options, which needs none."""
        return "" if self.options else str(self.field.help_text or "")

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        if isinstance(self.field, serializers.ChoiceField):
            return list(self.field.choices.items())
        return self.style.get("options", ())

    @property
    def style(self) -> Mapping[str, Any]:
        return self.field.style

    @property
    def autocomplete(self) -> str:
        return self.style.get("autocomplete", "off")

    @property
    def rows(self) -> int | None:
        return self.style.get("rows")

    @property
    def max_length(self) -> int | None:
        return getattr(self.field, "max_length", None)

    @property
    def described_by(self) -> str:
        parts = [f"{self.name}-hint" if self.hint else "", f"{self.name}-error" if self.errors else ""]
        return " ".join(filter(None, parts))


def message(error: serializers.ErrorDetail, label: str) -> str:
    """Write a sentence that names the field, since the list of errors shows it away from the field."""
    return f"Fill in “{label}”." if error.code in EMPTY_CODES else f"{label}: {error}"
