"""Forms of what is stored, which two windows may have open at once.

The page holds what each field had when it was opened: Django's hidden initial values. What comes back as it was shown
is left alone, whatever has become of it since. What was changed here and elsewhere is shown with both values (409),
and sending it again replaces what is stored.
"""

from http import HTTPStatus
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from rest_framework.exceptions import APIException, ValidationError

from bridge.texts import clean_lines, to_one_line
from config.api.errors import field_errors


class LinesField(forms.CharField):
    """A text that is stored cleaned, and compared so: what a program stored may have tabs.

    A browser sends CRLF for the end of a line, and counts it as one character before.
    """

    widget: type[forms.Widget] = forms.Textarea
    clean_text = staticmethod(clean_lines)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")

    def clean(self, value: Any) -> str:
        return self.clean_text(super().clean(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.clean_text(initial or "") != self.clean_text(data or "")


class LineField(LinesField):
    widget = forms.TextInput
    clean_text = staticmethod(to_one_line)


class TwoWindows(forms.BaseForm):
    """A form that stores what its reader changed. Its initial values are what is stored now."""

    last_write_wins: ClassVar[tuple[str, ...]] = ()
    """The fields that are never a conflict."""
    wire_names: ClassVar[dict[str, str]] = {}
    """The fields that the API calls otherwise, by their names there."""

    def __init__(self, data: Any = None, *args: Any, **options: Any) -> None:
        super().__init__(data, *args, **options)
        self.conflicting: list[str] = []
        self.status = HTTPStatus.OK
        for field in self.fields.values():
            field.show_hidden_initial = True

    @property
    def opened(self) -> SafeString:
        """Return the hidden fields with what each field had when the page was opened."""
        sent = cast(QueryDict, self.data)
        pairs = (
            (field.html_initial_name, value)
            for field in self
            for value in (sent.getlist(field.html_initial_name) if self.is_bound else stored_values(field))
        )
        return format_html_join("", '<input type="hidden" name="{}" value="{}">', pairs)

    @property
    def changes(self) -> dict[str, Any]:
        """Return what was changed here, as far as it is valid."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name in self.cleaned_data}

    @property
    def conflicts(self) -> list[tuple[str, str]]:
        """Return the label and the stored text of each field that was changed elsewhere, too."""
        return [(str(self[name].label), stored_text(self[name])) for name in self.conflicting]

    def full_clean(self) -> None:
        if self.is_bound:
            self.bring_up_to_date()
        super().full_clean()
        if self.errors:
            self.status = HTTPStatus.CONFLICT if self.conflicting else HTTPStatus.BAD_REQUEST

    def clean(self) -> dict[str, Any] | None:
        for name in self.conflicting:
            text = stored_text(self[name])
            self.add_error(name, f"Somebody changed this to “{text}” in the meantime. Save again to overwrite it.")
        return super().clean()

    def refuse(self, error: APIException) -> None:
        """Show what a rule says, beside its field where the form has it, and answer with the status of the error."""
        self.status = HTTPStatus(error.status_code)
        if isinstance(error, ValidationError):
            self.show_errors(error.detail)
        else:
            self.add_error(None, str(error.detail))

    def show_errors(self, detail: Any) -> None:
        for path, reasons in field_errors(detail).items():
            name = path.partition(".")[0]
            name = self.wire_names.get(name, name)
            self.add_error(name if name in self.fields else None, [reason["message"] for reason in reasons])

    def bring_up_to_date(self) -> None:
        """Give each field that was not changed here what is stored, and find those that were changed elsewhere, too.

        What is stored is never refused: a file may have brought a longer text than a form takes. A form without
        hidden values is taken as opened now, and a field that it has not as it is stored.
        """
        data = self.data = cast(QueryDict, self.data).copy()
        if not any(field.html_initial_name in data for field in self):
            for field in self:
                data.setlist(field.html_initial_name, stored_values(field))
                data.setlistdefault(field.html_name, stored_values(field))
        for field in self:
            data.setlistdefault(field.html_initial_name, [])  # Of no choice at all a browser sends nothing.
            if field.name not in self.changed_data:
                data.setlist(field.html_name, stored_values(field))
                field.field.validators = []
            elif self.is_conflict(field):
                self.conflicting.append(field.name)
            else:
                continue
            data.setlist(field.html_initial_name, stored_values(field))

    def is_conflict(self, bound: forms.BoundField) -> bool:
        """Tell whether something else has changed a field since it was shown, to another value than was typed."""
        field = bound.field
        stored = field.to_python(field.prepare_value(bound.initial))
        opened = field.hidden_widget().value_from_datadict(self.data, self.files, bound.html_initial_name)
        is_other = field.has_changed(stored, opened) and field.has_changed(stored, bound.data)
        return is_other and bound.name not in self.last_write_wins


def stored_values(bound: forms.BoundField) -> list[str]:
    """Return what is stored as a browser sends it."""
    value = bound.field.prepare_value(bound.initial)
    values = value if isinstance(value, list) else [value]
    return ["" if each is None else str(each) for each in values]


def stored_text(bound: forms.BoundField) -> str:
    """Return what is stored in the words of the page."""
    values = stored_values(bound)
    if choices := getattr(bound.field, "choices", None):
        return ", ".join(str(label) for value, label in choices if str(value) in values)
    if isinstance(bound.initial, bool):
        return "yes" if bound.initial else "no"
    return values[0]
